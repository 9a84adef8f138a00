import { mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { textOf } from '../names/bytes.ts';
import { type OpenDirectory, openFolderAt } from '../opening/directories.ts';
import { assertWritable, choose } from '../opening/places.ts';
import { fromSystem, isNotFound, notFound, refuse, systemCode } from '../scope/refusal.ts';
import type { Scope } from '../scope/scope.ts';
import { syncFolder } from './install.ts';
import { perform, type Work } from './work.ts';

export interface Made {
  /** false when it existed already */
  readonly created: boolean;
  /** its real path */
  readonly path: string;
}

/** Creates a folder and missing ones above it; returns whether anything was created. */
export function makeDirectory(
  scope: Scope,
  path: string,
  options: { readonly fsync?: boolean | undefined } = {},
): Made | Promise<Made> {
  const { candidate, seen } = choose(scope, path, true);
  if (seen !== undefined) {
    if (!seen.stat.isDirectory()) throw refuse('not-a-directory', path, 'a file has this name');
    return { created: false, path: seen.path };
  }
  return perform(makeFolders(scope, candidate, path, options.fsync), {});
}

/** Creates the folders of a place that `candidatesOf` gave, one by one from the deepest that exists. */
export function* makeFolders(
  scope: Scope,
  candidate: string,
  displayPath: string,
  fsync: boolean | undefined,
): Work<Made> {
  const missing: string[] = [];
  let place = candidate;
  let folder = tryOpen(scope, place, displayPath);
  while (folder === undefined) {
    if (scope.isRoot(place) || dirname(place) === place) throw notFound(displayPath);
    missing.push(basename(place));
    place = dirname(place);
    folder = tryOpen(scope, place, displayPath);
  }
  const created = missing.length > 0;
  try {
    for (let name = missing.pop(); name !== undefined; name = missing.pop()) {
      assertWritable(scope, join(folder.path, name), displayPath);
      const path = folder.child(name);
      try {
        mkdirSync(path);
      } catch (error) {
        // created by another process meanwhile, or a link to nothing: opening it decides
        if (systemCode(error) !== 'EEXIST') throw error;
      }
      const next = openFolderAt(scope, textOf(path), displayPath);
      const above = folder;
      folder = next;
      try {
        if (fsync) yield* syncFolder(above);
      } finally {
        above.close();
      }
    }
    return { created, path: folder.path };
  } catch (error) {
    throw fromSystem(error, displayPath);
  } finally {
    folder.close();
  }
}

function tryOpen(scope: Scope, candidate: string, displayPath: string): OpenDirectory | undefined {
  try {
    return openFolderAt(scope, candidate, displayPath);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
