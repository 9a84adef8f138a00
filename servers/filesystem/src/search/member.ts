import { MessageChannel, type MessagePort, SHARE_ENV, Worker } from 'node:worker_threads';
import { guarded } from '@rootbound/kit/call';
import { type BoundUpdate, CONTROL, type FromWorker, type ToWorker, type WorkerStart } from './messages.ts';
import type { Run } from './run.ts';

const MOST_HEAP_MB = 512;
// objects of a search are short-lived, so a larger young generation only takes memory
const MOST_YOUNG_MB = 8;

/** One worker thread and its present run. */
export class Member {
  run: Run | undefined;
  /** Whether work was requested from it and has not been handed over. */
  asked = false;
  readonly ready: Promise<void>;
  readonly #worker: Worker;
  readonly #control: Int32Array;
  readonly #updates: MessagePort;
  readonly #knows = new Set<number>();

  constructor(
    file: string | URL,
    on: {
      message: (from: Member, message: FromWorker) => void;
      exit: (from: Member, cause: unknown) => void;
    },
  ) {
    this.#control = new Int32Array(new SharedArrayBuffer(CONTROL.words * Int32Array.BYTES_PER_ELEMENT));
    const { port1, port2 } = new MessageChannel();
    this.#updates = port1;
    const workerData: WorkerStart = { control: this.#control, updates: port2 };
    this.#worker = new Worker(file, {
      workerData,
      transferList: [port2],
      env: SHARE_ENV,
      execArgv: [],
      // the process's stdout may be a protocol stream
      stdout: true,
      resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP_MB, maxYoungGenerationSizeMb: MOST_YOUNG_MB },
    });
    let cause: unknown;
    this.ready = new Promise((resolve, reject) => {
      const receive = (message: FromWorker): void => {
        if (message.type === 'ready') resolve();
        else on.message(this, message);
      };
      this.#worker.on(
        'message',
        guarded(receive, (error) => {
          cause = error;
          // the exit ends the search
          void this.#worker.terminate();
        }),
      );
      this.#worker.on('error', (error) => {
        cause = error;
      });
      this.#worker.on('exit', (code) => {
        reject(cause ?? new Error(`exit code ${code}`));
        on.exit(this, cause ?? new Error(`exit code ${code}`));
      });
    });
    // callers that wait for `ready` get the rejection; a search gets the exit
    this.ready.catch(() => {});
  }

  work(run: Run): void {
    this.run = run;
    run.busy++;
    const start = this.#knows.has(run.id) ? undefined : { job: run.job, counts: run.newCounts() };
    this.#knows.add(run.id);
    if (run.bound !== undefined) this.notify({ run: run.id, bound: run.bound });
    this.#post({ type: 'task', run: run.id, task: run.takeTask(), ...(start && { start }) });
  }

  rest(): void {
    if (this.run !== undefined) this.run.busy--;
    this.run = undefined;
    this.asked = false;
  }

  /** Requests half or all of the work. */
  ask(what: number): void {
    this.asked = true;
    this.#set(CONTROL.give, what);
  }

  /** Makes the worker stop its present run within one file or piece of a file. */
  stop(): void {
    this.#set(CONTROL.stop, this.run?.id ?? 0);
  }

  notify(update: BoundUpdate): void {
    this.#updates.postMessage(update);
    Atomics.add(this.#control, CONTROL.attention, 1);
  }

  forget(run: Run): void {
    if (this.#knows.delete(run.id)) this.#post({ type: 'forget', run: run.id });
  }

  /** Sets whether this worker keeps the process alive. */
  keepAlive(needed: boolean): void {
    if (needed) this.#worker.ref();
    else this.#worker.unref();
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #set(word: number, value: number): void {
    Atomics.store(this.#control, word, value);
    Atomics.add(this.#control, CONTROL.attention, 1);
  }

  #post(message: ToWorker): void {
    this.#worker.postMessage(message);
  }
}
