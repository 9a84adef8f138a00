import { WebError } from '../failure.ts';
import { type FindOptions, type FindResult, findIn } from '../pages/find.ts';
import { type Compared, diffPages, type PageDiff, type PageDiffOptions } from '../pages/page-diff.ts';
import type { Written } from '../pages/written.ts';
import type { Task, Tasks } from './messages.ts';
import { Reader } from './reader.ts';
import type { Reading, ReadRequest } from './reading.ts';

export interface ReadersOptions {
  /** the built worker */
  readonly file: string | URL;
  /** how many pages are read at once */
  readonly size: number;
  /** how long one page may take, and how long one whose main content could not be found in that time, ms */
  readonly deadlineMs?: number;
  readonly againMs?: number;
}

const DEADLINE_MS = 3_000;
const AGAIN_MS = 1_500;
/** Characters of a text that is searched at once, without a worker: five milliseconds where every line matches. */
const SHORT = 65_536;

/** Worker threads that read, search and compare pages: each in one that can be ended in the middle. */
export class Readers {
  readonly #options: ReadersOptions;
  readonly #readers = new Set<Reader>();
  readonly #waiting: ((reader: Reader) => void)[] = [];
  #closed = false;

  constructor(options: ReadersOptions) {
    this.#options = options;
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
    await Promise.all([...this.#readers].map((reader) => reader.end()));
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
    const reader = await this.#take(signal);
    const stop = (): void => reader.stop(signal?.reason);
    let timer: NodeJS.Timeout | undefined;
    signal?.addEventListener('abort', stop, { once: true });
    try {
      await reader.ready;
      timer = setTimeout(() => reader.stop(tooLong(task)), deadlineMs);
      return await reader.perform(task, given);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      this.#release(reader);
    }
  }

  /** One that has nothing to do and has loaded; waits for it where all are busy. */
  async #take(signal?: AbortSignal): Promise<Reader> {
    signal?.throwIfAborted();
    if (this.#closed) throw new Error('the server is closing');
    const idle = [...this.#readers].find((reader) => !reader.isTaken);
    const reader =
      idle ?? (this.#readers.size < this.#options.size ? this.#start() : await this.#turn(signal));
    reader.isTaken = true;
    return reader;
  }

  #start(): Reader {
    const reader = new Reader(this.#options.file);
    this.#readers.add(reader);
    return reader;
  }

  #turn(signal?: AbortSignal): Promise<Reader> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(take), 1);
        reject(signal?.reason as Error);
      };
      const take = (reader: Reader): void => {
        signal?.removeEventListener('abort', leave);
        resolve(reader);
      };
      this.#waiting.push(take);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  #release(reader: Reader): void {
    reader.isTaken = false;
    if (reader.isGone) this.#readers.delete(reader);
    const next = this.#waiting.shift();
    if (next === undefined) return;
    const free = reader.isGone ? this.#start() : reader;
    free.isTaken = true;
    next(free);
  }
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
