export interface RememberedOptions {
  /** milliseconds for which an answer is good */
  readonly fresh: number;
  /** milliseconds for which a failure stands, so that a source that is down is not asked by every request */
  readonly failed: number;
}

/** What a slow source said last; however many wait, the source is asked once. */
export class Remembered<T> {
  readonly #load: () => Promise<T>;
  readonly #options: RememberedOptions;
  #answer: Promise<T> | undefined;
  #until = 0;

  constructor(load: () => Promise<T>, options: RememberedOptions) {
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
