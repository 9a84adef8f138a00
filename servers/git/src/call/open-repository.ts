import type { ToolError } from '@rootbound/protocol';
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
import { failureOf } from '../run/failure.ts';
import type { Git } from '../run/git.ts';
import type { Oid } from '../run/oid.ts';
import { type Finished, type RunOptions, run, type Streamed, stream } from '../run/run.ts';
import type { Hook } from '../run/verb-rule.ts';
import { verbs } from '../run/verbs.ts';
import type { Place } from '../run/work-place.ts';
import { assertTrusted, hooksOf, hooksOff, plainName } from './hooks.ts';

/** The options that a call may add to a run; the repository's own settings take precedence. */
export type CallOptions = Omit<RunOptions, 'hooks' | 'place' | 'signal'>;

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
  /** the hooks of the runs of this call */
  readonly #hooks = new Set<string>();
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
    for (const hook of hooksOf(command, this)) this.#hooks.add(hook);
    const hooks = this.#hooksToRun(command);
    const start = (place: Place): Promise<Finished> => {
      const all = { ...options, place, signal: this.signal, hooks };
      return isCarried(command, place) ? carry(git, command, all) : run(git, command, all);
    };
    const { writes, acts } = verbs[command.verb];
    if (!writes || this.state === 'trusted') return start(this.#place(command));
    assertTrusted(command, this);
    if (acts) this.assertActs();
    return runConfined(this.#confined, command.verb, start);
  }

  /** Returns the failure of a run whose status the caller has taken. */
  failureOf(command: Command, { status, stdout, stderr }: Finished): ToolError {
    const { place } = this.repository;
    const { verb, args } = command;
    return failureOf({ verb, args, place, hooks: this.#hooksToRun(command) }, status, stdout, stderr);
  }

  /** Returns whether a run of this call had a hook to run, and ran it. */
  ran(hook: Hook): boolean {
    return this.state === 'trusted' && [...this.#hooks].some((name) => plainName(name) === hook);
  }

  /** Returns whether a run of this call had hooks to run. */
  get hasHooks(): boolean {
    return this.#hooks.size > 0;
  }

  /** Returns a notice of the hooks that the runs of this call left out; undefined where there were none. */
  get hooksOff(): string | undefined {
    return hooksOff(this.#hooks, this);
  }

  /** Throws for state files that git itself did not write, unless the repository is trusted. */
  assertActs(): void {
    if (this.state !== 'trusted') assertKnownStates(this.repository);
  }

  /** Throws for a command without the hooks and settings for which the repository was trusted, as they have changed. */
  assertTrusted(command: Command): void {
    assertTrusted(command, this);
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

  #hooksToRun(command: Command): string[] {
    return this.state === 'trusted' ? hooksOf(command, this) : [];
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
