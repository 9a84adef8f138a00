import { type Stats, statSync } from 'node:fs';
import type { PlatformPath } from 'node:path';
import type { Root } from '../scope/scope.ts';

/** Returns whether two spellings may be one name here. */
export const namesFold = process.platform === 'win32' || process.platform === 'darwin';

/** The numbers that identify an entry, in full: ids of NTFS and ReFS do not fit a number. */
export interface Identity {
  readonly dev: bigint;
  readonly ino: bigint;
}

/** Returns whether two looks saw one entry. */
export function isSameEntry(a: Identity, b: Identity, platform: NodeJS.Platform = process.platform): boolean {
  if (a.ino !== b.ino) return false;
  // on Windows a look by name can give a longer serial number of the volume than one by handle (libuv 1.49 and 1.50)
  if (platform === 'win32') return BigInt.asUintN(32, a.dev) === BigInt.asUintN(32, b.dev);
  return a.dev === b.dev;
}

/** Does the same for looks with numbers: on Windows a long serial number does not survive as a number. */
export function isSameFile(a: Stats, b: Stats): boolean {
  return a.ino === b.ino && (a.dev === b.dev || process.platform === 'win32');
}

/** Returns whether two looks saw the same file with the same content and attributes. */
export function isUnchanged(now: Stats, seen: Stats): boolean {
  return (
    isSameFile(now, seen) &&
    now.size === seen.size &&
    now.mtimeMs === seen.mtimeMs &&
    now.ctimeMs === seen.ctimeMs
  );
}

/** Returns whether two paths are one folder. */
export type SameFolder = (a: string, b: string) => boolean;

/**
 * Returns the place below a root for a path that spells the root in another way, as systems permit where case and
 * normal form do not distinguish names. The spelling only says where to look; the identity of the folder decides. Looks
 * at nothing but other spellings of a root: a look at a name elsewhere could reveal it, or call a server that it names.
 */
export function placeByIdentity(
  path: PlatformPath,
  roots: readonly Root[],
  absolute: string,
  isSame: SameFolder = isSameFolder,
): string | undefined {
  const parts = absolute.split(path.sep);
  let best: { place: string; depth: number } | undefined;
  for (const root of roots) {
    for (const spelling of root.path === root.real ? [root.real] : [root.path, root.real]) {
      const own = spelling.split(path.sep);
      if (own.at(-1) === '') own.pop();
      if (own.length <= (best?.depth ?? 0) || own.some((name, at) => !looksAlike(name, parts[at]))) continue;
      const head = parts.slice(0, own.length).join(path.sep);
      // "C:" alone is not the top of the drive
      if (!isSame(head + path.sep, root.real)) continue;
      best = { place: path.join(root.real, ...parts.slice(own.length)), depth: own.length };
    }
  }
  return best?.place;
}

/** Returns whether two names may be one where case and normal form do not distinguish names. */
export function looksAlike(a: string, b: string | undefined): boolean {
  return b !== undefined && (a === b || folded(a) === folded(b));
}

function folded(name: string): string {
  return name.normalize('NFC').toUpperCase().toLowerCase();
}

function isSameFolder(a: string, b: string): boolean {
  try {
    const one = statSync(a, { bigint: true });
    const other = statSync(b, { bigint: true });
    return isSameEntry(one, other);
  } catch {
    // an entry that cannot be looked at is not known to be the same
    return false;
  }
}
