import { lstatSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { denied, fromSystem, isNotFound, notFound, refuse, stays } from '../scope/refusal.ts';
import type { Scope } from '../scope/scope.ts';
import { backendOf } from '../verifying/backend.ts';
import type { Sighting } from '../verifying/handle.ts';
import { type OpenDirectory, openFolderAt } from './directories.ts';
import { candidatesOf, namesFolder, placeAfterMiss, splitPlace } from './paths.ts';
import { isStagingPath } from './temporary.ts';

/** The place of an entry that exists or will be created: a verified folder, open, and a name in it. */
export interface Place {
  readonly folder: OpenDirectory;
  readonly name: string;
  /** its real path */
  readonly path: string;
  /** the facts of the entry there now, undefined for none */
  readonly stat: Stats | undefined;
}

/** Returns the one place that a path means: the first root in which it exists, otherwise the first root. */
export function choose(
  scope: Scope,
  path: string,
  follow: boolean,
  refusal = denied,
): { candidate: string; seen: Sighting | undefined } {
  const candidates = candidatesOf(scope, path, refusal);
  const backend = backendOf(scope);
  for (const candidate of candidates) {
    const seen = sightIfAny(candidate);
    if (seen !== undefined) return { candidate, seen };
  }
  const candidate = placeAfterMiss(scope, path, candidates);
  return { candidate, seen: candidates.includes(candidate) ? undefined : sightIfAny(candidate) };

  function sightIfAny(place: string): Sighting | undefined {
    try {
      return backend.sight(scope, place, path, follow);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      return undefined;
    }
  }
}

/**
 * Opens the place of a writable entry; a final link inside the boundary leads to its target when it is to be followed.
 */
export function openPlace(scope: Scope, displayPath: string, follow: boolean): Place {
  const { candidate, seen } = choose(scope, displayPath, follow);
  const real = seen?.path ?? candidate;
  if (scope.isRoot(real)) throw stays(displayPath, 'a root itself is not replaced, moved or deleted');
  const { folder: parent, name } = splitPlace(real);
  const folder = openFolderAt(scope, parent, displayPath);
  try {
    // the folder must still be where the entry was seen
    if (seen !== undefined && folder.path !== parent) throw refuse('changed', displayPath);
    const path = join(folder.path, name);
    assertWritable(scope, path, displayPath);
    const stat = lstatSync(folder.child(name), { throwIfNoEntry: false });
    // a link that leads nowhere, or outside: the caller learns neither
    if (follow && stat?.isSymbolicLink()) throw notFound(displayPath);
    return { folder, name, path, stat };
  } catch (error) {
    folder.close();
    throw fromSystem(error, displayPath);
  }
}

/** Throws for a path that ends in a separator where the entry is no folder. */
export function assertEnding(path: string, stat: Stats): void {
  if (namesFolder(path) && !stat.isDirectory())
    throw refuse('not-a-directory', path, 'leave out the separator at the end');
}

/** Throws for a place in a read-only root, for a denied one, and for a temporary one, which is nobody's. */
export function assertWritable(scope: Scope, real: string, displayPath: string): void {
  if (scope.hides(real) || isStagingPath(real)) throw denied(displayPath);
  if (scope.rootOf(real)?.readOnly)
    throw refuse('read-only', displayPath, 'this root was given as read-only');
}
