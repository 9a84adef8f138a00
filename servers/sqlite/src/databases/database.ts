import type { LaneTarget } from '../lanes/lanes.ts';

/** A database file that the boundary has let through, for one call. */
export interface Database extends LaneTarget {
  /** the path as the caller gave it, or may give it */
  readonly displayPath: string;
  /** bytes of the file */
  readonly size: number;
}
