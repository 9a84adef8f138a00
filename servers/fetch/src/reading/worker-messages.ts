import type { FailureCode } from '../failure.ts';
import type { FindOptions, FindResult } from '../pages/find.ts';
import type { Compared, PageDiff, PageDiffOptions } from '../pages/page-diff.ts';
import type { SearchableText } from '../pages/searchable-text.ts';
import type { Reading, ReadRequest } from './reading.ts';

/** The tasks of a worker with their input and result. */
export interface Tasks {
  readonly read: { readonly given: ReadRequest; readonly result: Reading };
  readonly find: {
    readonly given: { readonly page: SearchableText; readonly options: FindOptions };
    readonly result: FindResult;
  };
  readonly compare: {
    readonly given: { readonly old: Compared; readonly now: Compared; readonly options: PageDiffOptions };
    readonly result: PageDiff;
  };
}

export type Task = keyof Tasks;

/** A request to a worker. */
export interface ToReader<T extends Task = Task> {
  readonly id: number;
  readonly task: T;
  readonly given: Tasks[T]['given'];
}

/** A failure as a message from a worker. */
export interface ReaderFailure {
  readonly code: FailureCode;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** A message from a worker; a fault is a bug of this server, with its stack. */
export type FromReader =
  | { readonly type: 'ready' }
  | { readonly type: 'done'; readonly id: number; readonly result: Tasks[Task]['result'] }
  | { readonly type: 'failed'; readonly id: number; readonly failure: ReaderFailure }
  | { readonly type: 'fault'; readonly id: number; readonly stack: string };

/** Tasks that a worker holds at once: it begins the next one without waiting for the main thread. */
export const AHEAD = 2;

/**
 * The state of each task, in memory that both threads share at the task's id modulo `AHEAD`. The thread that changes it
 * from `open` first owns the task: the worker begins it, or the main thread gives it to another worker.
 */
export const claim = { open: 0, begun: 1, revoked: 2 } as const;
