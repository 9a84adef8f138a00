import { isInside, type Scope } from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';
import { Opened } from './opened.ts';
import { type Audit, auditOf } from './repository/audit.ts';
import { type FindLimits, type Found, findRepositories } from './repository/find.ts';
import { realOf } from './repository/named.ts';
import { Objects } from './repository/objects.ts';
import { openRepository } from './repository/open.ts';
import { write } from './repository/queue.ts';
import type { Repository } from './repository/repository.ts';
import { configOf, Trust } from './repository/trust.ts';
import { findGit, type Git } from './run/git.ts';

/** What the operator permits. */
export interface RepositoriesOptions {
  /** the operator's roots: what is in them is input, and no program is taken from there */
  readonly roots: readonly string[];
  /** paths of repositories that may execute what they configure */
  readonly trusted: readonly string[];
  /** git dirs outside the roots that linked worktrees may use */
  readonly commonDirs: readonly string[];
}

/** More than these do not keep a process. */
const MOST_KEPT = 32;

/** What one repository keeps between calls. */
interface Kept {
  readonly objects: Objects;
  /** what the last call saw */
  audit: Audit;
}

/** The repositories that calls work with. Each call opens its own anew; what is expensive is kept between them. */
export class Repositories {
  readonly #roots: readonly string[];
  readonly #commonDirs: readonly string[];
  readonly #trust: Trust;
  /** by identity, the least recently used first */
  readonly #kept = new Map<string, Kept>();
  #git: Git | undefined;

  constructor({ roots, trusted, commonDirs }: RepositoriesOptions) {
    this.#roots = roots;
    this.#trust = new Trust(trusted);
    this.#commonDirs = commonDirs;
  }

  /** Looked for when it is first needed: a server starts without git, too. */
  get git(): Git {
    this.#git ??= findGit({ trusts: (folder) => !holdsInput(this.#roots, folder) });
    return this.#git;
  }

  /**
   * Works with the repository that holds a path; without a path, with the one that the roots hold. What came of it is
   * withheld when another repository is there afterwards: git opens paths, not handles.
   */
  async use<T>(
    scope: Scope,
    path: string | undefined,
    signal: AbortSignal,
    work: (opened: Opened) => Promise<T>,
  ): Promise<T> {
    const shown = path ?? onlyRoot(scope);
    const repository = this.#open(scope, shown);
    const audit = await auditOf(this.git, repository, signal);
    const state = this.#trust.stateOf(repository, audit);
    const { objects } = this.#keep(repository, audit);
    const result = await work(new Opened({ git: this.git, repository, audit, state, objects, signal }));
    if (this.#open(scope, shown).identity === repository.identity) return result;
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
    const before = this.#open(scope, shown);
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

  find(scope: Scope, limits: FindLimits): Promise<Found> {
    return findRepositories(scope, this.#allowed(), limits);
  }

  async close(): Promise<void> {
    const kept = [...this.#kept.values()];
    this.#kept.clear();
    await Promise.all(kept.map(({ objects }) => objects.close()));
  }

  #open(scope: Scope, path: string): Repository {
    return openRepository(scope, path, this.#allowed());
  }

  /** Common dirs where they are now: one may be named by a link, or come later. */
  #allowed(): { commonDirs: readonly string[] } {
    return { commonDirs: this.#commonDirs.map(realOf).filter((path) => path !== undefined) };
  }

  #keep(repository: Repository, audit: Audit): Kept {
    const { identity } = repository;
    let kept = this.#kept.get(identity);
    if (kept === undefined) {
      const own: Kept = {
        audit,
        // no trust is needed to read objects
        objects: new Objects({
          git: this.git,
          repository,
          config: () => configOf(own.audit, 'untrusted', 'cat-file'),
        }),
      };
      kept = own;
    }
    kept.audit = audit;
    this.#kept.delete(identity);
    this.#kept.set(identity, kept);
    if (this.#kept.size > MOST_KEPT) this.#forget();
    return kept;
  }

  /** Lets go of what was not used for longest; its process ends by itself after what it is asked now. */
  #forget(): void {
    const [oldest] = this.#kept;
    if (oldest === undefined) return;
    this.#kept.delete(oldest[0]);
    void oldest[1].objects.close();
  }
}

/** Whether a folder of PATH is in a root, as npx has it; a root that holds Node itself could replace that too. */
function holdsInput(roots: readonly string[], folder: string): boolean {
  const real = realOf(folder) ?? folder;
  return roots.some((path) => {
    const root = realOf(path) ?? path;
    return isInside(real, root) && !isInside(process.execPath, root);
  });
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

function onlyRoot({ roots, reason }: Scope): string {
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
