import type { Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Scope } from '@rootbound/kit/boundary';
import { entryAt } from './links.ts';

/**
 * Returns the way from the root that holds a folder to a folder above it that has a `.git`; undefined where there is
 * none. Nothing above a root is opened: whether that entry exists is all that a caller learns.
 */
export function repositoryAbove(roots: Scope, path: string): string | undefined {
  const root = roots.rootOf(path);
  if (root === undefined) return undefined;
  let way = '..';
  for (let folder = dirname(root.real); ; folder = dirname(folder), way = join(way, '..')) {
    // a larger root around this one was searched
    if (roots.rootOf(folder) === undefined && dotGitIn(folder) !== undefined) return way;
    if (folder === dirname(folder)) return undefined;
  }
}

function dotGitIn(folder: string): Stats | undefined {
  try {
    return entryAt(join(folder, '.git'));
  } catch {
    // not readable for this user, so git would not find it either
    return undefined;
  }
}
