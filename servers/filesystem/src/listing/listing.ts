import type { Json } from '@rootbound/kit/budget';
import type { ListedEntry } from './facts.ts';

export type Sort = 'none' | 'name' | 'size' | 'modified';

/** A caller's request for one page of a directory. */
export interface ListingRequest {
  path: string;
  sort: Sort;
  details: boolean;
  limit: number;
  /** whether to count the whole directory, which examines every entry */
  totals?: boolean;
}

/** Counts of a directory's direct entries. */
export interface Totals {
  files: number;
  directories: number;
  /** links, pipes and the like */
  others: number;
  /** sum of the file sizes, in bytes */
  size: number;
}

/** Entries for one page; the size limit may keep fewer. */
export interface ListingPage {
  entries: readonly ListedEntry[];
  /** number of entries in the directory; unknown in directory order */
  total?: number;
  totals?: Totals;
  /** Returns the position of the next page if this one has the first `kept` entries; undefined after the last. */
  resume(kept: number): Json | undefined;
  /** Ends the page; called once, with the number of entries in the result. */
  settle(kept: number): void;
}
