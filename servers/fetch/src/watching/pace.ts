import { WebError } from '../failure.ts';

export interface PaceOptions {
  /** between two looks at a page, at least, ms */
  readonly leastMs: number;
  /** and at most */
  readonly mostMs: number;
}

const usual: PaceOptions = { leastMs: 60_000, mostMs: 3_600_000 };
/** So many parts of a wait are left to chance, so that pages of one start are not asked together for ever. */
const JITTER = 0.2;

/** When a page is asked for again: as its origin says, within bounds, and less often while it fails. */
export class Pace {
  readonly #options: PaceOptions;
  #failures = 0;

  constructor(options: Partial<PaceOptions> = {}) {
    const { leastMs = usual.leastMs, mostMs = Math.max(usual.mostMs, leastMs) } = options;
    this.#options = { leastMs, mostMs };
  }

  /** After an answer that is fresh for so long, ms. */
  next(freshMs: number): number {
    this.#failures = 0;
    return this.#within(freshMs);
  }

  /** After a failure: twice as long each time, and at least as long as the origin asks for, ms. */
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
