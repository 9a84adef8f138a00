/** Bytes of one half of a result unless the operator sets another limit: 100 KB. */
export const DEFAULT_BUDGET = 102_400;

/**
 * The remaining bytes of one half of a result. A refused `take` costs nothing and marks the result as truncated.
 * @example for (const row of rows) if (!budget.take(jsonBytes(row))) break;
 */
export class Budget {
  readonly limit: number;
  #used = 0;
  #truncated = false;

  constructor(limit: number = DEFAULT_BUDGET) {
    this.limit = limit;
  }

  get used(): number {
    return this.#used;
  }

  get left(): number {
    return this.limit - this.#used;
  }

  /** Returns true once a `take` has been refused. */
  get truncated(): boolean {
    return this.#truncated;
  }

  fits(bytes: number): boolean {
    return bytes <= this.limit - this.#used;
  }

  take(bytes: number): boolean {
    if (!this.fits(bytes)) {
      this.#truncated = true;
      return false;
    }
    this.#used += bytes;
    return true;
  }
}
