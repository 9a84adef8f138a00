import { closeSync, type Stats } from 'node:fs';
import type { Root } from './scope.ts';

/** Something inside the boundary that was opened, then verified by its handle. */
export interface Handle {
  readonly fd: number;
  /** where it really is, without links */
  readonly path: string;
  readonly root: Root;
  readonly stat: Stats;
}

/** What was seen inside the boundary, with no handle kept. */
export interface Sighting {
  readonly path: string;
  readonly root: Root;
  readonly stat: Stats;
}

/** Closes quietly: the descriptor is gone either way. */
export function close(fd: number): void {
  try {
    closeSync(fd);
  } catch {
    // EIO or EINTR on close: nothing is left to undo for a handle that only read
  }
}
