import type { ToolError } from '@rootbound/protocol';
import { fromLane, type Mode, type Opened, type Opening, toLane } from '../shared/frames.ts';
import { cancelled, cannotStart, closing, ended, tooLate } from './call-errors.ts';
import type { Child } from './child.ts';
import { type LaneReply, parseProgress, parseReply, toolErrorOf } from './reply.ts';

export interface RunOptions {
  readonly signal?: AbortSignal | undefined;
  /** a call whose signal is created only when needed, which most calls end before */
  readonly call?: { readonly signal: AbortSignal } | undefined;
  /** time limit, ms; default that of the lane */
  readonly deadlineMs?: number | undefined;
  readonly onProgress?: ((done: number, total?: number, message?: string) => void) | undefined;
  /** receives the verb's output; the lane waits for a returned promise */
  readonly onData?: ((bytes: Buffer) => void | Promise<void>) | undefined;
  /** the verb's input */
  readonly source?: AsyncIterable<Buffer> | undefined;
}

interface Job {
  readonly verb: string;
  readonly args: unknown;
  readonly options: RunOptions;
  readonly resolve: (reply: LaneReply<unknown>) => void;
  readonly reject: (error: unknown) => void;
  /** iterator of its source */
  reading: AsyncIterator<Buffer> | undefined;
  signal: AbortSignal | undefined;
  /** listener of its signal */
  onAbort: (() => void) | undefined;
  /** when to check it and when to stop it, by `performance.now()`, and the failure then */
  checkAt: number;
  until: number;
  lateError: () => ToolError;
}

/** State shared by the lanes of one database. */
export interface SharedState {
  /** the first lane found no -wal and -shm files */
  ownsSideFiles: boolean;
}

export interface LaneOptions {
  readonly opening: Omit<Opening, 'ownsSideFiles'>;
  readonly deadlineMs: number;
  readonly shared: SharedState;
  /** returns a process that loads the driver */
  readonly start: () => Child;
  /** called after the process of a writing lane was killed during a call */
  readonly onKilled: () => void;
}

/** One database in one mode: calls run in turn in a process, which is started again after it was killed. */
export class Lane {
  readonly #options: LaneOptions;
  readonly #queue: Job[] = [];
  #child: Child | undefined;
  #opened: Promise<void> | undefined;
  #isOpen = false;
  #job: Job | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** when the timer fires, by `performance.now()` */
  #timerAt = 0;
  /** delivery of received data, and number of pieces under way */
  #pending: Promise<void> = Promise.resolve();
  #delivering = 0;
  /** when it last became idle, by `performance.now()` */
  usedAt = performance.now();

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  get mode(): Mode {
    return this.#options.opening.mode;
  }

  /** Returns whether it is open on this file. */
  isOf(dev: string, ino: string): boolean {
    const { opening } = this.#options;
    return opening.dev === dev && opening.ino === ino;
  }

  get isBusy(): boolean {
    return this.#job !== undefined || this.#queue.length > 0;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  run(verb: string, args: unknown, options: RunOptions): Promise<LaneReply<unknown>> {
    if (options.signal?.aborted) return Promise.reject(cancelled());
    return new Promise((resolve, reject) => {
      const job: Job = {
        verb,
        args,
        options,
        resolve,
        reject,
        reading: undefined,
        signal: undefined,
        onAbort: undefined,
        checkAt: 0,
        until: Number.POSITIVE_INFINITY,
        lateError: ended,
      };
      // a call that has to wait needs its signal at once
      const signal = options.signal ?? (this.#isOpen && !this.isBusy ? undefined : options.call?.signal);
      if (signal !== undefined) this.#listen(job, signal);
      this.#queue.push(job);
      this.#next();
    });
  }

  /** Opens the database, which rolls back the journal of a killed writer. */
  recover(): Promise<void> {
    return this.#open();
  }

  /** Ends the process, and rejects the call that is running and those that wait. */
  async close(): Promise<void> {
    for (const job of this.#queue.splice(0)) end(job, () => job.reject(closing()));
    // a killed process has left side files, which a new one removes
    if (this.#child === undefined && this.#options.shared.ownsSideFiles) await this.#open().catch(() => {});
    const child = this.#child;
    if (child === undefined) return;
    this.#forget(child);
    child.ref();
    if (this.#job === undefined) return child.end();
    await child.kill();
    this.#fail(closing());
  }

  #listen(job: Job, signal: AbortSignal): void {
    job.signal = signal;
    job.onAbort = () => this.#abort(job);
    signal.addEventListener('abort', job.onAbort, { once: true });
  }

  /** Drops a waiting job, or kills the process of a running one. */
  #abort(job: Job): void {
    if (job === this.#job) {
      this.#kill(cancelled());
      return;
    }
    const at = this.#queue.indexOf(job);
    if (at === -1) return;
    this.#queue.splice(at, 1);
    job.reject(cancelled());
  }

  #next(): void {
    if (this.#job !== undefined) return;
    const job = this.#queue.shift();
    if (job === undefined) {
      this.usedAt = performance.now();
      return;
    }
    this.#job = job;
    // an open lane is called synchronously: a microtask would cost a turn
    if (this.#isOpen) this.#begin(job);
    else
      this.#open().then(
        () => this.#job === job && this.#begin(job),
        (error: unknown) => {
          if (this.#job === job) this.#settle(() => job.reject(error));
        },
      );
  }

  #begin(job: Job): void {
    const child = this.#child;
    if (child === undefined) {
      this.#fail(ended());
      return;
    }
    const { verb, args } = job;
    const { deadlineMs = this.#options.deadlineMs } = job.options;
    const now = performance.now();
    job.until = now + deadlineMs;
    job.lateError = () => tooLate(deadlineMs);
    job.checkAt = Math.min(job.until, now + MOMENT_MS);
    this.#scheduleCheck(now, job.checkAt);
    child.send(toLane.request, [JSON.stringify({ verb, args })]);
  }

  /** Sets the timer to check the job then or earlier; one timer serves many short jobs. */
  #scheduleCheck(now: number, at: number): void {
    if (this.#timer !== undefined && this.#timerAt <= at) return;
    clearTimeout(this.#timer);
    this.#timerAt = at;
    this.#timer = setTimeout(() => this.#check(), Math.ceil(at - now));
  }

  #check(): void {
    this.#timer = undefined;
    const job = this.#job;
    // opening has a time limit of its own
    if (job === undefined || job.until === Number.POSITIVE_INFINITY) return;
    const now = performance.now();
    if (now >= job.until) {
      this.#kill(job.lateError());
      return;
    }
    if (now < job.checkAt) {
      // the timer was set for an earlier job
      this.#scheduleCheck(now, job.checkAt);
      return;
    }
    const signal = job.onAbort === undefined ? job.options.call?.signal : undefined;
    if (signal?.aborted) {
      this.#kill(cancelled());
      return;
    }
    if (signal !== undefined) this.#listen(job, signal);
    this.#scheduleCheck(now, job.until);
  }

  #open(): Promise<void> {
    if (this.#opened !== undefined) return this.#opened;
    const child = this.#options.start();
    this.#child = child;
    const opened = this.#openIn(child);
    this.#opened = opened;
    opened.then(
      () => {
        if (this.#child === child) this.#isOpen = true;
      },
      () => {
        if (this.#child !== child) return;
        this.#child = undefined;
        this.#opened = undefined;
        void child.kill();
      },
    );
    return opened;
  }

  async #openIn(child: Child): Promise<void> {
    await child.ready.catch((error: unknown) => {
      throw cannotStart(error);
    });
    const opening = new Promise<Opened>((resolve, reject) => {
      child.attach({
        frame: (kind, bytes) => {
          if (kind === fromLane.failure) reject(toolErrorOf(bytes));
          else resolve(parseReply(bytes).reply.facts as Opened); // the first frame after `open` is its reply
        },
        gone: () => reject(ended()),
      });
    });
    const args: Opening = { ...this.#options.opening, ownsSideFiles: this.#options.shared.ownsSideFiles };
    child.send(toLane.request, [JSON.stringify({ verb: 'open', args })]);
    const { deadlineMs } = this.#options;
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      void child.kill();
    }, deadlineMs);
    try {
      this.#options.shared.ownsSideFiles = (await opening).ownsSideFiles;
    } catch (error) {
      throw isLate ? tooLate(deadlineMs) : error;
    } finally {
      clearTimeout(timer);
    }
    child.attach({
      frame: (kind, bytes) => this.#take(child, kind, bytes),
      gone: () => this.#lost(child),
    });
  }

  #take(child: Child, kind: number, bytes: Buffer): void {
    const job = this.#job;
    if (job === undefined || child !== this.#child) return;
    if (kind === fromLane.data) this.#deliver(child, job, bytes);
    else if (kind === fromLane.need) this.#feed(child, job);
    else if (kind === fromLane.progress) job.options.onProgress?.(...parseProgress(bytes));
    else this.#after(() => this.#answer(job, kind, bytes));
  }

  #answer(job: Job, kind: number, bytes: Buffer): void {
    if (kind === fromLane.failure) {
      this.#settle(() => job.reject(toolErrorOf(bytes)));
      return;
    }
    if (kind === fromLane.idle) {
      this.#settle(() => {});
      return;
    }
    const { reply, continues } = parseReply(bytes);
    if (!continues) {
      this.#settle(() => job.resolve(reply));
      return;
    }
    // no caller waits for the rest, so none can cancel it
    const now = performance.now();
    job.until = now + MOST_AFTER_MS;
    job.lateError = ended;
    job.onAbort ??= nothing;
    this.#scheduleCheck(now, job.until);
    end(job, () => job.resolve(reply));
  }

  /** Runs `work` after the data before it was delivered. */
  #after(work: () => void): void {
    if (this.#delivering === 0) work();
    else this.#pending = this.#pending.then(work);
  }

  #deliver(child: Child, job: Job, bytes: Buffer): void {
    this.#delivering += 1;
    child.pause();
    this.#pending = this.#pending
      .then(() => job.options.onData?.(bytes))
      .then(
        () => child.resume(),
        (error: unknown) => this.#kill(error),
      )
      .finally(() => {
        this.#delivering -= 1;
      });
  }

  #feed(child: Child, job: Job): void {
    job.reading ??= job.options.source?.[Symbol.asyncIterator]() ?? none();
    job.reading.next().then(
      ({ done, value }) => {
        if (done === true) child.send(toLane.end, []);
        else child.send(toLane.chunk, [value]);
      },
      (error: unknown) => this.#kill(error),
    );
  }

  /** Kills the process during a job; SQLite rolls back uncommitted changes. */
  #kill(error: unknown): void {
    const child = this.#child;
    if (child === undefined || this.#job === undefined) return;
    this.#forget(child);
    void child.kill().then(() => {
      this.#fail(error);
      if (this.mode === 'write') this.#options.onKilled();
    });
  }

  #lost(child: Child): void {
    if (this.#child !== child) return;
    this.#forget(child);
    if (this.mode === 'write') this.#options.onKilled();
    this.#fail(ended());
  }

  #forget(child: Child): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    this.#opened = undefined;
    this.#isOpen = false;
  }

  #fail(error: unknown): void {
    const job = this.#job;
    if (job === undefined) return;
    this.#settle(() => job.reject(error));
  }

  #settle(tell: () => void): void {
    const job = this.#job;
    if (this.#timer !== undefined && this.#timerAt > performance.now() + MOMENT_MS) {
      // a finished job must not keep the server's process alive
      clearTimeout(this.#timer);
      this.#timer = undefined;
    }
    this.#job = undefined;
    if (job === undefined) return;
    // lets the source clean up
    void job.reading?.return?.();
    end(job, tell);
    this.#next();
  }
}

/** Time limit of work after an answer, ms. */
const MOST_AFTER_MS = 30_000;
/** Calls that end within this time need neither timer nor signal, ms. */
const MOMENT_MS = 10;

function end({ signal, onAbort }: Job, tell: () => void): void {
  if (onAbort !== undefined) signal?.removeEventListener('abort', onAbort);
  tell();
}

function nothing(): void {}

async function* none(): AsyncGenerator<Buffer> {}
