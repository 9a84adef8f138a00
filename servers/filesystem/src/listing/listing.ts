import type { Json } from '@rootbound/kit/budget';
import type { ListedEntry } from './facts.ts';

export type Sort = 'none' | 'name' | 'size' | 'modified';

/** One page of a directory as the caller wants it. */
export interface Wanted {
  path: string;
  sort: Sort;
  details: boolean;
  limit: number;
  /** whether the sums of the whole directory are wanted too, which looks at every entry */
  totals?: boolean;
}

/** What a directory holds altogether, itself and not what lies deeper. */
export interface Totals {
  files: number;
  directories: number;
  /** links, pipes and the like */
  others: number;
  /** of the files, in bytes */
  size: number;
}

/** What long work answers to; a call's context is one. */
export interface Attention {
  readonly signal: AbortSignal;
  readonly progress: (done: number, total?: number, message?: string) => void;
}

/** Entries for one page, of which the budget may keep fewer. */
export interface ListingPage {
  entries: readonly ListedEntry[];
  /** of the directory; unknown in directory order */
  total?: number;
  totals?: Totals;
  /** where the next page begins when this one shows the first `kept`; undefined when nothing is left */
  resume(kept: number): Json | undefined;
  /** to be called once, with what was shown */
  settle(kept: number): void;
}
