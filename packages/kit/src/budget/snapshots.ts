export interface SnapshotLimits {
  /** snapshots that are kept, over all owners */
  count: number;
  /** snapshots that are kept for one owner, so that one cannot push out the rest */
  perOwner: number;
  /** bytes that are kept, as stated by those who put them */
  bytes: number;
}

const DEFAULTS: SnapshotLimits = { count: 64, perOwner: 16, bytes: 32 * 1024 * 1024 };

interface Entry<T> {
  owner: string;
  value: T;
  bytes: number;
}

/**
 * Lists that were sorted once and are read page by page. Each belongs to the principal that made it; the least recently
 * used ones are dropped first, and a reader of a dropped one starts again.
 */
export class Snapshots<T> {
  readonly #limits: SnapshotLimits;
  /** insertion order is order of use */
  readonly #entries = new Map<string, Entry<T>>();
  /** ids in cursors outlive the process, so they must differ from those of the next one */
  readonly #prefix = Math.random().toString(36).slice(2, 10);
  #next = 0;
  #bytes = 0;

  constructor(limits: Partial<SnapshotLimits> = {}) {
    this.#limits = Object.freeze({ ...DEFAULTS, ...limits });
  }

  get count(): number {
    return this.#entries.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Stores a value and returns its id for `get`, or undefined when the value alone is larger than the store. */
  put(owner: string, value: T, bytes: number): string | undefined {
    if (bytes > this.#limits.bytes || this.#limits.count < 1 || this.#limits.perOwner < 1) return undefined;
    this.#makeRoom(owner, bytes);
    const id = `${this.#prefix}-${(this.#next++).toString(36)}`;
    this.#entries.set(id, { owner, value, bytes });
    this.#bytes += bytes;
    return id;
  }

  /** Returns the value, if it is still kept and belongs to this owner. */
  get(owner: string, id: string): T | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined || entry.owner !== owner) return undefined;
    this.#entries.delete(id);
    this.#entries.set(id, entry);
    return entry.value;
  }

  delete(owner: string, id: string): void {
    const entry = this.#entries.get(id);
    if (entry?.owner === owner) this.#remove(id, entry);
  }

  /** Drops everything of one owner, as when its connection ends. */
  clear(owner: string): void {
    for (const [id, entry] of this.#entries) if (entry.owner === owner) this.#remove(id, entry);
  }

  #makeRoom(owner: string, bytes: number): void {
    const own = [...this.#entries].filter(([, entry]) => entry.owner === owner);
    const surplus = own.length - this.#limits.perOwner + 1;
    for (const [id, entry] of own.slice(0, Math.max(0, surplus))) this.#remove(id, entry);
    for (const [id, entry] of this.#entries) {
      if (this.#entries.size < this.#limits.count && this.#bytes + bytes <= this.#limits.bytes) return;
      this.#remove(id, entry);
    }
  }

  #remove(id: string, entry: Entry<T>): void {
    this.#entries.delete(id);
    this.#bytes -= entry.bytes;
  }
}
