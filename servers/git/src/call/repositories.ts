import { notFound, type Scope, showPath } from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';
import { type Audit, auditOf } from '../repository/audit.ts';
import { isDeniedRepository } from '../repository/files.ts';
import { type FindLimits, type Found, findRepositories } from '../repository/find.ts';
import { realOf } from '../repository/named.ts';
import { Objects } from '../repository/objects.ts';
import { openRepository } from '../repository/open.ts';
import { assertOwn, isOwnRepository } from '../repository/owner.ts';
import { readingPlace } from '../repository/private-dir.ts';
import { tellingLocks, write } from '../repository/queue.ts';
import type { Repository } from '../repository/repository.ts';
import { Trust, type TrustState } from '../repository/trust.ts';
import type { Git } from '../run/git.ts';
import { Opened } from './open-repository.ts';
import { Programs } from './programs.ts';

/** The operator's permissions. */
export interface RepositoriesOptions {
  /** the operator's roots: their files are input, so no program is taken from there */
  readonly roots: readonly string[];
  /** paths of repositories that may execute what they configure */
  readonly trusted: readonly string[];
  /** git dirs outside the roots that linked work trees may use */
  readonly commonDirs: readonly string[];
  /** called when a repository becomes trusted or untrusted, or waits for trust */
  readonly onTrust?: () => void;
}

/** The state that the calls of all owners share. */
interface Shared {
  readonly trust: Trust;
  /** by identity and git, the least recently used first */
  readonly kept: Map<string, Kept>;
  readonly programs: Programs;
}

/** Repositories that keep a process at most. */
const MOST_KEPT = 32;

/** The state of one repository between calls. */
interface Kept {
  readonly objects: Objects;
  /** the state at the last call */
  audit: Audit;
}

/** A repository with the path that opens it. */
interface Located {
  readonly displayPath: string;
  readonly repository: Repository;
}

/** Repositories that a failure names, at most. */
const MOST_NAMED = 5;

/** The repositories of all calls. Each call opens its own anew; expensive parts are cached between calls. */
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

  /**
   * Returns the same repositories for the calls of one owner: trust that the user of another has given does not count
   * in them.
   */
  of(owner: string): Repositories {
    return new Repositories(this.#options, owner, this.#shared);
  }

  /** Returns whether a repository waits for a user's trust, and whether trust can be withdrawn. */
  get standing(): { readonly isAwaited: boolean; readonly isGiven: boolean } {
    return this.#shared.trust;
  }

  /** Trusts a repository in the calls of this owner, as long as its programs stay as they are. */
  trust({ repository, audit }: Opened): void {
    this.#shared.trust.grant(repository, audit, this.#owner);
  }

  /** Withdraws that trust and returns the state without it. */
  distrust({ repository, audit }: Opened): TrustState {
    return this.#shared.trust.revoke(repository, audit, this.#owner);
  }

  /** Returns the git for calls in a scope, which comes from none of its roots. */
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
    const { displayPath, repository } = await this.#openFor(scope, path, signal);
    const git = this.gitFor(scope);
    const { trust } = this.#shared;
    // the operator's trust is for the operator's own repository
    if (!isOwnRepository(repository) && !trust.isNamed(repository)) await assertOwn(git, repository, signal);
    const audit = await auditOf(git, repository, signal);
    await this.#seeNamed(scope, repository, signal);
    const state = trust.stateOf(repository, audit, this.#owner);
    const { objects } = this.#keep(git, repository, audit);
    const result = await work(new Opened({ git, repository, audit, state, objects, signal }));
    if (this.open(scope, displayPath).identity === repository.identity) return result;
    throw replaced('repeat the call');
  }

  /**
   * Runs work that changes the repository, after all changes that this process was asked for before. Work of a single
   * run of git may be repeated when that met a lock; other work waits for the lock first.
   */
  async change<T>(
    scope: Scope,
    path: string | undefined,
    signal: AbortSignal,
    work: (opened: Opened) => Promise<T>,
    { repeatable = false }: { readonly repeatable?: boolean } = {},
  ): Promise<T> {
    const { displayPath, repository: before } = await this.#openFor(scope, path, signal);
    if (before.readOnly) throw readOnly();
    const turn = (): Promise<T> =>
      this.use(scope, displayPath, signal, (opened) => {
        const { commonIdentity, readOnly: closed } = opened.repository;
        if (closed) throw readOnly();
        if (commonIdentity !== before.commonIdentity) throw replaced('nothing was done; repeat the call');
        return work(opened);
      });
    return write(before, turn, { signal, once: !repeatable });
  }

  /**
   * Runs a transfer, which writes objects and refs, each under git's own lock. It takes no turn: a slow other side
   * would block all changes.
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

  /** Opens the repository that holds a path, as it is now; nothing of it is cached. */
  open(scope: Scope, path: string): Repository {
    const repository = openRepository(scope, path, this.#allowed());
    if (isDeniedRepository(scope, repository)) throw notFound(path);
    return repository;
  }

  /** Opens the repository of a call: without a path, the only one of the roots. */
  async #openFor(scope: Scope, path: string | undefined, signal: AbortSignal): Promise<Located> {
    if (path !== undefined) return { displayPath: path, repository: this.open(scope, path) };
    const [root, ...others] = scope.roots;
    if (root === undefined) throw noRoots(scope);
    if (others.length === 0) {
      try {
        return { displayPath: root.path, repository: this.open(scope, root.path) };
      } catch (error) {
        if (!(error instanceof ToolError) || error.code !== 'not-a-repository') throw error;
      }
    }
    const displayPath =
      onlyOf(await this.find(scope, { nested: false, count: MOST_NAMED, signal })) ?? root.path;
    return { displayPath, repository: this.open(scope, displayPath) };
  }

  /** Returns the permitted common dirs by their real paths now: a link may lead to one, or it may appear later. */
  #allowed(): { commonDirs: readonly string[] } {
    return { commonDirs: this.#options.commonDirs.map(realOf).filter((path) => path !== undefined) };
  }

  /** Opens the work tree by which the operator has named a repository, whose programs the others may execute, too. */
  async #seeNamed(scope: Scope, repository: Repository, signal: AbortSignal): Promise<void> {
    const { trust } = this.#shared;
    for (const path of trust.unseenFor(repository)) {
      const named = this.#openNamed(scope, path);
      if (named?.commonIdentity !== repository.commonIdentity || !trust.isNamed(named)) continue;
      trust.stateOf(named, await auditOf(this.gitFor(scope), named, signal), this.#owner);
    }
  }

  #openNamed(scope: Scope, path: string): Repository | undefined {
    try {
      return this.open(scope, path);
    } catch (error) {
      // outside the scope of the call, or gone: nothing is known of its programs
      if (error instanceof ToolError) return undefined;
      throw error;
    }
  }

  #keep(git: Git, repository: Repository, audit: Audit): Kept {
    // a repository that was moved has the same identity at another path
    const key = `${repository.identity}\0${repository.place.gitDir}\0${git.path}\0${git.environment.PATH}`;
    let kept = this.#shared.kept.get(key);
    if (kept === undefined) {
      const own: Kept = {
        audit,
        // reading objects needs no trust
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

  /** Closes the least recently used repository; its process ends after the requests that it has. */
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

/** Returns the path of the only repository that was found; undefined when there is none. */
function onlyOf({ repositories, refused, truncated }: Found): string | undefined {
  const paths = [...repositories.map(({ top }) => top), ...refused.map(({ path }) => path)];
  const [only] = paths;
  if (paths.length <= 1 && !truncated) return only;
  const named = paths.map(showPath).join(', ');
  const more = truncated ? ', perhaps with others' : '';
  throw new ToolError(`repo_path is missing, and the roots hold more than one repository: ${named}${more}`, {
    code: 'invalid-arguments',
    hint: 'give one as repo_path; git_repositories lists all',
  });
}

/** Returns the default folder of a call that makes a repository. */
export function onlyRoot(scope: Scope): string {
  const [root, ...others] = scope.roots;
  if (root === undefined) throw noRoots(scope);
  if (others.length === 0) return root.path;
  throw new ToolError('repo_path is missing, and there is more than one root', {
    code: 'invalid-arguments',
    hint: 'git_repositories lists the repositories',
  });
}

function noRoots({ reason }: Scope): ToolError {
  return new ToolError(`no path is allowed: ${reason}`, {
    code: 'no-roots',
    hint: 'git_repositories lists the repositories',
  });
}
