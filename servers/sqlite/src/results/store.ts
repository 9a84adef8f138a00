import { randomUUID } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { guarded } from '@rootbound/kit/call';
import { factsPath } from '../shared/spool.ts';

/** Where a result is written. */
export interface ResultFile {
  readonly handle: string;
  readonly path: string;
}

/** A file with a result, or with the rest of one. */
export interface StoredResult extends ResultFile {
  readonly owner: string;
  /** what it is to its owner; undefined for the rest of pages, which is read by cursor */
  readonly resource: ResultResource | undefined;
}

/** A result that its owner reads as a resource. */
export interface ResultResource {
  readonly name: string;
  readonly mimeType: string;
  readonly size: number;
}

export interface ResultLimits {
  /** all files together */
  readonly bytes: number;
  readonly count: number;
  /** how long one is kept after it was last used */
  readonly ms: number;
}

const usual: ResultLimits = { bytes: 2 ** 30, count: 256, ms: 600_000 };
const SWEEP_MS = 30_000;

interface Entry extends StoredResult {
  usedAt: number;
}

/** Results in files, by handle: each belongs to who asked for it, and goes when it is not used or room is needed. */
export class Results {
  readonly #folder: string;
  readonly #limits: ResultLimits;
  /** those used last are last */
  readonly #entries = new Map<string, Entry>();
  readonly #now: () => number;
  #sweeping: NodeJS.Timeout | undefined;

  constructor(
    folder: string,
    limits: Partial<ResultLimits> = {},
    now: () => number = () => performance.now(),
  ) {
    this.#folder = folder;
    this.#limits = { ...usual, ...limits };
    this.#now = now;
  }

  /** Most bytes that one result may take. */
  get mostBytes(): number {
    return this.#limits.bytes;
  }

  /** A place for a result that may come to be written; `keep` makes it one. */
  reserve(): ResultFile {
    const handle = randomUUID();
    return { handle, path: join(this.#folder, `result-${handle}`) };
  }

  /** Keeps what is being written at a place, for its owner; `shown` lets them read it as a resource. */
  keep({ handle, path }: ResultFile, owner: string, resource?: ResultResource): void {
    this.#entries.set(handle, { handle, path, owner, resource, usedAt: this.#now() });
    // the next call sweeps again, and fails where that cannot be done
    const sweep = guarded(
      () => this.sweep(),
      () => {},
    );
    this.#sweeping ??= setInterval(sweep, SWEEP_MS).unref();
    this.sweep();
  }

  /** A result of this owner; undefined when it is gone, or was never theirs. */
  find(handle: string, owner: string): StoredResult | undefined {
    this.sweep();
    const entry = this.#entries.get(handle);
    if (entry === undefined || entry.owner !== owner) return undefined;
    entry.usedAt = this.#now();
    this.#entries.delete(handle);
    this.#entries.set(handle, entry);
    return entry;
  }

  /** Results that this owner can read, those used last at the end. */
  list(owner: string): (StoredResult & { resource: ResultResource })[] {
    this.sweep();
    return [...this.#entries.values()].filter(
      (entry): entry is Entry & { resource: ResultResource } =>
        entry.owner === owner && entry.resource !== undefined,
    );
  }

  /** Removes what was written at a place. */
  discard({ handle, path }: ResultFile): void {
    this.#entries.delete(handle);
    for (const file of [path, factsPath(path)]) rmSync(file, { force: true });
  }

  /** Removes what was not used for long, and the oldest where there is too much. */
  sweep(): void {
    const { bytes, count, ms } = this.#limits;
    const oldest = this.#now() - ms;
    for (const entry of this.#entries.values()) if (entry.usedAt < oldest) this.discard(entry);
    const sized = [...this.#entries.values()].map((entry) => ({ entry, size: sizeOf(entry.path) }));
    let total = sized.reduce((sum, { size }) => sum + size, 0);
    for (const { entry, size } of sized) {
      if (total <= bytes && this.#entries.size <= count) break;
      this.discard(entry);
      total -= size;
    }
  }

  close(): void {
    clearInterval(this.#sweeping);
  }
}

/** One that is not written yet takes nothing. */
function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
