const full = process.env.ROOTBOUND_FULL === '1';

/** Returns this many seeds in the full run, else a tenth of them. */
export function seeds(count: number): number[] {
  return Array.from({ length: full ? count : Math.ceil(count / 10) }, (_, seed) => seed + 1);
}

/** Returns every second item, and in the full run the others, as it follows `npm test`. */
export function sampled<T>(list: readonly T[]): T[] {
  return list.filter((_, index) => (index % 2 === 0) !== full);
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
