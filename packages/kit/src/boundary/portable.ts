import { fstatSync, lstatSync, openSync, realpathSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { folderFlags, readFlags } from './flags.ts';
import { close, type Handle, type Sighting } from './handle.ts';
import { fromSystem, notFound, refuse } from './refusal.ts';
import type { Root, Scope } from './scope.ts';
import { isVerifying } from './verification.ts';

/** Opens a regular file for reading; its name is resolved before and after, and both must name what was opened. */
export function openRegular(scope: Scope, candidate: string, shown: string): Handle {
  return openTwice(scope, candidate, shown, readFlags, (stat) => {
    if (!stat.isFile()) throw refuse('not-a-file', shown);
  });
}

/** Opens a folder, checked the same way. */
export function openFolder(scope: Scope, candidate: string, shown: string): Handle {
  return openTwice(scope, candidate, shown, folderFlags, (stat) => {
    if (!stat.isDirectory()) throw refuse('not-a-directory', shown);
  });
}

/** Looks at an entry, through a final link only when told to follow. */
export function sight(scope: Scope, candidate: string, shown: string, follow: boolean): Sighting {
  try {
    const { path, root } = resolveInside(scope, candidate, shown, follow);
    const stat = lstatSync(path);
    if (resolveInside(scope, candidate, shown, follow).path !== path) throw notFound(shown);
    return { path, root, stat };
  } catch (error) {
    throw fromSystem(error, shown);
  }
}

/** The path of a name in a folder, once the folder is seen to be still where it was verified. */
export function child(folder: Handle, name: string | Buffer): string | Buffer {
  if (isVerifying() && !isStill(folder)) throw refuse('changed', String(name));
  return typeof name === 'string'
    ? join(folder.path, name)
    : Buffer.concat([Buffer.from(`${folder.path}/`), name]);
}

function isStill(folder: Handle): boolean {
  try {
    return realpathSync.native(folder.path) === folder.path && isSame(lstatSync(folder.path, big), folder.fd);
  } catch {
    // it cannot even be looked at any more
    return false;
  }
}

const big = { bigint: true } as const;

function openTwice(
  scope: Scope,
  candidate: string,
  shown: string,
  flags: number,
  check: (stat: Stats) => void,
): Handle {
  let fd: number | undefined;
  try {
    const { path, root } = resolveInside(scope, candidate, shown, true);
    // looked at before it is opened: opening a FIFO or a device can have effects
    check(lstatSync(path));
    fd = openSync(path, flags);
    const stat = fstatSync(fd);
    check(stat);
    if (isVerifying()) {
      const again = resolveInside(scope, candidate, shown, true);
      if (again.path !== path || !isSame(lstatSync(path, big), fd)) throw notFound(shown);
    }
    return { fd, path, root, stat };
  } catch (error) {
    if (fd !== undefined) close(fd);
    throw fromSystem(error, shown);
  }
}

// 64-bit file ids of NTFS and ReFS do not fit a number
function isSame(seen: { dev: bigint; ino: bigint }, fd: number): boolean {
  const held = fstatSync(fd, big);
  return seen.dev === held.dev && seen.ino === held.ino;
}

function resolveInside(
  scope: Scope,
  candidate: string,
  shown: string,
  follow: boolean,
): { path: string; root: Root } {
  let path: string;
  if (follow || scope.isRoot(candidate)) path = resolve(candidate, shown);
  else {
    const parent = dirname(candidate);
    path = join(resolve(parent, shown), candidate.slice(parent.length));
  }
  const root = scope.rootOf(path) ?? (isVerifying() ? undefined : scope.roots[0]);
  if (root === undefined) throw notFound(shown);
  return { path, root };
}

function resolve(candidate: string, shown: string): string {
  try {
    return realpathSync.native(candidate);
  } catch (error) {
    // EACCES too: what cannot be resolved may be outside
    throw isAccess(error) ? notFound(shown) : error;
  }
}

function isAccess(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EACCES' || error.code === 'EPERM');
}
