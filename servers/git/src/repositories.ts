import { notFound, type Scope } from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';
import { Opened } from './opened.ts';
import { Programs } from './programs.ts';
import { type Audit, auditOf } from './repository/audit.ts';
import { isDeniedRepository } from './repository/files.ts';
import { type FindLimits, type Found, findRepositories } from './repository/find.ts';
import { realOf } from './repository/named.ts';
import { Objects } from './repository/objects.ts';
import { openRepository } from './repository/open.ts';
import { assertOwn, isOwnRepository } from './repository/owner.ts';
import { readingPlace } from './repository/private-dir.ts';
import { tellingLocks, write } from './repository/queue.ts';
import type { Repository } from './repository/repository.ts';
import { Trust, type TrustState } from './repository/trust.ts';
import type { Git } from './run/git.ts';

/** The operator's permissions. */
export interface RepositoriesOptions {
  /** the operator's roots: what is in them is input, and no program is taken from there */
  readonly roots: readonly string[];
  /** paths of repositories that may execute what they configure */
  readonly trusted: readonly string[];
  /** git dirs outside the roots that linked worktrees may use */
  readonly commonDirs: readonly string[];
  /** called when a repository becomes trusted, is no longer, or waits for it */
  readonly onTrust?: () => void;
}

/** The state that the calls of all owners share. */
interface Shared {
  readonly trust: Trust;
  /** by identity and git, the least recently used first */
  readonly kept: Map<string, Kept>;
  readonly programs: Programs;
}

/** More than these do not keep a process. */
const MOST_KEPT = 32;

/** The state of one repository between calls. */
interface Kept {
  readonly objects: Objects;
  /** what the last call saw */
  audit: Audit;
}

/** The repositories that calls work with. Each call opens its own anew; what is expensive is kept between them. */
export class Repositories {
  readonly #options: RepositoriesOptions;
  readonly #owner: string;
  readonly #shared: Shared;

  constructor(options: RepositoriesOptions, owner = '', shared?: Shared) {
    this.#options = options;
    this.#owner = owner;
    const { trusted, onTrust, roots } = options;
    this.#shared = shared ?? {
      trust: new Trust(trusted, onTrust),
      kept: new Map(),
      programs: new Programs(roots),
    };
  }

  /** The same for the calls of one owner: what the user of another trusts does not run in them. */
  of(owner: string): Repositories {
    return new Repositories(this.#options, owner, this.#shared);
  }

  /** Whether something waits for a user's trust, and whether there is trust that can be taken back. */
  get standing(): { readonly isAwaited: boolean; readonly isGiven: boolean } {
    return this.#shared.trust;
  }

  /** Lets a repository execute what it is set up for in the calls of this owner, for as long as that stays as it was seen. */
  trust({ repository, audit }: Opened): void {
    this.#shared.trust.grant(repository, audit, this.#owner);
  }

  /** Takes that back: how the repository stands without it. */
  distrust({ repository, audit }: Opened): TrustState {
    return this.#shared.trust.revoke(repository, audit, this.#owner);
  }

  /** The git for calls in a scope, which comes from none of its roots. */
  gitFor(scope: Scope): Git {
    return this.#shared.programs.gitFor(scope);
  }

  /**
   * Runs work in the repository that holds a path; without a path, in the one that the roots hold. Withholds the result
   * when the path leads to another repository afterwards: git opens paths, not handles.
   */
  async use<T>(
    scope: Scope,
    path: string | undefined,
    signal: AbortSignal,
    work: (opened: Opened) => Promise<T>,
  ): Promise<T> {
    const shown = path ?? onlyRoot(scope);
    const repository = this.open(scope, shown);
    const git = this.gitFor(scope);
    const { trust } = this.#shared;
    // the operator's word for a repository is theirs for whose it is
    if (!isOwnRepository(repository) && !trust.isNamed(repository)) await assertOwn(git, repository, signal);
    const audit = await auditOf(git, repository, signal);
    const state = trust.stateOf(repository, audit, this.#owner);
    const { objects } = this.#keep(git, repository, audit);
    const result = await work(new Opened({ git, repository, audit, state, objects, signal }));
    if (this.open(scope, shown).identity === repository.identity) return result;
    throw replaced('repeat the call');
  }

  /**
   * The same for work that changes the repository: after all that this process was asked to change there before.
   * Work that is done by one run of git may be repeated when that met a lock; other work waits for the lock first.
   */
  async change<T>(
    scope: Scope,
    path: string | undefined,
    signal: AbortSignal,
    work: (opened: Opened) => Promise<T>,
    { repeatable = false }: { readonly repeatable?: boolean } = {},
  ): Promise<T> {
    const shown = path ?? onlyRoot(scope);
    const before = this.open(scope, shown);
    if (before.readOnly) throw readOnly();
    const turn = (): Promise<T> =>
      this.use(scope, shown, signal, (opened) => {
        const { commonIdentity, readOnly: closed } = opened.repository;
        if (closed) throw readOnly();
        if (commonIdentity !== before.commonIdentity) throw replaced('nothing was done; repeat the call');
        return work(opened);
      });
    return write(before, turn, { signal, once: !repeatable });
  }

  /**
   * The same for a transfer: it writes objects and refs, each under git's own lock. It takes no turn, in which a slow
   * other side would keep all changes waiting.
   */
  transfer<T>(
    scope: Scope,
    path: string | undefined,
    signal: AbortSignal,
    work: (opened: Opened) => Promise<T>,
  ): Promise<T> {
    return this.use(scope, path, signal, (opened) => {
      if (opened.repository.readOnly) throw readOnly();
      return tellingLocks(opened.repository, () => work(opened));
    });
  }

  find(scope: Scope, limits: FindLimits): Promise<Found> {
    return findRepositories(scope, this.#allowed(), limits);
  }

  async close(): Promise<void> {
    const kept = [...this.#shared.kept.values()];
    this.#shared.kept.clear();
    await Promise.all(kept.map(({ objects }) => objects.close()));
  }

  /** The repository that holds a path, as it is now; nothing of it is kept. */
  open(scope: Scope, path: string): Repository {
    const repository = openRepository(scope, path, this.#allowed());
    if (isDeniedRepository(scope, repository)) throw notFound(path);
    return repository;
  }

  /** Common dirs where they are now: one may be named by a link, or come later. */
  #allowed(): { commonDirs: readonly string[] } {
    return { commonDirs: this.#options.commonDirs.map(realOf).filter((path) => path !== undefined) };
  }

  #keep(git: Git, repository: Repository, audit: Audit): Kept {
    // one that was moved is the same, but no longer there
    const key = `${repository.identity}\0${repository.place.gitDir}\0${git.path}\0${git.environment.PATH}`;
    let kept = this.#shared.kept.get(key);
    if (kept === undefined) {
      const own: Kept = {
        audit,
        // no trust is needed to read objects
        objects: new Objects({
          git,
          repository,
          place: () => readingPlace(repository, own.audit.given),
        }),
      };
      kept = own;
    }
    kept.audit = audit;
    this.#shared.kept.delete(key);
    this.#shared.kept.set(key, kept);
    if (this.#shared.kept.size > MOST_KEPT) this.#forget();
    return kept;
  }

  /** Lets go of what was not used for longest; its process ends by itself after what it is asked now. */
  #forget(): void {
    const [oldest] = this.#shared.kept;
    if (oldest === undefined) return;
    this.#shared.kept.delete(oldest[0]);
    void oldest[1].objects.close();
  }
}

function replaced(hint: string): ToolError {
  return new ToolError('the repository was replaced by another during the call', {
    code: 'changed',
    retryable: true,
    hint,
  });
}

function readOnly(): ToolError {
  return new ToolError('the repository is in a root that may only be read', { code: 'read-only' });
}

/** The path of a call that names none. */
export function onlyRoot({ roots, reason }: Scope): string {
  if (roots.length === 1) return roots[0]!.path;
  throw new ToolError(
    roots.length === 0
      ? `nothing is allowed: ${reason}`
      : 'repo_path is missing, and there is more than one root',
    {
      code: roots.length === 0 ? 'no-roots' : 'invalid-arguments',
      hint: 'git_repositories lists what there is',
    },
  );
}
