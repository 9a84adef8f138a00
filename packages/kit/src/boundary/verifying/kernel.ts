import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { systemPath, textOfPath } from '../names/bytes.ts';
import { fromSystem, isNotFound, noFile, notFound, refuse, systemCode } from '../scope/refusal.ts';
import type { Root, Scope } from '../scope/scope.ts';
import { descriptorPath } from './descriptors.ts';
import { close, type Handle, type Sighting } from './handle.ts';
import { retryWhileReplaced } from './retry-while-replaced.ts';
import { isVerifying } from './verification.ts';

const { O_DIRECTORY, O_NOCTTY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
// node:fs does not name it; the value is the same on every architecture that Node supports
const O_PATH = 0x20_0000;
// O_NOFOLLOW and O_NONBLOCK: an entry that took the name's place meanwhile is neither followed nor waited for
const plainFlags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;

let verifies: boolean | undefined;

/** Returns whether this machine can report the path of a handle: Linux with /proc. */
export function kernelVerifies(): boolean {
  verifies ??= process.platform === 'linux' && probe();
  return verifies;
}

function probe(): boolean {
  try {
    const fd = openSync('/', O_PATH | O_DIRECTORY);
    try {
      return readlinkSync(descriptorPath(fd)) === '/';
    } finally {
      closeSync(fd);
    }
  } catch {
    // no /proc, or one that hides handles
    return false;
  }
}

const quiet = { throwIfNoEntry: false } as const;

/** Opens a regular file for reading, and verifies it. */
export function openRegular(scope: Scope, candidate: string, displayPath: string): Handle {
  const seen = isPlainFile(candidate) ? openVerified(scope, candidate, displayPath, plainFlags) : undefined;
  if (seen === undefined) return openUnknown(scope, candidate, displayPath);
  if (seen.stat.isFile()) return seen;
  close(seen.fd);
  throw noFile(displayPath, seen.stat);
}

/**
 * Returns whether the name is that of a regular file now; such a file is opened once, since opening it has no effects.
 */
function isPlainFile(candidate: string): boolean {
  try {
    return lstatSync(systemPath(candidate), quiet)?.isFile() === true;
  } catch {
    // the slower way finds the reason
    return false;
  }
}

/** Opens an entry that may be a link, a FIFO or a device. */
function openUnknown(scope: Scope, candidate: string, displayPath: string): Handle {
  // O_PATH first: it touches neither FIFO nor device, so nothing happens before the handle is known to be inside
  const seen = openVerified(scope, candidate, displayPath, O_PATH);
  try {
    if (!seen.stat.isFile()) throw noFile(displayPath, seen.stat);
    // O_NONBLOCK: leases, and files of /proc that block until news
    const fd = openSync(descriptorPath(seen.fd), O_RDONLY | O_NONBLOCK | O_NOCTTY);
    return { fd, path: seen.path, root: seen.root, stat: seen.stat };
  } catch (error) {
    throw fromSystem(error, displayPath);
  } finally {
    close(seen.fd);
  }
}

/** Opens and verifies a folder; the handle serves to reach its children and to list it. */
export function openFolder(scope: Scope, candidate: string, displayPath: string): Handle {
  const seen = openVerified(scope, candidate, displayPath, O_PATH);
  if (seen.stat.isDirectory()) return seen;
  close(seen.fd);
  throw refuse('not-a-directory', displayPath);
}

/** Stats an entry, and follows a final link only when asked to. */
export function sight(scope: Scope, candidate: string, displayPath: string, follow: boolean): Sighting {
  const seen = openVerified(scope, candidate, displayPath, follow ? O_PATH : O_PATH | O_NOFOLLOW);
  close(seen.fd);
  return seen;
}

/**
 * Returns the path of a name in a verified folder: the kernel starts from the handle, wherever the folder has moved.
 */
export function child(folder: Handle, name: string | Buffer): string | Buffer {
  const base = `${descriptorPath(folder.fd)}/`;
  return typeof name === 'string' ? systemPath(base + name) : Buffer.concat([Buffer.from(base), name]);
}

function openVerified(scope: Scope, candidate: string, displayPath: string, flags: number): Handle {
  return retryWhileReplaced(displayPath, () => openOnce(scope, candidate, displayPath, flags));
}

/** Opens and verifies; undefined when the opened entry has been deleted or replaced meanwhile. */
function openOnce(scope: Scope, candidate: string, displayPath: string, flags: number): Handle | undefined {
  let fd: number;
  try {
    fd = openSync(systemPath(candidate), flags);
  } catch (error) {
    throw blockedOutside(scope, candidate, error) ? notFound(displayPath) : fromSystem(error, displayPath);
  }
  try {
    const path = pathOf(fd);
    const stat = fstatSync(fd);
    const root = rootAt(scope, path);
    if (root === undefined) throw notFound(displayPath);
    if (isThere(path, stat)) return { fd, path, root, stat };
  } catch (error) {
    close(fd);
    throw fromSystem(error, displayPath);
  }
  close(fd);
  return undefined;
}

function pathOf(fd: number): string {
  const link = descriptorPath(fd);
  return textOfPath(readlinkSync(link), () => readlinkSync(link, 'buffer'));
}

const deletedMark = ' (deleted)';

function rootAt(scope: Scope, path: string): Root | undefined {
  const root = scope.rootOf(path);
  if (!isVerifying()) return root ?? scope.roots[0];
  return root === undefined || scope.hides(path) ? undefined : root;
}

/**
 * Returns whether the name still leads there: the kernel marks a deleted entry by a suffix that a real name may have,
 * too.
 */
function isThere(path: string, stat: Stats): boolean {
  if (!isVerifying() || !path.endsWith(deletedMark)) return true;
  if (stat.nlink === 0) return false;
  const now = lstatSync(systemPath(path), quiet);
  return now !== undefined && now.dev === stat.dev && now.ino === stat.ino;
}

// EACCES, and errors that only an existing folder gives for a name in it
const blocks: ReadonlySet<string | undefined> = new Set(['EACCES', 'ENAMETOOLONG']);

/**
 * Returns whether the system refused to pass a folder to which a link leads: the caller must not learn that it exists.
 */
function blockedOutside(scope: Scope, candidate: string, error: unknown): boolean {
  if (!blocks.has(systemCode(error))) return false;
  for (let name = candidate, folder = dirname(name); folder !== name; name = folder, folder = dirname(name)) {
    let seen: Handle;
    try {
      seen = openFolder(scope, folder, folder);
    } catch (inner) {
      if (isNotFound(inner)) return true;
      // this one is blocked, too: look further up
      continue;
    }
    try {
      const path = descriptorPath(seen.fd) + name.slice(folder.length);
      return lstatSync(systemPath(path)).isSymbolicLink();
    } catch {
      // the folder itself may not be searched, and it is inside
      return false;
    } finally {
      close(seen.fd);
    }
  }
  return true;
}
