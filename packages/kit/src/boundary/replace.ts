import { writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { etagOf } from './etag.ts';
import { makeFolders } from './folders.ts';
import { install } from './install.ts';
import { namesFolder } from './paths.ts';
import { choose, openPlace } from './places.ts';
import { fromSystem, notFound, refuse } from './refusal.ts';
import type { Scope } from './scope.ts';

export type Content = Buffer | string | readonly (Buffer | string)[];

export interface ReplaceOptions {
  /** the etag that the file must still have */
  ifMatch?: string;
  /** make the folders above that are missing */
  createParents?: boolean;
  /** wait until content and name are on disk */
  fsync?: boolean;
  /** refuse when anything is there */
  exclusive?: boolean;
}

export interface Written {
  readonly created: boolean;
  readonly bytes: number;
  readonly etag: string;
  /** where it really is */
  readonly path: string;
}

/**
 * Writes a whole file in one step. A final link inside the boundary leads to its target; mode and owner stay, and
 * other hard links keep the old content: they may be names outside.
 */
export function replaceFile(
  scope: Scope,
  path: string,
  content: Content,
  options: ReplaceOptions = {},
): Written {
  if (namesFolder(path)) throw refuse('not-a-file', path, 'leave out the separator at the end');
  if (options.createParents) {
    const { candidate, seen } = choose(scope, path, true);
    if (seen === undefined && !scope.isRoot(candidate)) makeFolders(scope, dirname(candidate), path);
  }
  const place = openPlace(scope, path, true);
  try {
    const { stat } = place;
    if (stat !== undefined && options.exclusive) throw refuse('exists', path);
    if (stat !== undefined && !stat.isFile()) throw refuse('not-a-file', path);
    if (options.ifMatch !== undefined) {
      if (stat === undefined) throw notFound(path);
      if (etagOf(stat) !== options.ifMatch)
        throw refuse('changed', path, 'read it again, then repeat the change');
    }
    let bytes = 0;
    const facts = install(scope, place, path, {
      fill: (fd) => {
        bytes = writeContent(fd, content);
      },
      like: stat,
      expect: options.ifMatch === undefined ? undefined : stat,
      exclusive: options.exclusive ?? false,
      fsync: options.fsync ?? false,
    });
    return { created: stat === undefined, bytes, etag: etagOf(facts), path: place.path };
  } catch (error) {
    throw fromSystem(error, path);
  } finally {
    place.folder.close();
  }
}

/** Writes content where the descriptor stands and returns how many bytes that was. */
export function writeContent(fd: number, content: Content): number {
  const parts = Array.isArray(content)
    ? (content as readonly (Buffer | string)[])
    : [content as Buffer | string];
  let total = 0;
  for (const part of parts) {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part;
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
    total += bytes.length;
  }
  return total;
}
