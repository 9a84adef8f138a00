/** The limits of an LruMap: its number of entries and, with `sizeOf`, their total size. */
export interface LruLimits<Value> {
  readonly maxEntries: number;
  readonly maxSize?: number;
  sizeOf?(key: string, value: Value): number;
}

/** A map that drops the least recently used entries when it exceeds its limits. */
export class LruMap<Value> {
  readonly #maxEntries: number;
  readonly #maxSize: number;
  readonly #sizeOf: (key: string, value: Value) => number;
  /** in order of use */
  readonly #entries = new Map<string, Value>();
  #size = 0;

  constructor({ maxEntries, maxSize = Number.POSITIVE_INFINITY, sizeOf = () => 0 }: LruLimits<Value>) {
    this.#maxEntries = maxEntries;
    this.#maxSize = maxSize;
    this.#sizeOf = sizeOf;
  }

  /** The number of entries. */
  get size(): number {
    return this.#entries.size;
  }

  /** Returns the value, which becomes the most recently used one. */
  get(key: string): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  /** Stores the value as the most recently used one. */
  set(key: string, value: Value): void {
    this.delete(key);
    this.#entries.set(key, value);
    this.#size += this.#sizeOf(key, value);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#maxEntries && this.#size <= this.#maxSize) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const value = this.#entries.get(key);
    if (value === undefined) return;
    this.#entries.delete(key);
    this.#size -= this.#sizeOf(key, value);
  }

  /** Returns the entries, the least recently used first. */
  entries(): IterableIterator<[string, Value]> {
    return this.#entries.entries();
  }
}
