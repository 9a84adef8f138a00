import { availableParallelism } from 'node:os';
import { detectAccess } from './access.ts';
import type { ContentOutcome, NamesOutcome, SearchOutcome } from './outcome.ts';
import { Pool, type RunOptions } from './pool.ts';
import { type Access, type ContentQuery, type NameQuery, type Query, toJob } from './query.ts';

export type {
  ContentOutcome,
  FoundFile,
  FoundLine,
  FoundName,
  NamesOutcome,
  SearchCounts,
  SearchFailure,
  SearchOutcome,
} from './outcome.ts';
export type {
  Access,
  ContentQuery,
  EntryType,
  NameQuery,
  Position,
  Query,
  SearchRoot,
} from './query.ts';
export { DEFAULT_EXCLUDE, SearchError } from './query.ts';
export type { SearchProgress } from './run.ts';

export interface SearchOptions {
  /** The built worker; default: `search-worker.js` beside this file. */
  workerFile?: string | URL;
  /** Number of worker threads; default: the available parallelism, from 2 to 4. */
  workers?: number;
  /** Default: `kernel` if the system has `/proc`. */
  access?: Access;
}

/** A search engine: one pool of worker threads, started at the first search. */
export interface Search {
  /**
   * Runs a query and returns its results in order. The root's handle must stay open until the promise settles. Even
   * when aborted, it settles only after the last worker has left the root.
   */
  readonly search: {
    (query: NameQuery, options?: RunOptions): Promise<NamesOutcome>;
    (query: ContentQuery, options?: RunOptions): Promise<ContentOutcome>;
    (query: Query, options?: RunOptions): Promise<SearchOutcome>;
  };
  /** Starts the workers and waits until they are loaded. */
  readonly warm: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const MOST_WORKERS = 4;
const LEAST_WORKERS = 2;

export function createSearch(options: SearchOptions = {}): Search {
  const workers = options.workers ?? Math.min(MOST_WORKERS, Math.max(LEAST_WORKERS, availableParallelism()));
  const pool = new Pool(options.workerFile ?? new URL('./search-worker.js', import.meta.url), workers);
  const access = options.access ?? detectAccess();
  const search = async (query: Query, run: RunOptions = {}) => pool.search(toJob(query, access), run);
  return {
    // the kind of the query decides the kind of the outcome
    search: search as Search['search'],
    warm: () => pool.warm(),
    close: () => pool.close(),
  };
}
