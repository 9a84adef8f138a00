import { SHARE_ENV, Worker } from 'node:worker_threads';
import { WebError } from '../failure.ts';
import type { FromReader, Task, Tasks, ToReader } from './messages.ts';

const MOST_HEAP_MB = 256;
// what reading makes dies with the page, so more room for it is only more memory
const MOST_YOUNG_MB = 32;

interface Job {
  readonly id: number;
  readonly resolve: (result: Tasks[Task]['result']) => void;
  readonly reject: (error: unknown) => void;
}

/** One worker thread, which does one thing at a time. */
export class Reader {
  readonly #worker: Worker;
  #job: Job | undefined;
  #lastId = 0;
  #stopped: unknown;
  isGone = false;
  /** whether somebody reads with it or is about to */
  isTaken = false;
  /** resolves when it has loaded; rejects when it cannot */
  readonly ready: Promise<void>;

  constructor(file: string | URL) {
    this.#worker = new Worker(file, {
      env: SHARE_ENV,
      execArgv: [],
      // stdout may be a protocol stream
      stdout: true,
      resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP_MB, maxYoungGenerationSizeMb: MOST_YOUNG_MB },
    });
    this.#worker.unref();
    let cause: Error | undefined;
    this.ready = new Promise((resolve, reject) => {
      this.#worker.on('message', (message: FromReader) => {
        if (message.type === 'ready') resolve();
        else this.#take(message);
      });
      this.#worker.on('error', (error: Error) => {
        cause = error;
      });
      this.#worker.on('exit', () => {
        this.isGone = true;
        const error = this.#stopped ?? endedBy(cause);
        reject(error);
        this.#settle((job) => job.reject(error));
      });
    });
    // whoever reads hears of it
    this.ready.catch(() => {});
  }

  /** Does one task; the bytes stay with the caller. */
  perform<T extends Task>(task: T, given: Tasks[T]['given']): Promise<Tasks[T]['result']> {
    return new Promise((resolve, reject) => {
      this.#lastId += 1;
      this.#job = { id: this.#lastId, resolve, reject };
      this.#worker.ref();
      this.#worker.postMessage({ id: this.#lastId, task, given } satisfies ToReader<T>);
    });
  }

  /** Ends it in the middle of whatever it does: what it was doing fails with this. */
  stop(error: unknown): void {
    this.isGone = true;
    this.#stopped = error;
    this.#settle((job) => job.reject(error));
    void this.#worker.terminate();
  }

  async end(): Promise<void> {
    this.isGone = true;
    await this.#worker.terminate();
  }

  #take(message: Exclude<FromReader, { type: 'ready' }>): void {
    if (message.id !== this.#job?.id) return;
    this.#settle((job) => {
      if (message.type === 'done') job.resolve(message.result);
      else if (message.type === 'fault') job.reject(new Error(message.stack));
      else job.reject(new WebError(message.failure.message, message.failure));
    });
  }

  #settle(tell: (job: Job) => void): void {
    const job = this.#job;
    if (job === undefined) return;
    this.#job = undefined;
    this.#worker.unref();
    tell(job);
  }
}

function endedBy(cause: (Error & { code?: string }) | undefined): Error {
  if (cause?.code === 'ERR_WORKER_OUT_OF_MEMORY')
    return new WebError('the page takes too much memory to be read', {
      code: 'unreadable',
      hint: 'ask for its source with raw, or for a part of it with selector',
    });
  return new Error('the worker that reads pages ended unexpectedly', { cause });
}
