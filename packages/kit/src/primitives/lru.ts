/** A map of at most `max` entries: a new one beyond that replaces the entry that was least recently read or written. */
export class LruMap<Key, Value> {
  readonly #max: number;
  readonly #entries = new Map<Key, Value>();

  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Returns the value, which becomes the most recently used one. */
  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined) this.#use(key, value);
    return value;
  }

  /** Stores the value as the most recently used one. */
  set(key: Key, value: Value): void {
    this.#use(key, value);
    if (this.#entries.size > this.#max) this.#entries.delete(this.#entries.keys().next().value as Key); // one exists
  }

  delete(key: Key): boolean {
    return this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }

  /** Returns the keys, the least recently used first. */
  keys(): IterableIterator<Key> {
    return this.#entries.keys();
  }

  /** Returns the values, the least recently used first. */
  values(): IterableIterator<Value> {
    return this.#entries.values();
  }

  #use(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
  }
}
