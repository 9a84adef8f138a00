import { WebError } from '../failure.ts';

export interface PaceOptions {
  /** shortest interval between two requests for a page, ms */
  readonly leastMs: number;
  /** longest interval, ms */
  readonly mostMs: number;
}

const usual: PaceOptions = { leastMs: 60_000, mostMs: 3_600_000 };
/** Random share of an interval, so that pages of one start are not requested together for ever. */
const JITTER = 0.2;

/** The schedule of a page's requests: when it becomes stale, within bounds, and less often while requests fail. */
export class Pace {
  readonly #options: PaceOptions;
  #failures = 0;

  constructor(options: Partial<PaceOptions> = {}) {
    const { leastMs = usual.leastMs, mostMs = Math.max(usual.mostMs, leastMs) } = options;
    this.#options = { leastMs, mostMs };
  }

  /** Returns the interval after a response that is fresh for so long, ms. */
  next(freshMs: number): number {
    this.#failures = 0;
    return this.#within(freshMs);
  }

  /** Returns the interval after a failure, ms: doubled with each one, and at least the response's Retry-After. */
  afterFailure(error: unknown): number {
    this.#failures += 1;
    const asked = error instanceof WebError ? (error.retryAfterMs ?? 0) : 0;
    return this.#within(Math.max(asked, this.#options.leastMs * 2 ** Math.min(this.#failures, 20)));
  }

  #within(ms: number): number {
    const { leastMs, mostMs } = this.#options;
    return Math.min(mostMs, Math.max(leastMs, ms)) * (1 + JITTER * Math.random());
  }
}
