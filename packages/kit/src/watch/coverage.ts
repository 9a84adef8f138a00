import { isDirectory, isSameNode, type Snapshot, takeSnapshot } from './snapshot.ts';
import type { Source } from './source.ts';
import { isShallow, type Place } from './watched-path.ts';

const SWAPS = 4;

/**
 * Keeps the OS watches where they must be: on each directory above a watched path, and on a watched directory. A file
 * is seen through its directory, so it costs nothing itself and may be replaced, removed and created again; a missing
 * path is seen through the nearest existing directory.
 */
export class Coverage {
  readonly #source: Source;
  readonly #onMoved: (child: Place) => void;

  /** `onMoved` receives each place below a directory that was replaced, has appeared, or vanished. */
  constructor(source: Source, onMoved: (child: Place) => void) {
    this.#source = source;
    this.#onMoved = onMoved;
  }

  /** Returns the facts of `place` now, as far as it is reached through real directories and not through a link. */
  look(place: Place): Snapshot | undefined {
    return place.parent !== undefined && place.parent.directory === undefined
      ? undefined
      : takeSnapshot(place.path);
  }

  /**
   * Looks at `place` and updates its OS watch; `reopen` when the watch may be on a deleted directory although the
   * numbers are the same (systems reuse inode numbers).
   */
  settle(place: Place, reopen: boolean): Snapshot | undefined {
    const before = place.directory;
    let now = this.#settleOwn(place, this.look(place), reopen);
    if (this.#needsParent(place, now) && place.parent?.directory && !place.parent.disarm) {
      this.#arm(place.parent, place.parent.directory);
      // a second look sees changes from before the parent's watch was live
      now = this.#settleOwn(place, this.look(place), false);
    }
    place.directory = isDirectory(now) ? now : undefined;
    if (place.parent) this.relax(place.parent);
    if (reopen || !isSameDirectory(before, place.directory)) {
      for (const child of place.children.values()) this.#onMoved(child);
    }
    return now;
  }

  /** Releases the watch on a shallow directory that no place below needs any more. */
  relax(place: Place): void {
    if (!isShallow(place) || !place.disarm || place.target?.wantsChildren) return;
    for (const child of place.children.values()) if (this.#needsParent(child, child.directory)) return;
    disarm(place);
  }

  /** Returns why OS watches may miss changes of the watched path `place`; undefined when they report all. */
  gap(place: Place): Error | undefined {
    if (place.directory && place.target?.wantsChildren && !place.disarm) return refusal(place);
    let nearest = !place.disarm;
    for (let up = place.parent; up !== undefined; up = up.parent) {
      if (!up.directory) continue;
      if (!up.disarm && (nearest || isLimit(up.refusal))) return refusal(up);
      nearest = false;
    }
    return undefined;
  }

  #settleOwn(place: Place, seen: Snapshot | undefined, reopen: boolean): Snapshot | undefined {
    const kept = !reopen && isDirectory(seen) && place.directory && isSameNode(seen, place.directory);
    if (!kept) disarm(place);
    if (!isDirectory(seen) || place.disarm || !wantsWatch(place)) return seen;
    return this.#arm(place, seen);
  }

  /** Takes the OS watch and verifies that it is on the directory that the path names. */
  #arm(place: Place, seen: Snapshot): Snapshot | undefined {
    let expected = seen;
    for (let swaps = 0; ; swaps += 1) {
      const { stop, refusal } = this.#source.openDirectory(place.path);
      place.disarm = stop;
      place.refusal = refusal;
      const now = takeSnapshot(place.path);
      if (isDirectory(now) && isSameNode(now, expected)) return now;
      disarm(place);
      if (!isDirectory(now) || swaps === SWAPS) return now;
      expected = now;
    }
  }

  #needsParent(place: Place, now: Snapshot | undefined): boolean {
    return !place.disarm && (place.target !== undefined || !isDirectory(now));
  }
}

function disarm(place: Place): void {
  place.disarm?.();
  place.disarm = undefined;
}

function wantsWatch(place: Place): boolean {
  return (place.target?.wantsChildren ?? false) || (place.children.size > 0 && !isShallow(place));
}

function isSameDirectory(a: Snapshot | undefined, b: Snapshot | undefined): boolean {
  return a === undefined || b === undefined ? a === b : isSameNode(a, b);
}

function isLimit(error: NodeJS.ErrnoException | undefined): boolean {
  return error !== undefined && error.code !== 'EACCES' && error.code !== 'EPERM';
}

function refusal(place: Place): Error {
  return place.refusal ?? new Error('the directory does not keep still');
}
