import type { Reading } from './reading.ts';

/**
 * A cache of the readings of response bodies, each for as long as its body exists. Readings that a time limit reduced
 * are not cached.
 */
export class ReadingCache {
  readonly #known = new WeakMap<Uint8Array, Map<string, Reading>>();

  /** Returns the reading of a body with these parameters, made by `read` unless it is cached. */
  async of(body: Uint8Array, wish: string, read: () => Promise<Reading>): Promise<Reading> {
    const known = this.#known.get(body) ?? new Map<string, Reading>();
    const found = known.get(wish);
    if (found !== undefined) return found;
    const reading = await read();
    if (reading.isHurried === true) return reading;
    known.set(wish, reading);
    this.#known.set(body, known);
    return reading;
  }
}
