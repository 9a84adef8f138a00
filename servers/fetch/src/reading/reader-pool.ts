import { availableParallelism } from 'node:os';
import { WebError } from '../failure.ts';
import { type FindOptions, type FindResult, findIn } from '../pages/find.ts';
import { type Compared, diffPages, type PageDiff, type PageDiffOptions } from '../pages/page-diff.ts';
import type { SearchableText } from '../pages/searchable-text.ts';
import { type Job, Reader } from './reader.ts';
import type { Reading, ReadRequest } from './reading.ts';
import { AHEAD, type Task, type Tasks } from './worker-messages.ts';

export interface ReaderPoolOptions {
  /** the built worker */
  readonly file: string | URL;
  /** most pages that are read at once */
  readonly size: number;
  /** how many workers start without a slow page; unless given, one processor is left for other work */
  readonly eager?: number;
  /** time limits for a page, and for a second try without search for the main content, ms */
  readonly deadlineMs?: number;
  readonly againMs?: number;
}

const DEADLINE_MS = 3_000;
const AGAIN_MS = 1_500;
/** Milliseconds that a job waits behind another before another worker starts. */
const PATIENCE_MS = 100;
/** Characters of a text that is searched in this thread: five milliseconds if every line matches. */
const SHORT = 65_536;

/** Worker threads that parse, search and compare pages; each can be terminated. */
export class ReaderPool {
  readonly #options: ReaderPoolOptions;
  readonly #eager: number;
  readonly #readers = new Set<Reader>();
  readonly #waiting: Job[] = [];
  #patience: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: ReaderPoolOptions) {
    this.#options = options;
    const { size, eager = availableParallelism() - 1 } = options;
    this.#eager = Math.max(1, Math.min(size, eager));
  }

  /** Starts a worker before the first page needs it. */
  warm(): void {
    if (this.#readers.size === 0 && !this.#closed) this.#start();
  }

  /**
   * Parses a page. If the search for the main content exceeds the time limit, the whole page is parsed and a note says
   * so; throws if that is too slow as well. An aborted signal ends the work at once.
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
    const notes = [...(extraction?.notes ?? []), 'the search for the main content took too long'];
    const whole = { method: 'whole page', coverage: 1, ...extraction, notes };
    return { ...reading, extraction: whole, isHurried: true };
  }

  /** Searches a page. An aborted signal ends the work at once. */
  async find(page: SearchableText, options: FindOptions, signal?: AbortSignal): Promise<FindResult> {
    if (options.mode !== 'regex' && page.text.length <= SHORT) return findIn(page, options);
    return this.#perform('find', { page: writtenOf(page), options }, this.#deadlineMs, signal);
  }

  /** Compares two snapshots of a page. An aborted signal ends the work at once. */
  async compare(
    old: Compared,
    now: Compared,
    options: PageDiffOptions,
    signal?: AbortSignal,
  ): Promise<PageDiff> {
    // the time of a comparison depends on its lines, even for short texts
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

  /** Gives waiting jobs to readers with room. */
  #hand(): void {
    for (let reader = this.#next(); reader !== undefined; reader = this.#next())
      reader.give(this.#waiting.shift()!);
    this.#wait();
  }

  /** Returns a reader for the job that has waited longest. */
  #next(): Reader | undefined {
    if (this.#waiting.length === 0) return undefined;
    const [best] = [...this.#readers].sort((one, other) => one.load - other.load);
    if (best?.load === 0) return best;
    if (this.#readers.size < this.#eager) return this.#start();
    return best !== undefined && best.load < AHEAD ? best : undefined;
  }

  /** Starts another worker, if allowed, for jobs that wait behind a slow page. */
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
    // handles messages first that arrived while this thread was busy
    this.#patience = setTimeout(() => setImmediate(look), PATIENCE_MS);
    this.#patience.unref();
  }

  /** Whether a job has not begun. */
  get #isHeldUp(): boolean {
    return this.#waiting.length > 0 || [...this.#readers].some(({ load }) => load > 1);
  }

  /** Gives an idle reader a job that waits, in a queue or behind another. */
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

/** Returns the parts of a page that a worker needs. */
function writtenOf({ text, headings }: SearchableText): SearchableText {
  return { text, headings };
}

function comparedOf({ finalUrl, fetchedAt, hash, reading }: Compared): Compared {
  return { finalUrl, fetchedAt, hash, reading: writtenOf(reading) };
}

const slow = {
  read: ['parsing the page', 'get its source with raw, or a part of it with selector'],
  find: ['searching the page', 'use a simpler query, or give section'],
  compare: ['comparing the page', 'compare a part of it with selector'],
} as const;

function tooLong(task: Task): WebError {
  const [work, hint] = slow[task];
  return new WebError(`${work} took too long`, { code: 'timeout', hint });
}
