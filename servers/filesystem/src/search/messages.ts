import type { MessagePort } from 'node:worker_threads';
import type { IgnoreTexts } from './ignores.ts';
import type { LineMatch, SearchFailure } from './outcome.ts';
import type { Job, SearchError } from './query.ts';

/** Entries of one directory still to be looked at; without names, all below the root. */
export interface Task {
  /** '' or a byte path that ends in '/'. */
  prefix: string;
  /** Joined by '/', in order. */
  names?: string;
  kinds?: Uint8Array;
  /** The ignore files that count there, the outermost first. */
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
  /** How many results it stands for. */
  size: number;
  name?: { letter: string; bytes: number; modified: number };
  file?: FoundContent;
}

/**
 * A part of what one run found: for names one string of type letter and path, joined by NUL, and how many entries each
 * holds that was not entered; in order, except for what is ranked.
 */
export type Chunk =
  | { names: string; size: number; entries?: Map<number, number> }
  | { files: FoundContent[]; size: number }
  | { ranked: Ranked[]; size: number };

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
      /** `system` is what the system answered */
      error?: { code: SearchError['code']; message: string; system?: string };
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
  ignored: 8,
  /** How far the file is searched that is searched now, in units of `READ_UNIT`. */
  read: 9,
  words: 10,
} as const;

/** A search counts bytes in these, so that 32 bits hold them. */
export const READ_UNIT = 64 * 1024;

export const FIRST_FAILURES = 8;
