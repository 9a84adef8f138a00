import { WebError } from '../failure.ts';

/** Ends a transfer from which nothing comes for long. */
export class Stall {
  readonly #ending = new AbortController();
  readonly #ms: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(ms: number) {
    this.#ms = ms;
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Something is waited for from now on. */
  watch(): void {
    this.rest();
    this.#timer = setTimeout(() => this.#ending.abort(this.#late()), this.#ms);
  }

  /** Nothing is waited for. */
  rest(): void {
    clearTimeout(this.#timer);
  }

  #late(): WebError {
    return new WebError(`nothing came for ${this.#ms / 1000} s`, {
      code: 'timeout',
      retryable: true,
      hint: 'try again',
    });
  }
}
