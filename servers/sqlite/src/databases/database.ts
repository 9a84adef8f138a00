import type { LaneTarget } from '../lanes/lanes.ts';

/** A database file within the boundary, for one call. */
export interface Database extends LaneTarget {
  /** the path as the caller gave it, or in a form that tools accept */
  readonly displayPath: string;
  /** size of the file, bytes */
  readonly size: number;
}
