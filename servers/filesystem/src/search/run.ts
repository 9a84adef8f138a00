import { displayPath } from './display.ts';
import { Gathering } from './gather.ts';
import { type Chunk, COUNT, FIRST_FAILURES, READ_UNIT, type Task } from './messages.ts';
import { orderKey } from './order.ts';
import type { SearchCounts, SearchFailure, SearchOutcome } from './outcome.ts';
import type { Job } from './query.ts';
import { fileResults, lineResults, nameResults, type Results } from './results.ts';

/** The progress of a search; numbers only grow. */
export interface SearchProgress {
  filesSeen: number;
  filesSearched: number;
  found: number;
  /** Bytes searched in the present files. */
  bytes: number;
}

/** One search: its waiting tasks and its results so far. */
export class Run {
  readonly id: number;
  readonly job: Job;
  readonly outcome: Promise<SearchOutcome>;
  /** Workers that have a task of this run. */
  busy = 0;
  stopped = false;
  bound: string | undefined;
  readonly #gathering: Gathering;
  readonly #counts: Int32Array[] = [];
  readonly #failures: SearchFailure[] = [];
  #queue: { key: string; task: Task }[] = [{ key: '', task: { prefix: '' } }];
  #reason: unknown;
  #settle!: { resolve: (outcome: SearchOutcome) => void; reject: (reason: unknown) => void };

  constructor(id: number, job: Job) {
    this.id = id;
    this.job = job;
    this.#gathering = new Gathering(job.limit);
    this.outcome = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
  }

  get waiting(): boolean {
    return this.#queue.length > 0;
  }

  /** Allocates shared memory for one more worker's counters. */
  newCounts(): Int32Array {
    const counts = new Int32Array(new SharedArrayBuffer(COUNT.words * Int32Array.BYTES_PER_ELEMENT));
    this.#counts.push(counts);
    return counts;
  }

  enqueue(tasks: readonly Task[]): void {
    if (this.stopped) return;
    for (const task of tasks) this.#queue.push({ key: firstKey(task), task });
    this.#prune();
  }

  /** Removes and returns the waiting task that is first in the order of results, which fills the limit soonest. */
  takeTask(): Task {
    const first = this.#queue.reduce((least, entry) => (entry.key < least.key ? entry : least));
    this.#queue.splice(this.#queue.indexOf(first), 1);
    return first.task;
  }

  /** Adds a worker's results; returns whether the bound changed, which the other workers need to know. */
  found(chunk: Chunk): boolean {
    if (this.stopped) return false;
    const bound = this.#gathering.add(chunk);
    if (bound === undefined || bound === this.bound) return false;
    this.bound = bound;
    this.#prune();
    return true;
  }

  failed(failures: readonly SearchFailure[]): void {
    this.#failures.push(...failures);
  }

  /** Stops the search; it settles when no worker uses its root any more. */
  stop(reason: unknown): void {
    if (this.stopped) return;
    this.stopped = true;
    this.#reason = reason;
    this.#queue = [];
  }

  /** Settles the outcome if no work is left; returns whether it did. */
  settle(): boolean {
    if (this.busy > 0 || this.waiting) return false;
    if (this.stopped) this.#settle.reject(this.#reason);
    else this.#settle.resolve(this.#outcome());
    return true;
  }

  progress(): SearchProgress {
    const { filesSeen, filesSearched } = this.#totals();
    return {
      filesSeen,
      filesSearched,
      found: this.#total(COUNT.found),
      bytes: this.#total(COUNT.read) * READ_UNIT,
    };
  }

  #outcome(): SearchOutcome {
    const failures = this.#failures
      .sort((a, b) => (orderKey(a.path) < orderKey(b.path) ? -1 : 1))
      .slice(0, FIRST_FAILURES)
      .map(({ path, code }) => ({ path: displayPath(path), code }));
    return { ...resultsOf(this.job, this.#gathering.chunks()), counts: this.#totals(), failures };
  }

  #totals(): SearchCounts {
    return {
      filesSeen: this.#total(COUNT.filesSeen),
      directoriesSeen: this.#total(COUNT.directoriesSeen),
      filesSearched: this.#total(COUNT.filesSearched),
      filesSkippedBinary: this.#total(COUNT.filesSkippedBinary),
      filesSkippedLarge: this.#total(COUNT.filesSkippedLarge),
      linesSplit: this.#total(COUNT.linesSplit),
      errors: this.#total(COUNT.errors),
      ignored: this.#total(COUNT.ignored),
    };
  }

  #total(word: number): number {
    return this.#counts.reduce((sum, counts) => sum + counts[word]!, 0);
  }

  #prune(): void {
    const bound = this.bound;
    if (bound !== undefined) this.#queue = this.#queue.filter(({ key }) => key <= bound);
  }
}

function resultsOf({ content, limit }: Job, chunks: readonly Chunk[]): Results {
  if (content === undefined) return nameResults(chunks, limit);
  if (content.output === 'matches') return lineResults(chunks, limit);
  return fileResults(chunks, limit, content.output === 'counts');
}

function firstKey({ prefix, names }: Task): string {
  if (names === undefined) return orderKey(prefix);
  const end = names.indexOf('/');
  return orderKey(prefix + (end === -1 ? names : names.slice(0, end)));
}
