import type { MessagePort } from 'node:worker_threads';
import type { LineMatch, SearchFailure } from './outcome.ts';
import type { Job, SearchError } from './query.ts';

/** Entries of one directory still to be looked at; without names, all below the root. */
export interface Task {
  /** '' or a byte path that ends in '/'. */
  prefix: string;
  /** Joined by '/', in order. */
  names?: string;
  kinds?: Uint8Array;
}

export interface FoundContent {
  path: string;
  count: number;
  lines: LineMatch[];
}

/** A part of what one run found, in order: for names one string of type letter and path, joined by NUL. */
export type Chunk = { names: string; size: number } | { files: FoundContent[]; size: number };

export interface TaskMessage {
  type: 'task';
  run: number;
  task: Task;
  /** With the first task of a run for this worker. */
  start?: { job: Job; counts: Int32Array };
}

export type ToWorker = TaskMessage | { type: 'forget'; run: number };

export type FromWorker =
  | { type: 'ready' }
  | { type: 'give'; run: number; tasks: Task[] }
  | { type: 'found'; run: number; chunk: Chunk }
  | {
      type: 'done';
      run: number;
      failures: SearchFailure[];
      error?: { code: SearchError['code']; message: string };
    };

/** Posted on the port that a busy worker reads between two entries: nothing after `bound` is wanted. */
export interface News {
  run: number;
  bound: string;
}

export interface WorkerStart {
  control: Int32Array;
  news: MessagePort;
}

/** Words of the memory that the main thread shares with each worker. */
export const CONTROL = {
  /** Raised after any change of the others. */
  attention: 0,
  /** The run to stop working for. */
  stop: 1,
  /** What to hand back: nothing, half of the work, or all of it. */
  give: 2,
  words: 3,
} as const;
export const GIVE_HALF = 1;
export const GIVE_ALL = 2;

/** Counters of one worker for one run, written while it works. */
export const COUNT = {
  filesSeen: 0,
  directoriesSeen: 1,
  filesSearched: 2,
  filesSkippedBinary: 3,
  filesSkippedLarge: 4,
  linesSplit: 5,
  errors: 6,
  found: 7,
  words: 8,
} as const;

export const FIRST_FAILURES = 8;
