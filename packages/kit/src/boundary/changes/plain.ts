import { fstatSync, type Stats } from 'node:fs';
import { LruMap } from '../../primitives/lru.ts';
import type { Place } from '../opening/places.ts';
import { close } from '../verifying/handle.ts';
import { carriesMore } from './carries-more.ts';
import { openToRead } from './open-to-change.ts';

/**
 * Returns whether a file has nothing beyond owner, group and mode: no access list, no extended attribute, no label.
 * `made` is the new file for its place, which may have inherited some from its folder. False where that cannot be
 * known.
 */
export function isPlain(place: Place, stat: Stats, made: number, displayPath: string): boolean {
  // only Linux has a program that lists all of them
  if (process.platform !== 'linux') return true;
  if (known.get(keyOf(stat)) === stat.ctimeMs) return true;
  const seen = askAbout(place, made, displayPath);
  if (seen) remember(stat);
  return seen;
}

/**
 * Records that an open file was created without anything beyond owner, group and mode; a later change of that changes
 * its ctime.
 */
export function rememberPlain(fd: number): void {
  if (process.platform !== 'linux') return;
  try {
    remember(fstatSync(fd));
  } catch {
    // the change is made, and the next one checks again
  }
}

function remember(stat: Stats): void {
  known.set(keyOf(stat), stat.ctimeMs);
}

/** Files that were found to be plain, with the ctime at which they were. */
const known = new LruMap<string, number>(10_000);

function keyOf({ dev, ino }: Stats): string {
  return `${dev}:${ino}`;
}

function askAbout(place: Place, made: number, displayPath: string): boolean {
  let old: number;
  try {
    old = openToRead(place, displayPath).fd;
  } catch {
    // an unreadable file is not known to be plain; the write itself reports the problem
    return false;
  }
  try {
    // a continued one is not empty
    const files = fstatSync(made).size === 0 ? [made, old] : [old];
    return carriesMore(files) === false;
  } finally {
    close(old);
  }
}
