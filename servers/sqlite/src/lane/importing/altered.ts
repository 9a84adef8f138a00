import { realText, sameNumber } from '../formats/numbers.ts';
import { roundTrips, storedText } from './affinity.ts';
import type { Altered } from './result.ts';
import { type Bound, numberOf } from './values.ts';

/** Most altered values listed per column. */
const MOST_OF_A_COLUMN = 3;
const MOST_COLUMNS = 20;
const MOST_CHARACTERS = 60;

interface Counting {
  count: number;
  readonly first: { line: number; from: string; to: string }[];
}

/** Counts the values altered by each column's type and keeps the first ones. */
export class AlteredValues {
  readonly #columns = new Map<string, Counting>();

  add(column: string, line: number, [from, to]: readonly [string, string]): void {
    let counting = this.#columns.get(column);
    if (counting === undefined) {
      counting = { count: 0, first: [] };
      this.#columns.set(column, counting);
    }
    counting.count += 1;
    if (counting.first.length < MOST_OF_A_COLUMN)
      counting.first.push({ line, from: shortened(from), to: shortened(to) });
  }

  /** number of altered values */
  get count(): number {
    let all = 0;
    for (const { count } of this.#columns.values()) all += count;
    return all;
  }

  get columns(): Altered[] {
    return [...this.#columns]
      .slice(0, MOST_COLUMNS)
      .map(([column, { count, first }]) => ({ column, count, first }));
  }
}

/** Returns the text of a cell and the text of its stored value; undefined if they are the same. */
export function alteredField(field: string, stored: Bound): readonly [string, string] | undefined {
  if (typeof stored === 'string' || stored === null || Buffer.isBuffer(stored)) return undefined;
  return roundTrips(field, stored) ? undefined : [field, storedText(stored)];
}

/** Returns the text of a JSON value and of its stored value; undefined if they are equal. */
export function alteredJson(
  value: unknown,
  stored: Bound,
  isText: boolean,
): readonly [string, string] | undefined {
  if (typeof value === 'string') return alteredField(value, stored);
  if (typeof value === 'boolean') return [String(value), storedText(stored)];
  if (stored === null || Buffer.isBuffer(stored)) return undefined;
  const number = numberOf(value);
  if (number === undefined) return undefined;
  if (typeof stored === 'string') return isText ? undefined : [number.text, `the text ${stored}`];
  const back = storedText(stored);
  return sameNumber(number.text, back) ? undefined : [number.text, back];
}

/**
 * Returns the value that a column of this affinity stores for a bound number: REAL has no -0.0, INTEGER stores whole
 * numbers.
 */
export function applyAffinity(affinity: string, bound: Bound): Bound {
  if (typeof bound === 'bigint') return affinity === 'REAL' ? Number(bound) : bound;
  if (typeof bound !== 'number' || affinity === 'NONE') return bound;
  return affinity === 'TEXT' ? realText(bound) : bound + 0;
}

function shortened(text: string): string {
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
}
