import { availableParallelism } from 'node:os';
import { WebError } from '../failure.ts';
import { type FindOptions, type FindResult, findIn } from '../pages/find.ts';
import { type Compared, diffPages, type PageDiff, type PageDiffOptions } from '../pages/page-diff.ts';
import type { Written } from '../pages/written.ts';
import { AHEAD, type Task, type Tasks } from './messages.ts';
import { type Job, Reader } from './reader.ts';
import type { Reading, ReadRequest } from './reading.ts';

export interface ReadersOptions {
  /** the built worker */
  readonly file: string | URL;
  /** how many pages are read at once */
  readonly size: number;
  /** how many of them without one that takes long; one processor is for what is not reading, unless given */
  readonly eager?: number;
  /** how long one page may take, and how long one whose main content could not be found in that time, ms */
  readonly deadlineMs?: number;
  readonly againMs?: number;
}

const DEADLINE_MS = 3_000;
const AGAIN_MS = 1_500;
/** What waits for a page that takes longer than that has a worker started for it. */
const PATIENCE_MS = 100;
/** Characters of a text that is searched at once, without a worker: five milliseconds where every line matches. */
const SHORT = 65_536;

/** Worker threads that read, search and compare pages: each in one that can be ended in the middle. */
export class Readers {
  readonly #options: ReadersOptions;
  readonly #eager: number;
  readonly #readers = new Set<Reader>();
  readonly #waiting: Job[] = [];
  #patience: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: ReadersOptions) {
    this.#options = options;
    const { size, eager = availableParallelism() - 1 } = options;
    this.#eager = Math.max(1, Math.min(size, eager));
  }

  /** Starts a worker before the first page needs one. */
  warm(): void {
    if (this.#readers.size === 0 && !this.#closed) this.#start();
  }

  /**
   * The page as text. One whose main content is not found in time is read as a whole, and says so; one that takes too
   * long even then fails. Ends the work at once when the signal fires.
   */
  async read(request: ReadRequest, signal?: AbortSignal): Promise<Reading> {
    const { againMs = AGAIN_MS } = this.#options;
    try {
      return await this.#perform('read', request, this.#deadlineMs, signal);
    } catch (error) {
      if (!(error instanceof WebError && error.code === 'timeout') || request.want !== 'article') throw error;
    }
    const reading = await this.#perform('read', { ...request, want: 'page' }, againMs, signal);
    const { extraction } = reading;
    const notes = [...(extraction?.notes ?? []), 'looking for the main content took too long'];
    const whole = { method: 'whole page', coverage: 1, ...extraction, notes };
    return { ...reading, extraction: whole, isHurried: true };
  }

  /** Where a page says something. Ends the work at once when the signal fires. */
  async find(page: Written, options: FindOptions, signal?: AbortSignal): Promise<FindResult> {
    if (options.mode !== 'regex' && page.text.length <= SHORT) return findIn(page, options);
    return this.#perform('find', { page: writtenOf(page), options }, this.#deadlineMs, signal);
  }

  /** What has become of a page. Ends the work at once when the signal fires. */
  async compare(
    old: Compared,
    now: Compared,
    options: PageDiffOptions,
    signal?: AbortSignal,
  ): Promise<PageDiff> {
    // what a comparison takes depends on its lines, few as they may be
    if (old.reading.text === now.reading.text) return diffPages(old, now, options);
    const given = { old: comparedOf(old), now: comparedOf(now), options };
    return this.#perform('compare', given, this.#deadlineMs, signal);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#patience);
    for (const job of this.#waiting.splice(0)) job.reject(closing());
    await Promise.all([...this.#readers].map((reader) => reader.end(closing())));
  }

  get #deadlineMs(): number {
    return this.#options.deadlineMs ?? DEADLINE_MS;
  }

  async #perform<T extends Task>(
    task: T,
    given: Tasks[T]['given'],
    deadlineMs: number,
    signal?: AbortSignal,
  ): Promise<Tasks[T]['result']> {
    signal?.throwIfAborted();
    if (this.#closed) throw closing();
    let drop = (): void => {};
    try {
      return await new Promise<Tasks[T]['result']>((resolve, reject) => {
        const job: Job = { task, given, deadlineMs, late: () => tooLong(task), resolve, reject };
        drop = () => this.#drop(job, signal?.reason);
        signal?.addEventListener('abort', drop, { once: true });
        this.#waiting.push(job);
        this.#hand();
      });
    } finally {
      signal?.removeEventListener('abort', drop);
    }
  }

  #drop(job: Job, reason: unknown): void {
    const at = this.#waiting.indexOf(job);
    if (at === -1) {
      for (const reader of this.#readers) if (reader.has(job)) reader.drop(job, reason);
      return;
    }
    this.#waiting.splice(at, 1);
    job.reject(reason);
  }

  /** Gives what waits to readers, as far as they take it. */
  #hand(): void {
    for (let reader = this.#next(); reader !== undefined; reader = this.#next())
      reader.give(this.#waiting.shift()!);
    this.#wait();
  }

  /** Who takes the job that has waited longest. */
  #next(): Reader | undefined {
    if (this.#waiting.length === 0) return undefined;
    const [best] = [...this.#readers].sort((one, other) => one.load - other.load);
    if (best?.load === 0) return best;
    if (this.#readers.size < this.#eager) return this.#start();
    return best !== undefined && best.load < AHEAD ? best : undefined;
  }

  /** Starts another worker, where there may be one, for what waits behind a page that takes long. */
  #wait(): void {
    const mayStart = !this.#closed && this.#readers.size < this.#options.size;
    if (this.#patience !== undefined || !mayStart || !this.#isHeldUp) return;
    const look = (): void => {
      this.#patience = undefined;
      if (this.#closed) return;
      const takesLong = [...this.#readers].some(({ busyMs }) => busyMs >= PATIENCE_MS);
      if (takesLong && this.#isHeldUp) this.#relieve(this.#start());
      this.#wait();
    };
    // what has been read while this thread had other work is heard of first
    this.#patience = setTimeout(() => setImmediate(look), PATIENCE_MS);
    this.#patience.unref();
  }

  /** Whether something is not begun yet. */
  get #isHeldUp(): boolean {
    return this.#waiting.length > 0 || [...this.#readers].some(({ load }) => load > 1);
  }

  /** Gives a reader without work what another one has not come to, or what waits. */
  #relieve(reader: Reader): void {
    for (const other of this.#readers) {
      const job = other.takeBack();
      if (job === undefined) continue;
      reader.give(job);
      break;
    }
    this.#hand();
  }

  #start(): Reader {
    const reader = new Reader(this.#options.file, {
      free: (free) => (free.load === 0 && this.#waiting.length === 0 ? this.#relieve(free) : this.#hand()),
      gone: (gone, left) => {
        this.#readers.delete(gone);
        if (this.#closed) for (const job of left) job.reject(closing());
        else this.#waiting.unshift(...left);
        this.#hand();
      },
    });
    this.#readers.add(reader);
    return reader;
  }
}

function closing(): Error {
  return new Error('the server is closing');
}

/** What of a page is sent to a worker that looks into it. */
function writtenOf({ text, headings }: Written): Written {
  return { text, headings };
}

function comparedOf({ finalUrl, fetchedAt, hash, reading }: Compared): Compared {
  return { finalUrl, fetchedAt, hash, reading: writtenOf(reading) };
}

const slow = {
  read: ['reading the page', 'ask for its source with raw, or for a part of it with selector'],
  find: ['looking through the page', 'look for something simpler, or in one section'],
  compare: ['comparing the page', 'compare a part of it with selector'],
} as const;

function tooLong(task: Task): WebError {
  const [work, hint] = slow[task];
  return new WebError(`${work} took too long`, { code: 'timeout', hint });
}
