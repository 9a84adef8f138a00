import { tenth } from '../../../../test/extent.ts';

/** Returns the seeds of generated cases: a tenth of them in `npm test`. */
export function seeds(count: number): number[] {
  return Array.from({ length: tenth(count) }, (_, seed) => seed + 1);
}

/** A generator of numbers that are the same for the same seed. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed, 0x9e3779b1) >>> 0;
  }

  /** returns a whole number below the limit */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)]!;
  }

  /** returns up to this many picks, one after the other */
  run(from: readonly string[], most: number): string {
    return Array.from({ length: this.below(most + 1) }, () => this.pick(from)).join('');
  }
}
