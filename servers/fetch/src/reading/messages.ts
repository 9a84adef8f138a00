import type { FailureCode } from '../failure.ts';
import type { FindOptions, FindResult } from '../pages/find.ts';
import type { Compared, PageDiff, PageDiffOptions } from '../pages/page-diff.ts';
import type { Written } from '../pages/written.ts';
import type { Reading, ReadRequest } from './reading.ts';

/** What workers do: what each task is given, and what comes of it. */
export interface Tasks {
  readonly read: { readonly given: ReadRequest; readonly result: Reading };
  readonly find: {
    readonly given: { readonly page: Written; readonly options: FindOptions };
    readonly result: FindResult;
  };
  readonly compare: {
    readonly given: { readonly old: Compared; readonly now: Compared; readonly options: PageDiffOptions };
    readonly result: PageDiff;
  };
}

export type Task = keyof Tasks;

/** What a worker is asked. */
export interface ToReader<T extends Task = Task> {
  readonly id: number;
  readonly task: T;
  readonly given: Tasks[T]['given'];
}

/** A failure as it crosses from a worker. */
export interface ReaderFailure {
  readonly code: FailureCode;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** What a worker answers; a fault is one of ours, with its stack. */
export type FromReader =
  | { readonly type: 'ready' }
  | { readonly type: 'done'; readonly id: number; readonly result: Tasks[Task]['result'] }
  | { readonly type: 'failed'; readonly id: number; readonly failure: ReaderFailure }
  | { readonly type: 'fault'; readonly id: number; readonly stack: string };

/** Tasks that a worker is given at once: it begins the next one without waiting for anybody. */
export const AHEAD = 2;

/**
 * What has become of the tasks that a worker was given, in memory that both sides share: each task has the number at its
 * id modulo `AHEAD`, and whoever changes it from `open` first has it, the worker to begin or the other side to give it
 * to another.
 */
export const claim = { open: 0, begun: 1, revoked: 2 } as const;
