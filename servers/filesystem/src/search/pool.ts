import { Member } from './member.ts';
import { type FromWorker, GIVE_ALL, GIVE_HALF } from './messages.ts';
import type { SearchOutcome } from './outcome.ts';
import { type Job, SearchError } from './query.ts';
import { Run, type SearchProgress } from './run.ts';

const PROGRESS_EVERY_MS = 100;

type Done = Extract<FromWorker, { type: 'done' }>;

export interface RunOptions {
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: SearchProgress) => void) | undefined;
}

/** The worker threads, and the searches that share them. */
export class Pool {
  readonly #file: string | URL;
  readonly #size: number;
  readonly #members = new Set<Member>();
  readonly #runs = new Set<Run>();
  #lastRun = 0;
  #warming = 0;
  #closed = false;

  constructor(file: string | URL, size: number) {
    this.#file = file;
    this.#size = size;
  }

  async warm(): Promise<void> {
    this.#fillUp();
    this.#warming++;
    this.#keepAlive();
    try {
      await Promise.all([...this.#members].map((member) => member.ready));
    } finally {
      this.#warming--;
      this.#keepAlive();
    }
  }

  async search(job: Job, { signal, onProgress }: RunOptions): Promise<SearchOutcome> {
    signal?.throwIfAborted();
    if (this.#closed) throw new SearchError('closed', 'the search is closed');
    this.#fillUp();
    const run = new Run(++this.#lastRun, job);
    const abort = () => this.#stop(run, signal?.reason);
    const report = onProgress && (() => onProgress(run.progress()));
    const timer = report && setInterval(report, PROGRESS_EVERY_MS);
    signal?.addEventListener('abort', abort, { once: true });
    this.#runs.add(run);
    this.#keepAlive();
    this.#dispatch();
    try {
      const outcome = await run.outcome;
      report?.();
      return outcome;
    } finally {
      clearInterval(timer);
      signal?.removeEventListener('abort', abort);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const run of this.#runs) run.stop(new SearchError('closed', 'the search was closed'));
    await Promise.all([...this.#members].map((member) => member.end()));
  }

  #fillUp(): void {
    while (!this.#closed && this.#members.size < this.#size) {
      const member = new Member(this.#file, {
        message: (from, message) => this.#receive(from, message),
        exit: (from, cause) => this.#onExit(from, cause),
      });
      this.#members.add(member);
    }
    this.#keepAlive();
  }

  #receive(from: Member, message: FromWorker): void {
    const run = from.run;
    if (run === undefined || message.type === 'ready') return;
    switch (message.type) {
      case 'give':
        from.asked = false;
        run.enqueue(message.tasks);
        break;
      case 'found':
        if (run.found(message.chunk)) this.#sendBound(run);
        return;
      case 'done':
        run.failed(message.failures);
        from.rest();
        if (message.error !== undefined) this.#stop(run, asError(message.error));
        break;
    }
    this.#settle(run);
    this.#dispatch();
  }

  #onExit(member: Member, cause: unknown): void {
    this.#members.delete(member);
    const run = member.run;
    if (run === undefined) return;
    member.rest();
    this.#stop(run, new SearchError('worker', 'a search worker stopped unexpectedly: try again', { cause }));
    this.#settle(run);
    if (this.#runs.size > 0) this.#fillUp();
    this.#dispatch();
  }

  #stop(run: Run, reason: unknown): void {
    run.stop(reason);
    for (const member of this.#members) if (member.run === run) member.stop();
    this.#settle(run);
  }

  #settle(run: Run): void {
    if (!this.#runs.has(run) || !run.settle()) return;
    this.#runs.delete(run);
    for (const member of this.#members) member.forget(run);
    this.#keepAlive();
  }

  /** Gives tasks to idle workers, then requests work from busy ones: half, or all if a search has no worker. */
  #dispatch(): void {
    const members = [...this.#members];
    let idle = 0;
    for (const member of members) {
      if (member.run !== undefined) continue;
      const run = this.#next();
      if (run === undefined) idle++;
      else member.work(run);
    }
    const busy = members.filter(({ run, asked }) => run !== undefined && !run.stopped && !asked);
    for (const member of busy.slice(0, idle)) member.ask(GIVE_HALF);
    if (idle > 0 || ![...this.#runs].some((run) => run.waiting && run.busy === 0)) return;
    busy.sort((a, b) => b.run!.busy - a.run!.busy)[0]?.ask(GIVE_ALL);
  }

  /** Returns the waiting search with the fewest workers. */
  #next(): Run | undefined {
    let least: Run | undefined;
    for (const run of this.#runs) {
      if (run.waiting && (least === undefined || run.busy < least.busy)) least = run;
    }
    return least;
  }

  #sendBound(run: Run): void {
    for (const member of this.#members) {
      if (member.run === run) member.notify({ run: run.id, bound: run.bound! });
    }
  }

  /** Keeps the process alive while there is work. */
  #keepAlive(): void {
    for (const member of this.#members) member.keepAlive(this.#runs.size + this.#warming > 0);
  }
}

function asError({ code, message, system }: NonNullable<Done['error']>): SearchError {
  const cause = system && Object.assign(new Error(message), { code: system });
  return new SearchError(code, message, cause ? { cause } : {});
}
