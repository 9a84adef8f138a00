import { join, relative, sep } from 'node:path';
import { isNotFound, notFound } from '../scope/refusal.ts';
import type { Scope } from '../scope/scope.ts';
import { backendOf } from '../verifying/backend.ts';
import type { Sighting } from '../verifying/handle.ts';
import { choose } from './places.ts';

export interface Watched {
  /** the real path to watch, under which events arrive */
  readonly path: string;
  readonly exists: boolean;
}

/**
 * Returns the real path behind a caller's path, for a watcher that takes paths; a missing one is placed in its real
 * folder.
 */
export function locate(scope: Scope, path: string): Watched {
  const { candidate, seen } = choose(scope, path, true, notFound);
  if (seen !== undefined) return { path: seen.path, exists: true };
  const root = scope.rootOf(candidate)?.real;
  const names = root === undefined ? '' : relative(root, candidate);
  if (root === undefined || names === '') throw notFound(path);
  return { path: placeBelow(scope, root, names.split(sep), path), exists: false };
}

/** Returns the place of a missing path: its names below the last existing folder on the way. */
function placeBelow(scope: Scope, root: string, names: readonly string[], displayPath: string): string {
  let folder = root;
  for (const [index, name] of names.entries()) {
    const place = join(folder, name);
    const seen = sightOf(scope, place, displayPath, true);
    if (seen !== undefined) {
      folder = seen.path;
      continue;
    }
    // a link that leads nowhere now, or outside: a watcher would follow it
    if (sightOf(scope, place, displayPath, false) !== undefined) break;
    const real = join(folder, ...names.slice(index));
    if (scope.hides(real)) break;
    return real;
  }
  throw notFound(displayPath);
}

/** Returns the facts of the entry at a place inside the boundary, undefined when there is none. */
export function sightOf(
  scope: Scope,
  place: string,
  displayPath: string,
  follow: boolean,
): Sighting | undefined {
  try {
    return backendOf(scope).sight(scope, place, displayPath, follow);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
