import { fstatSync, type Stats } from 'node:fs';
import { close } from '../handle.ts';
import type { Place } from '../places.ts';
import { carriesMore } from './carries-more.ts';
import { openToRead } from './opening.ts';

/**
 * Whether a file has nothing beyond owner, group and mode: no access list, no extended attribute, no label. `made` is
 * the new file that would take its place, which may have got such from its folder. False where that cannot be known.
 */
export function isPlain(place: Place, stat: Stats, made: number, displayPath: string): boolean {
  // only Linux has a program that shows all of it
  if (process.platform !== 'linux') return true;
  if (known.get(keyOf(stat)) === stat.ctimeMs) return true;
  const seen = askAbout(place, made, displayPath);
  if (seen) remember(stat);
  return seen;
}

/** Notes that an open file was made without anything beyond owner, group and mode; a change of that changes its ctime. */
export function rememberPlain(fd: number): void {
  if (process.platform !== 'linux') return;
  try {
    remember(fstatSync(fd));
  } catch {
    // the change is made, and the next one asks again
  }
}

function remember(stat: Stats): void {
  if (known.size >= mostKnown) known.clear();
  known.set(keyOf(stat), stat.ctimeMs);
}

const mostKnown = 10_000;
const known = new Map<string, number>();

function keyOf({ dev, ino }: Stats): string {
  return `${dev}:${ino}`;
}

function askAbout(place: Place, made: number, displayPath: string): boolean {
  let old: number;
  try {
    old = openToRead(place, displayPath).fd;
  } catch {
    // what may not be read is not known to be plain; the write itself says what stands in its way
    return false;
  }
  try {
    // one that is gone on with is not empty
    const files = fstatSync(made).size === 0 ? [made, old] : [old];
    return carriesMore(files) === false;
  } finally {
    close(old);
  }
}
