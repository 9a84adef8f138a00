import { WebError } from '../failure.ts';

/** A timeout for the gaps of a transfer: it aborts when no bytes arrive for that long. */
export class StallTimeout {
  readonly #ending = new AbortController();
  readonly #ms: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(ms: number) {
    this.#ms = ms;
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Starts the timeout. */
  watch(): void {
    this.rest();
    this.#timer = setTimeout(() => this.#ending.abort(this.#late()), this.#ms);
  }

  /** Stops the timeout. */
  rest(): void {
    clearTimeout(this.#timer);
  }

  #late(): WebError {
    return new WebError(`no bytes were received for ${this.#ms / 1000} s`, {
      code: 'timeout',
      retryable: true,
      hint: 'try again',
    });
  }
}
