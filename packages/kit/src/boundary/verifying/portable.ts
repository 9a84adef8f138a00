import { fstatSync, lstatSync, openSync, readdirSync, realpathSync, type Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { systemPath, textOfPath } from '../names/bytes.ts';
import { fromSystem, noFile, notFound, refuse, systemCode } from '../scope/refusal.ts';
import type { Root, Scope } from '../scope/scope.ts';
import { folderFlags, readFlags } from './flags.ts';
import { close, type Handle, type Sighting } from './handle.ts';
import { type Identity, isSameEntry, looksAlike, namesFold } from './identity.ts';
import { retryWhileReplaced } from './retry-while-replaced.ts';
import { isVerifying } from './verification.ts';

/** Opens a regular file for reading; resolves its name before and after, and both must name the opened file. */
export function openRegular(scope: Scope, candidate: string, displayPath: string): Handle {
  return openTwice(scope, candidate, displayPath, readFlags, (stat) => {
    if (!stat.isFile()) throw noFile(displayPath, stat);
  });
}

/** Opens a folder, checked the same way. */
export function openFolder(scope: Scope, candidate: string, displayPath: string): Handle {
  return openTwice(scope, candidate, displayPath, folderFlags, (stat) => {
    if (!stat.isDirectory()) throw refuse('not-a-directory', displayPath);
  });
}

/** Stats an entry, and follows a final link only when asked to. */
export function sight(scope: Scope, candidate: string, displayPath: string, follow: boolean): Sighting {
  try {
    return retryWhileReplaced(displayPath, () => {
      const { path, root } = resolveInside(scope, candidate, displayPath, follow);
      const stat = lstatSync(systemPath(path));
      const again = resolveInside(scope, candidate, displayPath, follow);
      return again.path === path ? { path, root, stat } : undefined;
    });
  } catch (error) {
    throw fromSystem(error, displayPath);
  }
}

/** Returns the path of a name in a folder, once the folder is seen to be where it was verified. */
export function child(folder: Handle, name: string | Buffer): string | Buffer {
  if (isVerifying() && !isUnchanged(folder)) throw refuse('changed', String(name));
  return typeof name === 'string'
    ? systemPath(join(folder.path, name))
    : Buffer.concat([Buffer.from(systemPath(`${folder.path}/`)), name]);
}

function isUnchanged(folder: Handle): boolean {
  try {
    const path = systemPath(folder.path);
    return realOf(folder.path) === folder.path && isSame(lstatSync(path, big), folder.fd);
  } catch {
    // it cannot even be looked at any more
    return false;
  }
}

const big = { bigint: true } as const;

function openTwice(
  scope: Scope,
  candidate: string,
  displayPath: string,
  flags: number,
  check: (stat: Stats) => void,
): Handle {
  return retryWhileReplaced(displayPath, () => openOnce(scope, candidate, displayPath, flags, check));
}

/** Opens and verifies; undefined when another file has come to the name meanwhile. */
function openOnce(
  scope: Scope,
  candidate: string,
  displayPath: string,
  flags: number,
  check: (stat: Stats) => void,
): Handle | undefined {
  let fd: number | undefined;
  try {
    const { path, root } = resolveInside(scope, candidate, displayPath, true);
    // checked before it is opened: opening a FIFO or a device can have effects
    check(lstatSync(systemPath(path)));
    fd = openSync(systemPath(path), flags);
    const stat = fstatSync(fd);
    check(stat);
    if (isVerifying()) {
      const again = resolveInside(scope, candidate, displayPath, true);
      if (again.path !== path || !isSame(lstatSync(systemPath(path), big), fd)) {
        close(fd);
        return undefined;
      }
    }
    return { fd, path, root, stat };
  } catch (error) {
    if (fd !== undefined) close(fd);
    throw fromSystem(error, displayPath);
  }
}

function isSame(seen: Identity, fd: number): boolean {
  return isSameEntry(seen, fstatSync(fd, big));
}

function resolveInside(
  scope: Scope,
  candidate: string,
  displayPath: string,
  follow: boolean,
): { path: string; root: Root } {
  let path: string;
  if (follow || scope.isRoot(candidate)) path = resolve(scope, candidate, displayPath);
  else {
    const parent = dirname(candidate);
    const place = join(resolve(scope, parent, displayPath), candidate.slice(parent.length));
    path = namesFold ? ownSpelling(place) : place;
  }
  const root = scope.rootOf(path) ?? (isVerifying() ? undefined : scope.roots[0]);
  if (root === undefined || scope.hides(path)) throw notFound(displayPath);
  return { path, root };
}

function resolve(scope: Scope, candidate: string, displayPath: string): string {
  try {
    return realOf(candidate);
  } catch (error) {
    // EACCES too: a path that cannot be resolved may be outside
    if (isAccess(error)) throw notFound(displayPath);
    // only an existing folder reports that a name in it is too long: outside, the caller must not learn that
    if (systemCode(error) === 'ENAMETOOLONG') resolveInside(scope, dirname(candidate), displayPath, true);
    throw error;
  }
}

/** Returns the path as its folder spells it, short names of Windows included: deny patterns are compared with that. */
export function ownSpelling(path: string): string {
  const stat = lstatSync(systemPath(path), { throwIfNoEntry: false });
  if (stat === undefined) return path;
  const folder = dirname(path);
  if (!stat.isSymbolicLink()) return join(folder, basename(realOf(path)));
  const name = basename(path);
  const names = readdirSync(systemPath(folder), 'utf8');
  return names.includes(name) ? path : join(folder, names.find((other) => looksAlike(other, name)) ?? name);
}

function realOf(path: string): string {
  const plain = systemPath(path);
  return textOfPath(realpathSync.native(plain), () => realpathSync.native(plain, 'buffer'));
}

function isAccess(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EACCES' || error.code === 'EPERM');
}
