export interface Bounds {
  /** how many things are kept at once */
  readonly count: number;
  /** bytes kept at once, as told by those who put them */
  readonly bytes: number;
}

interface Entry<T> {
  readonly owner: string;
  readonly value: T;
  readonly bytes: number;
}

/**
 * Things by id, within bounds. Where room is needed, the owner that holds the most gives up what it has used least
 * recently, so that one owner cannot push out the others.
 */
export class Bounded<T> {
  readonly #bounds: Bounds;
  /** the order is that of use */
  readonly #entries = new Map<string, Entry<T>>();
  readonly #held = new Map<string, { bytes: number; count: number }>();
  readonly #removed: (value: T) => void;
  #bytes = 0;

  /** `removed` hears of everything that goes, for whatever reason. */
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

  /** Keeps a value in place of what has its id; false when it alone is larger than what may be kept. */
  put(id: string, owner: string, value: T, bytes: number): boolean {
    this.delete(id);
    if (bytes > this.#bounds.bytes || this.#bounds.count < 1) return false;
    while (this.#entries.size >= this.#bounds.count || this.#bytes + bytes > this.#bounds.bytes)
      this.#removeOne(owner, bytes);
    this.#entries.set(id, { owner, value, bytes });
    this.#count(owner, bytes, 1);
    return true;
  }

  /** The value, which counts as a use of it. */
  get(id: string): T | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined) return undefined;
    this.#entries.delete(id);
    this.#entries.set(id, entry);
    return entry.value;
  }

  /** The value, as if nobody had looked. */
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

  /** Forgets all that one owner has. */
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
    // where the newcomer has most and holds nothing yet, it is the least recently used of all
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
