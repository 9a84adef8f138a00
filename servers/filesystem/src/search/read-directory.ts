import type { Directory, DirectoryAccess } from './directory.ts';
import { hasCode } from './entries.ts';
import {
  GIT_FILE,
  type OnUnread,
  OWN_FILE,
  REPOSITORY,
  REPOSITORY_FOLDER,
  readIgnores,
} from './ignore-read.ts';
import type { Ignores } from './ignores.ts';
import type { Listing } from './listing.ts';
import type { Ignoring } from './query.ts';

/** The options for reading directories: their access, the listing that collects entries, and the ignore files. */
export interface Reading {
  access: DirectoryAccess;
  listing: Listing;
  ignoring: Ignoring | undefined;
  onUnread: OnUnread;
}

/** Reads a directory into the listing; returns the ignore files that apply below it. */
export function readDirectory(
  { access, listing, ignoring, onUnread }: Reading,
  prefix: string,
  directory: Directory,
  outer: Ignores | undefined,
): Ignores | undefined {
  listing.open(prefix);
  access.list(directory, listing);
  let ignores = outer;
  if (ignoring !== undefined && listing.marks !== 0) {
    ignores = readIgnores(access, directory, ignoring.pathToRoot + prefix, listing.marks, outer, onUnread);
  }
  listing.close(ignores, (ignoring?.pathToRoot ?? '') + prefix);
  return ignores;
}

/** Reads the ignore files of the folders above the root of a search. */
export function readIgnoresAbove({ access, ignoring, onUnread }: Reading): Ignores | undefined {
  if (ignoring === undefined || ignoring.pathToRoot === '') return undefined;
  let ignores: Ignores | undefined;
  const top = access.root(ignoring.top);
  let directory = top;
  let base = '';
  try {
    for (const name of ignoring.pathToRoot.split('/').slice(0, -1)) {
      const marks = marksIn(access, directory);
      if (marks !== 0) ignores = readIgnores(access, directory, base, marks, ignores, onUnread);
      const next = access.enter(directory, name);
      if (directory !== top) access.leave(directory);
      directory = next;
      base += `${name}/`;
    }
  } catch {
    // a folder was moved meanwhile: the ignore files that were read apply
  }
  if (directory !== top) access.leave(directory);
  return ignores;
}

function marksIn(access: DirectoryAccess, directory: Directory): number {
  let marks = 0;
  if (isFile(access, directory, '.gitignore')) marks |= GIT_FILE;
  if (isFile(access, directory, '.ignore')) marks |= OWN_FILE;
  const repository = look(access, directory, '.git');
  if (repository?.isDirectory() === true) marks |= REPOSITORY_FOLDER;
  else if (repository?.isFile() === true) marks |= REPOSITORY;
  return marks;
}

function isFile(access: DirectoryAccess, directory: Directory, name: string): boolean {
  return look(access, directory, name)?.isFile() === true;
}

function look(access: DirectoryAccess, directory: Directory, name: string) {
  try {
    return access.look(directory, name);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'EACCES', 'ELOOP')) return undefined;
    throw error;
  }
}
