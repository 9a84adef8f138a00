import { type ConfigEntry, configList, parseConfigList } from './porcelain/config-list.ts';
import type { ObjectInfo } from './repository/answers.ts';
import type { Audit } from './repository/audit.ts';
import { type Confined, runConfined } from './repository/confined-run.ts';
import { whatOf } from './repository/executing.ts';
import type { Objects } from './repository/objects.ts';
import { isOwnRepository } from './repository/owner.ts';
import { readingPlace } from './repository/private-dir.ts';
import type { Repository } from './repository/repository.ts';
import { find, resolve, type Wanted } from './repository/revisions.ts';
import { assertKnownStates } from './repository/states/assert.ts';
import type { TrustState } from './repository/trust.ts';
import { carry, isCarried } from './run/carry.ts';
import type { Command } from './run/command.ts';
import type { Git } from './run/git.ts';
import type { Oid } from './run/oid.ts';
import type { Place } from './run/place.ts';
import { type Finished, type RunOptions, run, type Streamed, stream } from './run/run.ts';
import { verbs } from './run/verbs.ts';

/** The options that a call may add to a run; the repository's own settings take precedence. */
export type CallOptions = Omit<RunOptions, 'place' | 'signal'>;

interface Parts {
  readonly git: Git;
  readonly repository: Repository;
  readonly audit: Audit;
  readonly state: TrustState;
  readonly objects: Objects;
  readonly signal: AbortSignal;
}

/** A repository for the time of one call: seen inside the boundary, its configuration audited. */
export class Opened {
  /** its top level, or its git dir where it is bare */
  readonly shown: string;
  readonly repository: Repository;
  readonly audit: Audit;
  readonly state: TrustState;
  readonly objects: Objects;
  readonly git: Git;
  readonly #confined: Confined;
  /** ends with the call */
  readonly signal: AbortSignal;

  constructor({ git, repository, audit, state, objects, signal }: Parts) {
    this.shown = repository.place.workTree ?? repository.place.gitDir;
    this.git = git;
    this.repository = repository;
    this.audit = audit;
    this.state = state;
    this.objects = objects;
    this.signal = signal;
    this.#confined = { git, repository, given: audit.given };
  }

  /** Runs git here to its end; what the repository configures to run does not, unless it is trusted. */
  async run(command: Command, options: CallOptions = {}): Promise<Finished> {
    const { git } = this;
    const start = (place: Place): Promise<Finished> => {
      const all = { ...options, place, signal: this.signal };
      return isCarried(command, place) ? carry(git, command, all) : run(git, command, all);
    };
    const { writes, acts } = verbs[command.verb];
    if (!writes || this.state === 'trusted') return start(this.#place(command));
    if (acts) this.assertActs();
    return runConfined(this.#confined, command.verb, start);
  }

  /** Refuses state files that git itself did not write, unless the repository is trusted. */
  assertActs(): void {
    if (this.state !== 'trusted') assertKnownStates(this.repository);
  }

  /** The same with its output as it comes, for verbs that only read. */
  stream(command: Command, options: Omit<CallOptions, 'maxBytes' | 'onStdout'> = {}): Streamed {
    return stream(this.git, command, { ...options, place: this.#place(command), signal: this.signal });
  }

  /**
   * Returns the settings that count here, in their order. Addresses that git is kept from are among them: a tool refuses
   * what they lead to, with the reason.
   */
  async config(): Promise<ConfigEntry[]> {
    const { stdout } = await this.run(configList());
    const entries = parseConfigList(stdout);
    if (this.state === 'trusted') return entries;
    const kept = this.repository.settings.ignored.filter(({ key }) => whatOf(key) === 'transport');
    return [...entries, ...kept.map((setting) => ({ ...setting, file: undefined }))];
  }

  /** The object that a revision of the caller's stands for. */
  resolve(revision: string, wanted?: Wanted): Promise<Oid> {
    return resolve(this.objects, revision, wanted, this.signal);
  }

  /** The same with its type and size. */
  find(revision: string, wanted?: Wanted): Promise<ObjectInfo> {
    return find(this.objects, revision, wanted, this.signal);
  }

  #place({ verb }: Command): Place {
    const { place, top } = this.repository;
    if (this.state === 'trusted') {
      const safe = isOwnRepository(this.repository) ? undefined : this.shown;
      return { ...place, byHand: top, safe };
    }
    return readingPlace(this.repository, this.#confined.given, verbs[verb].heads);
  }
}
