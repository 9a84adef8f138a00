export interface Bounds {
  /** most values at once */
  readonly count: number;
  /** most bytes at once, by the sizes that callers pass */
  readonly bytes: number;
}

interface Entry<T> {
  readonly owner: string;
  readonly value: T;
  readonly bytes: number;
}

/**
 * A map with bounds. To make room, it removes the least recently used value of the owner that uses the most bytes, so
 * that one owner cannot evict the values of others.
 */
export class BoundedMap<T> {
  readonly #bounds: Bounds;
  /** least recently used first */
  readonly #entries = new Map<string, Entry<T>>();
  readonly #held = new Map<string, { bytes: number; count: number }>();
  readonly #removed: (value: T) => void;
  #bytes = 0;

  /** `removed` is called with every value that is removed, for any reason. */
  constructor(bounds: Bounds, removed: (value: T) => void = () => {}) {
    this.#bounds = bounds;
    this.#removed = removed;
  }

  get count(): number {
    return this.#entries.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Stores a value under an id, in place of the one before; returns false if the value alone exceeds the bounds. */
  put(id: string, owner: string, value: T, bytes: number): boolean {
    this.delete(id);
    if (bytes > this.#bounds.bytes || this.#bounds.count < 1) return false;
    while (this.#entries.size >= this.#bounds.count || this.#bytes + bytes > this.#bounds.bytes)
      this.#removeOne(owner, bytes);
    this.#entries.set(id, { owner, value, bytes });
    this.#count(owner, bytes, 1);
    return true;
  }

  /** Returns the value and marks it as the most recently used. */
  get(id: string): T | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined) return undefined;
    this.#entries.delete(id);
    this.#entries.set(id, entry);
    return entry.value;
  }

  /** Returns the value without marking it as used. */
  peek(id: string): T | undefined {
    return this.#entries.get(id)?.value;
  }

  delete(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#entries.delete(id);
    this.#count(entry.owner, -entry.bytes, -1);
    this.#removed(entry.value);
  }

  /** Removes all values of one owner. */
  clear(owner: string): void {
    for (const [id, entry] of [...this.#entries]) if (entry.owner === owner) this.delete(id);
  }

  #removeOne(comer: string, bytes: number): void {
    let most = comer;
    let weight = (this.#held.get(comer)?.bytes ?? 0) + bytes;
    for (const [owner, held] of this.#held) {
      if (held.bytes > weight) {
        most = owner;
        weight = held.bytes;
      }
    }
    // the newcomer may use the most and have no value yet: then the least recently used value of all goes
    this.delete(this.#oldest((entry) => entry.owner === most) ?? this.#oldest(() => true)!);
  }

  #oldest(wanted: (entry: Entry<T>) => boolean): string | undefined {
    for (const [id, entry] of this.#entries) if (wanted(entry)) return id;
    return undefined;
  }

  #count(owner: string, bytes: number, count: number): void {
    this.#bytes += bytes;
    const held = this.#held.get(owner) ?? { bytes: 0, count: 0 };
    held.bytes += bytes;
    held.count += count;
    if (held.count === 0) this.#held.delete(owner);
    else this.#held.set(owner, held);
  }
}
