import { WebError } from '../failure.ts';

/** The stage that a visit or rendering is waiting in. */
export type Stage = 'queue' | 'robots' | 'connection' | 'head' | 'body' | 'turn' | 'browser' | 'tab' | 'page';

/** the longest delay of timers */
const LONGEST_MS = 2 ** 31 - 1;

const waitingFor: Readonly<Record<Stage, string>> = {
  queue: 'a turn at the host',
  robots: 'the robots.txt of the host',
  connection: 'a connection',
  head: 'a response',
  body: 'the rest of the response',
  turn: 'a free browser',
  browser: 'the browser to start',
  tab: 'the browser to open an empty page',
  page: 'the page to finish loading',
};

/** The deadline of a visit, from its start to the last byte; also ended by the caller's signal. */
export class Lifetime {
  stage: Stage = 'queue';
  /** the error at the deadline, instead of one that names the stage */
  late: WebError | undefined;
  /** the reason of its end, once it has ended */
  over: { readonly reason: unknown } | undefined;
  readonly #begun = performance.now();
  readonly #deadlineMs: number;
  readonly #timer: NodeJS.Timeout;
  readonly #outer: AbortSignal | undefined;
  readonly #listeners = new Set<(reason: unknown) => void>();

  constructor(deadlineMs: number, outer?: AbortSignal) {
    this.#deadlineMs = deadlineMs;
    this.#outer = outer;
    this.#timer = setTimeout(() => this.stop(this.late ?? this.#late()), Math.min(deadlineMs, LONGEST_MS));
    outer?.addEventListener('abort', this.#giveUp);
    if (outer?.aborted === true) this.#giveUp();
  }

  elapsedMs(): number {
    return performance.now() - this.#begun;
  }

  remainingMs(): number {
    return Math.max(0, this.#deadlineMs - this.elapsedMs());
  }

  /** Throws the reason if it has ended. */
  assertGoing(): void {
    if (this.over !== undefined) throw this.over.reason;
  }

  /** Calls back once at its end, at once if it has ended; the returned function removes the listener. */
  onOver(listener: (reason: unknown) => void): () => void {
    if (this.over !== undefined) {
      listener(this.over.reason);
      return () => {};
    }
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Settles as the promise does, unless the lifetime ends before. */
  wait<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const forget = this.onOver(reject);
      promise.then(resolve, reject).finally(forget);
    });
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        forget();
        resolve();
      }, ms);
      const forget = this.onOver((reason) => {
        clearTimeout(timer);
        reject(reason);
      });
    });
  }

  /** Ends it with a reason, which all waiting calls reject with. */
  stop(reason: unknown): void {
    if (this.over !== undefined) return;
    this.over = { reason };
    this.finish();
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) listener(reason);
  }

  /** Lets the process exit before the deadline timer fires. */
  loosen(): void {
    this.#timer.unref();
  }

  /** Removes the deadline and the caller's signal. */
  finish(): void {
    clearTimeout(this.#timer);
    this.#outer?.removeEventListener('abort', this.#giveUp);
  }

  readonly #giveUp = (): void => this.stop(this.#outer?.reason);

  #late(): WebError {
    const seconds = Number((this.#deadlineMs / 1000).toPrecision(3));
    return new WebError(
      `no complete response within ${seconds} s; the last wait was for ${waitingFor[this.stage]}`,
      {
        code: 'timeout',
        retryable: true,
        hint: 'try again, or allow more time',
      },
    );
  }
}
