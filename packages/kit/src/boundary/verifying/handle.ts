import { closeSync, type Stats } from 'node:fs';
import type { Root } from '../scope/scope.ts';

/** An entry inside the boundary that was opened, then verified by its handle. */
export interface Handle {
  readonly fd: number;
  /** its real path, without links */
  readonly path: string;
  readonly root: Root;
  readonly stat: Stats;
}

/** An entry that was verified inside the boundary, with no handle kept. */
export interface Sighting {
  readonly path: string;
  readonly root: Root;
  readonly stat: Stats;
}

/** Closes without a failure: the descriptor is closed in any case. */
export function close(fd: number): void {
  try {
    closeSync(fd);
  } catch {
    // EIO or EINTR on close: nothing has to be undone for a handle that only read
  }
}
