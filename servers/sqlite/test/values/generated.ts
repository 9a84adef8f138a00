/** Random values, the same for the same seed. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** Returns a number from 0 to below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(most: number): number {
    return Math.floor(this.next() * most);
  }

  pick<T>(all: readonly T[]): T {
    return all[this.below(all.length)]!;
  }

  list<T>(most: number, make: () => T): T[] {
    return Array.from({ length: this.below(most + 1) }, make);
  }

  bytes(most: number): Buffer {
    return Buffer.from(this.list(most, () => this.below(256)));
  }

  double(): number {
    const bytes = Buffer.from(Array.from({ length: 8 }, () => this.below(256)));
    const value = this.next() < 0.5 ? bytes.readDoubleLE() : this.below(1e9) / this.pick([1, 2, 3, 1000]);
    return Number.isNaN(value) ? Number.POSITIVE_INFINITY : value;
  }

  integer(): bigint {
    const bits = this.pick([1, 8, 31, 52, 53, 54, 63, 64]);
    return BigInt.asIntN(
      64,
      BigInt.asUintN(bits, this.#word()) - (this.next() < 0.5 ? 0n : BigInt.asUintN(bits, this.#word())),
    );
  }

  text(most: number): string {
    const characters = [
      'a',
      'B',
      '7',
      ' ',
      '"',
      '\\',
      '\n',
      '\0',
      '\u001f',
      '\u007f',
      'ä',
      '€',
      '\u2028',
      '💥',
      '\uFFFD',
      '\uFEFF',
      '|',
    ];
    return this.list(most, () => this.pick(characters)).join('');
  }

  #word(): bigint {
    return (BigInt(this.below(2 ** 32)) << 32n) | BigInt(this.below(2 ** 32));
  }
}
