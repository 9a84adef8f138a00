import type { Reading } from './reading.ts';

/**
 * What answers were read as: each body is read once for each wish, and forgotten with it. What time has made less than
 * it could be is not kept.
 */
export class Readings {
  readonly #known = new WeakMap<Uint8Array, Map<string, Reading>>();

  /** The reading of a body for a wish, made by `read` unless it is known. */
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
