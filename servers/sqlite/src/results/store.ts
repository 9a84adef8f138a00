import { randomUUID } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { guarded } from '@rootbound/kit/call';
import { factsPath } from '../shared/spool.ts';

/** The file of a result and its handle. */
export interface ResultFile {
  readonly handle: string;
  readonly path: string;
}

/** A stored result, or the stored rest of one. */
export interface StoredResult extends ResultFile {
  readonly owner: string;
  /** its resource; undefined for the rest of pages, which is read by cursor */
  readonly resource: ResultResource | undefined;
}

/** The resource of a result, for its owner. */
export interface ResultResource {
  readonly name: string;
  readonly mimeType: string;
  readonly size: number;
}

export interface ResultLimits {
  /** most bytes of all files */
  readonly bytes: number;
  readonly count: number;
  /** how long a result is stored after its last use, ms */
  readonly ms: number;
}

const usual: ResultLimits = { bytes: 2 ** 30, count: 256, ms: 600_000 };
const SWEEP_MS = 30_000;

interface Entry extends StoredResult {
  usedAt: number;
}

/** Results in files by handle. Each belongs to its owner and is removed when unused or when space is needed. */
export class Results {
  readonly #folder: string;
  readonly #limits: ResultLimits;
  /** least recently used first */
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

  /** Most bytes of one result. */
  get mostBytes(): number {
    return this.#limits.bytes;
  }

  /** Reserves a file for a result; `keep` stores it. */
  reserve(): ResultFile {
    const handle = randomUUID();
    return { handle, path: join(this.#folder, `result-${handle}`) };
  }

  /** Stores the result that is being written to a file, for its owner; with `resource` they can read it as one. */
  keep({ handle, path }: ResultFile, owner: string, resource?: ResultResource): void {
    this.#entries.set(handle, { handle, path, owner, resource, usedAt: this.#now() });
    // the next call sweeps again and reports the failure
    const sweep = guarded(
      () => this.sweep(),
      () => {},
    );
    this.#sweeping ??= setInterval(sweep, SWEEP_MS).unref();
    this.sweep();
  }

  /** Returns a result of this owner; undefined if there is none. */
  find(handle: string, owner: string): StoredResult | undefined {
    this.sweep();
    const entry = this.#entries.get(handle);
    if (entry === undefined || entry.owner !== owner) return undefined;
    entry.usedAt = this.#now();
    this.#entries.delete(handle);
    this.#entries.set(handle, entry);
    return entry;
  }

  /** Returns the results that this owner can read as resources, least recently used first. */
  list(owner: string): (StoredResult & { resource: ResultResource })[] {
    this.sweep();
    return [...this.#entries.values()].filter(
      (entry): entry is Entry & { resource: ResultResource } =>
        entry.owner === owner && entry.resource !== undefined,
    );
  }

  /** Removes a result and its files. */
  discard({ handle, path }: ResultFile): void {
    this.#entries.delete(handle);
    for (const file of [path, factsPath(path)]) rmSync(file, { force: true });
  }

  /** Removes expired results, and the least recently used ones while limits are exceeded. */
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

/** Returns the size of a file, 0 if it is not written yet. */
function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
