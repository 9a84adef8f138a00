import type { MessagePort } from 'node:worker_threads';
import type { IgnoreTexts } from './ignores.ts';
import type { LineMatch, SearchFailure } from './outcome.ts';
import type { Job, SearchError } from './query.ts';

/** Entries of one directory that are to be searched; without names, the whole root. */
export interface Task {
  /** '' or a byte path that ends in '/'. */
  prefix: string;
  /** Joined by '/', in order. */
  names?: string;
  kinds?: Uint8Array;
  /** The ignore files that apply there, the outermost first. */
  ignores?: IgnoreTexts[];
}

export interface FoundContent {
  path: string;
  count: number;
  lines: LineMatch[];
}

/** A result of a search that is not sorted by path. */
export interface Ranked {
  key: number;
  path: string;
  /** Number of results that it counts as. */
  size: number;
  name?: { letter: string; bytes: number; modified: number };
  file?: FoundContent;
}

/**
 * A part of the results of a run: names as one string of type letter and path, joined by NUL, with the number of
 * entries of each directory that was not entered. It is in order, except for ranked results.
 */
export type Chunk =
  | { names: string; size: number; entries?: Map<number, number> }
  | { files: FoundContent[]; size: number }
  | { ranked: Ranked[]; size: number };

export interface TaskMessage {
  type: 'task';
  run: number;
  task: Task;
  /** Present in the first task of a run for this worker. */
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
      /** `system` is the system's error code */
      error?: { code: SearchError['code']; message: string; system?: string };
    };

/** Message to a busy worker, which reads it between two entries: no result after `bound` is needed. */
export interface BoundUpdate {
  run: number;
  bound: string;
}

export interface WorkerStart {
  control: Int32Array;
  updates: MessagePort;
}

/** Words of the memory that the main thread shares with each worker. */
export const CONTROL = {
  /** Incremented after each change of the other words. */
  attention: 0,
  /** The id of the run to stop. */
  stop: 1,
  /** The requested part of the work: 0, GIVE_HALF or GIVE_ALL. */
  give: 2,
  words: 3,
} as const;
export const GIVE_HALF = 1;
export const GIVE_ALL = 2;

/** Indices of the counters of one worker for one run, in shared memory. */
export const COUNT = {
  filesSeen: 0,
  directoriesSeen: 1,
  filesSearched: 2,
  filesSkippedBinary: 3,
  filesSkippedLarge: 4,
  linesSplit: 5,
  errors: 6,
  found: 7,
  ignored: 8,
  /** Progress in the present file, in units of `READ_UNIT`. */
  read: 9,
  words: 10,
} as const;

/** Unit of byte counters, in bytes, so that they fit into 32 bits. */
export const READ_UNIT = 64 * 1024;

export const FIRST_FAILURES = 8;
