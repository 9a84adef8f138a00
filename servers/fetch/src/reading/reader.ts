import { SHARE_ENV, Worker } from 'node:worker_threads';
import { guarded } from '@rootbound/kit/call';
import { WebError } from '../failure.ts';
import { AHEAD, claim, type FromReader, type Task, type Tasks, type ToReader } from './worker-messages.ts';

const MOST_HEAP_MB = 256;
// a page's objects are garbage when it is done, so more room would only take more memory
const MOST_YOUNG_MB = 32;

/** A task of a worker, with the promise of its caller. */
export interface Job {
  readonly task: Task;
  readonly given: Tasks[Task]['given'];
  /** milliseconds that the task may take once it has begun */
  readonly deadlineMs: number;
  readonly late: () => Error;
  readonly resolve: (result: Tasks[Task]['result']) => void;
  readonly reject: (error: unknown) => void;
}

/** The events of a reader. */
export interface ReaderEvents {
  /** it can take another job */
  readonly free: (reader: Reader) => void;
  /** its worker has ended; jobs that had not begun are passed on */
  readonly gone: (reader: Reader, left: readonly Job[]) => void;
}

/**
 * A worker thread that runs one task at a time. It holds a second one to begin at once, because the main thread takes
 * as long to send the next task as a small page takes.
 */
export class Reader {
  readonly #worker: Worker;
  readonly #events: ReaderEvents;
  readonly #claims = new Int32Array(new SharedArrayBuffer(AHEAD * Int32Array.BYTES_PER_ELEMENT));
  readonly #jobs: { readonly id: number; readonly job: Job }[] = [];
  #lastId = 0;
  #isReady = false;
  #isGone = false;
  #timer: NodeJS.Timeout | undefined;
  /** start of its current job, by `performance.now()` */
  #begunAt = Number.POSITIVE_INFINITY;

  constructor(file: string | URL, events: ReaderEvents) {
    this.#events = events;
    this.#worker = new Worker(file, {
      env: SHARE_ENV,
      execArgv: [],
      // the process's stdout may carry the protocol
      stdout: true,
      workerData: this.#claims,
      resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP_MB, maxYoungGenerationSizeMb: MOST_YOUNG_MB },
    });
    this.#worker.unref();
    let cause: Error | undefined;
    const hear = (message: FromReader): void => {
      if (message.type === 'ready') {
        this.#isReady = true;
        this.#begin();
      } else this.#take(message);
    };
    this.#worker.on(
      'message',
      guarded(hear, (error) => this.#leave(this.#jobs[0]?.job, error)),
    );
    this.#worker.on('error', (error: Error) => {
      cause = error;
    });
    this.#worker.on('exit', () => this.#leave(this.#jobs[0]?.job, endedBy(cause)));
  }

  /** The number of its jobs. */
  get load(): number {
    return this.#jobs.length;
  }

  /** The milliseconds that its current job has run. */
  get busyMs(): number {
    return Math.max(0, performance.now() - this.#begunAt);
  }

  has(job: Job): boolean {
    return this.#jobs.some((one) => one.job === job);
  }

  /** Gives the worker another job; the bytes are copied, not transferred. */
  give(job: Job): void {
    this.#lastId += 1;
    const id = this.#lastId;
    const { task, given } = job;
    Atomics.store(this.#claims, id % AHEAD, claim.open);
    this.#jobs.push({ id, job });
    this.#worker.ref();
    this.#worker.postMessage({ id, task, given } satisfies ToReader);
    if (this.#jobs.length === 1) this.#begin();
  }

  /** Takes back the job that has not begun; the worker will skip it. */
  takeBack(): Job | undefined {
    const last = this.#jobs[1];
    if (last === undefined || !this.#revoke(last.id)) return undefined;
    this.#jobs.pop();
    return last.job;
  }

  /** Cancels a job: removes it if it has not begun, else ends the worker. */
  drop(job: Job, reason: unknown): void {
    if (this.#jobs[1]?.job === job && this.takeBack() !== undefined) job.reject(reason);
    else this.#leave(job, reason);
  }

  /** Ends the worker in any state. */
  async end(reason: unknown): Promise<void> {
    this.#leave(this.#jobs[0]?.job, reason);
    await this.#worker.terminate();
  }

  #begin(): void {
    const [first] = this.#jobs;
    if (first === undefined || !this.#isReady) return;
    const { deadlineMs, late } = first.job;
    this.#begunAt = performance.now();
    this.#timer = setTimeout(() => this.#leave(first.job, late()), deadlineMs);
  }

  #revoke(id: number): boolean {
    return Atomics.compareExchange(this.#claims, id % AHEAD, claim.open, claim.revoked) === claim.open;
  }

  #take(message: Exclude<FromReader, { type: 'ready' }>): void {
    if (this.#isGone || message.id !== this.#jobs[0]?.id) return;
    const { job } = this.#jobs.shift()!;
    this.#rest();
    if (this.#jobs.length === 0) this.#worker.unref();
    else this.#begin();
    if (message.type === 'done') job.resolve(message.result);
    else if (message.type === 'fault') job.reject(new Error(message.stack));
    else job.reject(new WebError(message.failure.message, message.failure));
    this.#events.free(this);
  }

  /** Ends the worker; one job fails with this error, the others are passed on. */
  #leave(failed: Job | undefined, error: unknown): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#rest();
    const left = this.#jobs.splice(0).filter(({ job }) => job !== failed);
    failed?.reject(error);
    void this.#worker.terminate();
    this.#events.gone(
      this,
      left.map(({ job }) => job),
    );
  }

  #rest(): void {
    clearTimeout(this.#timer);
    this.#begunAt = Number.POSITIVE_INFINITY;
  }
}

function endedBy(cause: (Error & { code?: string }) | undefined): Error {
  if (cause?.code === 'ERR_WORKER_OUT_OF_MEMORY')
    return new WebError('parsing the page takes too much memory', {
      code: 'unreadable',
      hint: 'get its source with raw, or a part of it with selector',
    });
  return new Error('the worker that reads pages ended unexpectedly', { cause });
}
