import type { Stats } from 'node:fs';
import { dirname, isAbsolute, join, parse } from 'node:path';
import {
  locate,
  type OpenDirectory,
  openDirectory,
  type Root,
  readSmall,
  type Scope,
  statChild,
  statEntry,
  textOfBytes,
  type Watched,
} from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';
import { isNotFound, type Look, leadsOut, malformed } from './refusals.ts';

/** Bytes that git reads at most of a file that holds a path, and the server of a configuration or a list. */
const mostBytes = 1 << 20;

/** Returns the content of a small file of a git dir; undefined when there is none. */
export function contentOf(look: Look, file: string): Buffer | undefined {
  let bytes: Buffer | undefined;
  try {
    bytes = readSmall(look.scope, file, mostBytes)?.bytes;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    // git reads it anyway
    if (look.scope.hides(file)) throw leadsOut(look, file);
    return undefined;
  }
  if (bytes === undefined)
    throw malformed(look, file, `is larger than ${mostBytes} bytes, or is being written`);
  return bytes;
}

/**
 * Returns the path that is a file's whole content, without line ends at its end. A NUL ends it for git, which has
 * looked for line ends after that NUL before; an empty path is none.
 */
export function pathIn(look: Look, file: string, bytes: Buffer): string {
  let end = bytes.length;
  while (end > 0 && (bytes[end - 1] === 10 || bytes[end - 1] === 13)) end--;
  const path = bytes.subarray(0, end);
  if (path.length === 0 || path.includes(0)) throw malformed(look, file, 'names no path');
  return textOfBytes(path);
}

/**
 * Resolves a path that is written in a file of a repository, its base being a real folder. `..` goes up from the real
 * folder of the names before it, as in the system, and not by the text: a link to the top of a root with `/..` after it
 * is outside.
 */
export function placeOf(scope: Scope, base: string, written: string): string {
  const top = isAbsolute(written) ? parse(written).root : undefined;
  let at = top ?? base;
  let real = true;
  for (const name of written.slice(top?.length ?? 0).split(separators)) {
    if (name === '' || name === '.') continue;
    if (name === '..') {
      if (!real) at = openedAt(scope, at);
      at = dirname(at);
    } else at = join(at, name);
    real = name === '..';
  }
  return at;
}

const separators = process.platform === 'win32' ? /[/\\]/ : /\//;

function openedAt(scope: Scope, folder: string): string {
  const opened = openDirectory(scope, folder);
  opened.close();
  return opened.path;
}

/** Returns the real target of `file`'s content; throws when that is not inside. */
export function follow(look: Look, file: string, base: string, written: string): Watched {
  try {
    return locate(look.scope, placeOf(look.scope, base, written));
  } catch (error) {
    if (error instanceof ToolError) throw leadsOut(look, file, error);
    throw error;
  }
}

/** Returns the stats of the names in a real folder, links as themselves; all are undefined when it is no folder. */
export function statsIn(
  look: Look,
  folder: string,
  names: readonly string[],
): readonly (Stats | undefined)[] {
  let opened: OpenDirectory;
  try {
    opened = openDirectory(look.scope, folder);
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
  try {
    return names.map((name) => statChild(opened, name));
  } finally {
    opened.close();
  }
}

/** An existing folder inside the boundary. */
export interface Folder {
  readonly path: string;
  readonly root: Root;
  /** the same for as long as it is this folder: systems reuse inode numbers */
  readonly identity: string;
  /** the number of its owner */
  readonly uid: number;
}

/** Returns the folder at a path, through links that stay inside; undefined when there is none. */
export function folderAt(scope: Scope, path: string): Folder | undefined {
  try {
    const own = statEntry(scope, path);
    const { stat, path: real, root } = own.target ?? own;
    if (!stat.isDirectory()) return undefined;
    const { uid } = stat;
    return { path: real, root, identity: `${stat.dev}:${stat.ino}:${stat.birthtimeMs}`, uid };
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Returns the folder to which `file`'s content leads; throws when it is missing or not inside. */
export function followToFolder(look: Look, file: string, base: string, written: string): Folder {
  const folder = folderAt(look.scope, follow(look, file, base, written).path);
  if (folder === undefined) throw leadsOut(look, file);
  return folder;
}
