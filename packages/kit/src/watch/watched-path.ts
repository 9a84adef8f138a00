import { basename, dirname } from 'node:path';
import type { Snapshot } from './snapshot.ts';
import type { Target } from './target.ts';

/** A watched path, or a directory above it. */
export interface Place {
  readonly path: string;
  readonly name: string;
  readonly parent: Place | undefined;
  readonly children: Map<string, Place>;
  /** present when the path itself is watched */
  target: Target | undefined;
  /** its facts at the last look, when it is a directory */
  directory: Snapshot | undefined;
  /** releases the OS watch of this directory */
  disarm: (() => void) | undefined;
  /** the reason why this directory could not have an OS watch */
  refusal: NodeJS.ErrnoException | undefined;
}

/** The places by path: every watched one with all directories above it, and nothing else. */
export class PlaceTree {
  readonly #byPath = new Map<string, Place>();

  get size(): number {
    return this.#byPath.size;
  }

  get(path: string): Place | undefined {
    return this.#byPath.get(path);
  }

  all(): Iterable<Place> {
    return this.#byPath.values();
  }

  has(place: Place): boolean {
    return this.#byPath.get(place.path) === place;
  }

  ensure(path: string): Place {
    const known = this.#byPath.get(path);
    if (known) return known;
    const above = dirname(path);
    const parent = above === path ? undefined : this.ensure(above);
    const place: Place = {
      path,
      name: basename(path),
      parent,
      children: new Map(),
      target: undefined,
      directory: undefined,
      disarm: undefined,
      refusal: undefined,
    };
    parent?.children.set(place.name, place);
    this.#byPath.set(path, place);
    return place;
  }

  /** Removes `place` and the directories above that nobody needs any more; returns the lowest one that stays. */
  prune(place: Place): Place | undefined {
    let at: Place | undefined = place;
    while (at !== undefined && at.target === undefined && at.children.size === 0) {
      at.disarm?.();
      this.#byPath.delete(at.path);
      at.parent?.children.delete(at.name);
      at = at.parent;
    }
    return at;
  }
}

/** Returns the places from the file system's root down to `place`. */
export function lineage(place: Place): Place[] {
  const line: Place[] = [];
  for (let at: Place | undefined = place; at !== undefined; at = at.parent) line.unshift(at);
  return line;
}

/**
 * Returns whether this is the file system's root or directly below it (`/`, `/tmp`, `/home`). Those are not moved while
 * a server runs and are the busiest directories, so they are watched only when something needs it.
 */
export function isShallow(place: Place): boolean {
  return place.parent?.parent === undefined;
}
