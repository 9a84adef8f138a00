import type { Stats } from 'node:fs';
import { ToolError } from '@rootbound/protocol';
import { type EntryKind, kindOf } from '../opening/entries.ts';
import { assertEnding, type Place } from '../opening/places.ts';
import { fromSystem, keeps, notFound, refuse, stays } from '../scope/refusal.ts';
import type { Scope } from '../scope/scope.ts';
import { isSameFile } from '../verifying/identity.ts';
import type { ChangeOptions } from './content.ts';
import { assertUnchanged, renameFolder, syncFolder } from './install.ts';
import { holdPlace } from './queue.ts';
import { renameEntry } from './rename.ts';
import { assertMatch } from './replace.ts';
import { takeSlot } from './staging.ts';
import { moveToTrash } from './trash.ts';
import { openChildFolder, removeEmpty, removeName, removeTree, tally } from './tree.ts';
import { pause, perform, steadfast, type Work } from './work.ts';

export interface RemoveOptions extends ChangeOptions {
  /** deletes a folder with its content */
  recursive?: boolean | undefined;
  /** the etag that the entry must have */
  ifMatch?: string | undefined;
  /** to the platform's trash instead, from which a person can restore it */
  trash?: boolean | undefined;
}

export interface Removed {
  /** its earlier real path */
  readonly path: string;
  readonly kind: EntryKind;
  /** the number of deleted entries, including the top */
  readonly entries: number;
  /** it is in the trash */
  readonly trashed: boolean;
}

/**
 * Deletes a file, a link (the link itself) or a folder. A folder vanishes from its place in one step and is then
 * deleted entry by entry: before that step a cancellation keeps everything, after it the work is completed. Throws for
 * roots, folders that contain one, and folders that contain something denied.
 */
export function removeEntry(
  scope: Scope,
  path: string,
  options: RemoveOptions = {},
): Removed | Promise<Removed> {
  return perform(removing(scope, path, options), options);
}

function* removing(scope: Scope, path: string, options: RemoveOptions): Work<Removed> {
  try {
    const { places, release } = yield* holdPlace(scope, path, false, options);
    try {
      const [place] = places;
      const { stat } = place;
      if (stat === undefined) throw notFound(path);
      if (scope.holdsRoot(place.path)) throw stays(path, 'a root lies in it, and roots are not deleted');
      assertEnding(path, stat);
      assertMatch(stat, options.ifMatch, path);
      const inside = stat.isDirectory() ? yield* inspect(scope, place, stat, path, options) : 0;
      if (options.trash) moveToTrash(place, path);
      else if (!stat.isDirectory()) yield* removeName(place.folder, place.name);
      else if (inside === 0) removeEmpty(place.folder, place.name, path);
      else yield* removeFolder(scope, place, path, inside, options);
      yield steadfast;
      if (options.fsync) yield* syncFolder(place.folder);
      return {
        path: place.path,
        kind: kindOf(stat),
        entries: inside + 1,
        trashed: options.trash === true,
      };
    } finally {
      release();
    }
  } catch (error) {
    throw fromSystem(error, path);
  }
}

/** Checks whether a folder may be deleted; returns how many entries it has. */
function* inspect(
  scope: Scope,
  place: Place,
  stat: Stats,
  path: string,
  { recursive }: RemoveOptions,
): Work<number> {
  const folder = openChildFolder(scope, place.folder, place.name, path);
  try {
    if (!isSameFile(folder.stat, stat)) throw refuse('changed', path);
    const held = yield* tally(scope, { folder, displayPath: path }, Number.POSITIVE_INFINITY);
    if (held.hidden > 0) throw keeps(path);
    if (held.mount !== undefined || stat.dev !== place.folder.stat.dev)
      throw stays(held.mount ?? path, 'something is mounted there');
    if (held.entries > 0 && !recursive)
      throw refuse('not-empty', path, 'set recursive to delete all that it holds');
    if (held.entries > 0) yield* pause();
    assertUnchanged(place, stat, path);
    return held.entries;
  } finally {
    folder.close();
  }
}

function* removeFolder(
  scope: Scope,
  place: Place,
  path: string,
  inside: number,
  { progress }: RemoveOptions,
): Work<void> {
  const slot = takeSlot(scope, place, false, (to) => renameEntry(place.folder.child(place.name), to, path));
  yield steadfast;
  let done = 0;
  try {
    yield* removeTree(scope, slot.folder, slot.name, path, {
      was: place.path,
      removed() {
        done++;
        progress?.(done, Math.max(done, inside + 1));
      },
    });
  } catch (error) {
    throw restore(slot.path(), place, done, fromSystem(error, path));
  } finally {
    slot.close();
  }
}

/** Restores an entry that could not be deleted to its place. */
function restore(from: string | Buffer, place: Place, done: number, failure: ToolError): ToolError {
  let rest = 'the rest is where it was';
  try {
    renameFolder(from, place, place.name);
  } catch {
    rest = 'the rest is out of sight, since its name was taken meanwhile';
  }
  const { message, code, retryable } = failure;
  const hint = `${done} entries were deleted; ${rest}`;
  return new ToolError(message, { code, retryable, hint, cause: failure });
}
