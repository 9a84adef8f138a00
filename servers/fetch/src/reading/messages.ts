import type { FailureCode } from '../failure.ts';
import type { Reading, ReadRequest } from './reading.ts';

/** What a worker is asked. */
export interface ToReader {
  readonly id: number;
  readonly request: ReadRequest;
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
  | { readonly type: 'read'; readonly id: number; readonly reading: Reading }
  | { readonly type: 'failed'; readonly id: number; readonly failure: ReaderFailure }
  | { readonly type: 'fault'; readonly id: number; readonly stack: string };
