export interface CachedResultOptions {
  /** milliseconds for which a result is valid */
  readonly fresh: number;
  /** milliseconds for which a failure is cached, so that an unavailable source is not asked by every request */
  readonly failed: number;
}

/** The cached result of a slow function; concurrent callers share one call. */
export class CachedResult<T> {
  readonly #load: () => Promise<T>;
  readonly #options: CachedResultOptions;
  #answer: Promise<T> | undefined;
  #until = 0;

  constructor(load: () => Promise<T>, options: CachedResultOptions) {
    this.#load = load;
    this.#options = options;
  }

  get(): Promise<T> {
    if (this.#answer !== undefined && Date.now() < this.#until) return this.#answer;
    const answer = this.#load();
    this.#answer = answer;
    this.#until = Number.POSITIVE_INFINITY;
    answer.then(
      () => this.#keepFor(this.#options.fresh),
      () => this.#keepFor(this.#options.failed),
    );
    return answer;
  }

  #keepFor(milliseconds: number): void {
    this.#until = Date.now() + milliseconds;
  }
}
