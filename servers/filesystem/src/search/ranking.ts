import type { Ranked } from './messages.ts';
import { orderKey } from './order.ts';
import type { Position } from './query.ts';

/** The first results of a search by time or size, as many as its limit needs. */
export class Ranking {
  #kept: Ranked[] = [];
  #size = 0;
  #worst: Ranked | undefined;
  readonly #enough: number;

  constructor(limit: number) {
    // one result beyond the limit shows that there are more
    this.#enough = limit + 1;
  }

  /** Returns whether a result with this key can be among the first. */
  wants(key: number): boolean {
    return this.#worst === undefined || key >= this.#worst.key;
  }

  add(item: Ranked): void {
    this.#kept.push(item);
    this.#size += item.size;
    // sorting only at twice the number keeps the cost per result low
    if (this.#size >= 2 * this.#enough) this.#prune();
  }

  /** Removes and returns the results, in order. */
  take(): Ranked[] {
    this.#prune();
    const kept = this.#kept;
    this.#kept = [];
    this.#size = 0;
    return kept;
  }

  #prune(): void {
    this.#kept.sort(compareRanked);
    let size = 0;
    let end = 0;
    while (end < this.#kept.length && size < this.#enough) size += this.#kept[end++]!.size;
    this.#kept.length = end;
    this.#size = size;
    if (size >= this.#enough) this.#worst = this.#kept.at(-1);
  }
}

/** Returns whether a result comes after the position of an earlier page, or continues in its file. */
export function isBehind(key: number, path: string, after: Position | undefined): boolean {
  if (after?.key === undefined) return true;
  if (after.key === key && after.path === path) return after.line !== undefined;
  return compareRanked({ key, path }, { key: after.key, path: after.path }) > 0;
}

type Place = Pick<Ranked, 'key' | 'path'>;

function compareRanked(a: Place, b: Place): number {
  if (a.key !== b.key) return b.key - a.key;
  return orderKey(a.path) < orderKey(b.path) ? -1 : 1;
}
