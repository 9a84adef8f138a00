import {
  chmodSync,
  constants,
  fchmodSync,
  fstatSync,
  futimesSync,
  lstatSync,
  openSync,
  type Stats,
  utimesSync,
} from 'node:fs';
import { etagOf } from '../opening/etag.ts';
import { namesFolder } from '../opening/paths.ts';
import { assertEnding, type Place } from '../opening/places.ts';
import { fromSystem, notFound, refuse } from '../scope/refusal.ts';
import type { Scope } from '../scope/scope.ts';
import { descriptorPath } from '../verifying/descriptors.ts';
import { appendFlags, readFlags } from '../verifying/flags.ts';
import { close } from '../verifying/handle.ts';
import { type ChangeOptions, sync } from './content.ts';
import { install } from './install.ts';
import { otherNames } from './links.ts';
import { holdPlace } from './queue.ts';
import { assertMatch } from './replace.ts';
import { perform, type Work } from './work.ts';

export interface AttributeOptions extends ChangeOptions {
  /** the time of the last change of the content */
  modified?: Date | undefined;
  /** the time of the last read */
  accessed?: Date | undefined;
  /** permissions alone, such as 0o644 */
  mode?: number | undefined;
  /** creates an empty file where nothing exists */
  create?: boolean | undefined;
  /** the etag that the file must have */
  ifMatch?: string | undefined;
}

export interface Attributes {
  /** its real path */
  readonly path: string;
  readonly created: boolean;
  readonly stat: Stats;
  readonly etag: string;
}

/**
 * Sets times and permissions of a file or folder; a final link inside the boundary leads to its target. Throws for a
 * file with other hard links: they may be names outside, and would change, too.
 */
export function setAttributes(
  scope: Scope,
  path: string,
  options: AttributeOptions,
): Attributes | Promise<Attributes> {
  return perform(setting(scope, path, options), options);
}

function* setting(scope: Scope, path: string, options: AttributeOptions): Work<Attributes> {
  try {
    const { places, release } = yield* holdPlace(scope, path, true, options);
    try {
      const [place] = places;
      assertMatch(place.stat, options.ifMatch, path);
      const created = place.stat === undefined;
      let seen = place.stat;
      if (seen === undefined) {
        if (!options.create) throw notFound(path);
        if (namesFolder(path)) throw refuse('not-a-file', path, 'leave out the separator at the end');
        const installed = yield* install(scope, place, path, {
          fill: nothing,
          exclusive: true,
          fsync: options.fsync,
        });
        seen = installed.stat;
      }
      if (!seen.isFile() && !seen.isDirectory()) throw refuse('not-a-file', path);
      assertEnding(path, seen);
      if (!created && otherNames(seen) > 0)
        throw refuse('linked', path, 'all its names would change; copy it, then change the copy');
      const stat = yield* setAt(scope, place, seen, path, options);
      return { path: place.path, created, stat, etag: etagOf(stat) };
    } finally {
      release();
    }
  } catch (error) {
    throw fromSystem(error, path);
  }
}

/** Writes nothing, and returns how much that is. */
function* nothing(): Work<number> {
  yield;
  return 0;
}

// node:fs does not name it; see kernel.ts
const O_PATH = 0x20_0000;
// Windows sets times and syncs only through a writable handle
const changeFlags = process.platform === 'win32' ? appendFlags : readFlags;

function* setAt(
  scope: Scope,
  place: Place,
  seen: Stats,
  path: string,
  options: AttributeOptions,
): Work<Stats> {
  // a file that its owner may not read can only be held, not opened
  const holds = scope.containment === 'kernel';
  const byTime = options.modified !== undefined || options.accessed !== undefined;
  const flags = holds ? O_PATH | constants.O_NOFOLLOW : byTime ? changeFlags : readFlags;
  const fd = openSync(place.folder.child(place.name), flags);
  try {
    const before = fstatSync(fd);
    const now = lstatSync(place.folder.child(place.name), { throwIfNoEntry: false });
    if (before.ino !== seen.ino || before.dev !== seen.dev || now?.ino !== seen.ino)
      throw refuse('changed', path, 'repeat the call');
    const { mode, modified, accessed } = options;
    const handle = descriptorPath(fd);
    if (mode !== undefined) {
      if (holds) chmodSync(handle, mode);
      else fchmodSync(fd, mode);
    }
    if (byTime) {
      const times = [accessed ?? before.atimeMs / 1000, modified ?? before.mtimeMs / 1000] as const;
      if (holds) utimesSync(handle, ...times);
      else futimesSync(fd, ...times);
    }
    if (options.fsync) yield* syncAt(place);
    return fstatSync(fd);
  } finally {
    close(fd);
  }
}

function* syncAt(place: Place): Work<void> {
  let fd: number;
  try {
    fd = openSync(place.folder.child(place.name), changeFlags);
  } catch {
    // it may no longer be readable: the system writes it to the disk later
    return;
  }
  try {
    yield* sync(fd);
  } finally {
    close(fd);
  }
}
