import { realText, sameNumber } from '../formats/numbers.ts';
import { roundTrips, storedText } from './affinity.ts';
import type { Altered } from './result.ts';
import { type Bound, numberOf } from './values.ts';

/** The values of each column that are told one by one. */
const MOST_OF_A_COLUMN = 3;
const MOST_COLUMNS = 20;
const MOST_CHARACTERS = 60;

interface Counting {
  count: number;
  readonly first: { line: number; from: string; to: string }[];
}

/** Counts the values that a column has changed, and keeps the first of each column. */
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

  /** how many values are not what they were */
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

/** Returns the text of a cell and the text that comes back; undefined when it is the same. */
export function alteredField(field: string, stored: Bound): readonly [string, string] | undefined {
  if (typeof stored === 'string' || stored === null || Buffer.isBuffer(stored)) return undefined;
  return roundTrips(field, stored) ? undefined : [field, storedText(stored)];
}

/** Returns a value of JSON and what is stored of it; undefined when the two are equal. */
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

/** Returns what a column of REAL or INTEGER keeps of a number that was bound: REAL has no -0.0, and INTEGER whole ones. */
export function applyAffinity(affinity: string, bound: Bound): Bound {
  if (typeof bound === 'bigint') return affinity === 'REAL' ? Number(bound) : bound;
  if (typeof bound !== 'number' || affinity === 'NONE') return bound;
  return affinity === 'TEXT' ? realText(bound) : bound + 0;
}

function shortened(text: string): string {
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
}
