import { fstatSync, lstatSync, openSync, type Stats } from 'node:fs';
import type { Place } from '../opening/places.ts';
import { fromSystem, noFile, refuse } from '../scope/refusal.ts';
import { appendFlags, changeFlags, readFlags } from '../verifying/flags.ts';
import { close } from '../verifying/handle.ts';

/** An opened file at a place, the same that was seen there. */
export interface OpenAt {
  readonly fd: number;
  readonly stat: Stats;
}

/** Opens the regular file at a place for reading. */
export function openToRead(place: Place, displayPath: string): OpenAt {
  return openAt(place, displayPath, readFlags);
}

/** Opens the regular file at a place for reading and for appending. */
export function openToAppend(place: Place, displayPath: string): OpenAt {
  return openAt(place, displayPath, appendFlags);
}

/** Opens the regular file at a place for reading and for overwriting. */
export function openToChange(place: Place, displayPath: string): OpenAt {
  return openAt(place, displayPath, changeFlags);
}

function openAt(place: Place, displayPath: string, flags: number): OpenAt {
  // checked before it is opened: opening a FIFO or a device can have effects
  if (place.stat?.isFile() !== true) throw noFile(displayPath, place.stat);
  let fd: number | undefined;
  try {
    fd = openSync(place.folder.child(place.name), flags);
    const stat = fstatSync(fd);
    const seen = lstatSync(place.folder.child(place.name), { throwIfNoEntry: false });
    if (stat.isFile() && seen?.ino === stat.ino && seen.dev === stat.dev) return { fd, stat };
  } catch (error) {
    if (fd !== undefined) close(fd);
    throw fromSystem(error, displayPath);
  }
  close(fd);
  throw refuse('changed', displayPath, 'read it again, then repeat the change');
}
