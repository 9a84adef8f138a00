import { isInside, type Scope } from '@rootbound/kit/boundary';
import { LruMap } from '@rootbound/kit/primitives';
import { realOf } from '../repository/named.ts';
import { findGit, type Git } from '../run/git.ts';

/** Sets of roots that are cached; few are used in turn. */
const MOST_KEPT = 64;

/**
 * Finds the git that runs for a call, outside the roots of the operator and of the client: files in the roots are
 * input, so neither git nor a program that git starts is taken from there.
 */
export class Programs {
  readonly #roots: readonly string[];
  /** by the roots for which it was found */
  readonly #found = new LruMap<string, Git>(MOST_KEPT);
  /** by its path and its PATH: the same for all scopes is the same object */
  readonly #known = new Map<string, Git>();

  constructor(roots: readonly string[]) {
    this.#roots = roots;
  }

  /** Finds git when it is first needed: a server starts without git, too. */
  gitFor({ roots }: Pick<Scope, 'roots'>): Git {
    const all = [...this.#roots, ...roots.map(({ real }) => real)];
    const key = all.join('\0');
    const before = this.#found.get(key);
    if (before !== undefined) return before;
    const found = findGit({ trusts: (folder) => !holdsInput(all, folder) });
    const where = `${found.path}\0${found.environment.PATH}`;
    const git = this.#known.get(where) ?? found;
    this.#found.set(key, git);
    this.#known.set(where, git);
    return git;
  }
}

/**
 * Returns whether a folder is in a root, as npx puts some on PATH; a root that holds Node itself could replace that
 * too.
 */
function holdsInput(roots: readonly string[], folder: string): boolean {
  const real = realOf(folder) ?? folder;
  return roots.some((path) => {
    const root = realOf(path) ?? path;
    return isInside(real, root) && !isInside(process.execPath, root);
  });
}
