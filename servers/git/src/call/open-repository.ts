import { type ConfigEntry, configList, parseConfigList } from '../porcelain/config-list.ts';
import type { ObjectInfo } from '../repository/answers.ts';
import type { Audit } from '../repository/audit.ts';
import { type Confined, runConfined } from '../repository/confined-run.ts';
import { whatOf } from '../repository/executing.ts';
import type { Objects } from '../repository/objects.ts';
import { isOwnRepository } from '../repository/owner.ts';
import { readingPlace } from '../repository/private-dir.ts';
import type { Repository } from '../repository/repository.ts';
import { find, resolve, type Wanted } from '../repository/revisions.ts';
import { assertKnownStates } from '../repository/states/assert.ts';
import type { TrustState } from '../repository/trust.ts';
import { carry, isCarried } from '../run/carry.ts';
import type { Command } from '../run/command.ts';
import type { Git } from '../run/git.ts';
import type { Oid } from '../run/oid.ts';
import { type Finished, type RunOptions, run, type Streamed, stream } from '../run/run.ts';
import { verbs } from '../run/verbs.ts';
import type { Place } from '../run/work-place.ts';

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

/** An open repository during one call: inside the boundary, with its configuration audited. */
export class Opened {
  /** its top level, or the git dir of a bare repository */
  readonly displayPath: string;
  readonly repository: Repository;
  readonly audit: Audit;
  readonly state: TrustState;
  readonly objects: Objects;
  readonly git: Git;
  readonly #confined: Confined;
  /** aborted when the call ends */
  readonly signal: AbortSignal;

  constructor({ git, repository, audit, state, objects, signal }: Parts) {
    this.displayPath = repository.place.workTree ?? repository.place.gitDir;
    this.git = git;
    this.repository = repository;
    this.audit = audit;
    this.state = state;
    this.objects = objects;
    this.signal = signal;
    this.#confined = { git, repository, given: audit.given };
  }

  /** Runs git to its end; programs that the repository configures do not run, unless it is trusted. */
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

  /** Throws for state files that git itself did not write, unless the repository is trusted. */
  assertActs(): void {
    if (this.state !== 'trusted') assertKnownStates(this.repository);
  }

  /** Runs git and streams its output, for verbs that only read. */
  stream(command: Command, options: Omit<CallOptions, 'maxBytes' | 'onStdout'> = {}): Streamed {
    return stream(this.git, command, { ...options, place: this.#place(command), signal: this.signal });
  }

  /**
   * Returns the effective settings in their order. Addresses that git may not use are among them: the tool then refuses
   * them with the reason.
   */
  async config(): Promise<ConfigEntry[]> {
    const { stdout } = await this.run(configList());
    const entries = parseConfigList(stdout);
    if (this.state === 'trusted') return entries;
    const kept = this.repository.settings.ignored.filter(({ key }) => whatOf(key) === 'transport');
    return [...entries, ...kept.map((setting) => ({ ...setting, file: undefined }))];
  }

  /** Resolves a revision of the caller to an object. */
  resolve(revision: string, wanted?: Wanted): Promise<Oid> {
    return resolve(this.objects, revision, wanted, this.signal);
  }

  /** Resolves a revision of the caller to an object with its type and size. */
  find(revision: string, wanted?: Wanted): Promise<ObjectInfo> {
    return find(this.objects, revision, wanted, this.signal);
  }

  #place({ verb }: Command): Place {
    const { place, top } = this.repository;
    if (this.state === 'trusted') {
      const safe = isOwnRepository(this.repository) ? undefined : this.displayPath;
      return { ...place, byHand: top, safe };
    }
    return readingPlace(this.repository, this.#confined.given, verbs[verb].heads);
  }
}
