import { quoteName } from '../../shared/sql/names.ts';
import { type Connection, selectRows } from '../connection.ts';
import { type Affinity, columnsOf } from './columns.ts';
import { objectOf, type SchemaObject } from './objects.ts';
import { rowidOf } from './rows.ts';

/** A column of a key. */
export interface KeyColumn {
  readonly name: string;
  readonly affinity: Affinity;
}

/** Returns the key columns of a table: its primary key, else its rowid; none if the rowid has no name. */
function keyColumnsOf(connection: Connection, object: SchemaObject): KeyColumn[] {
  const own = columnsOf(connection, object.name)
    .filter(({ primary_key }) => primary_key !== undefined)
    .sort((a, b) => a.primary_key! - b.primary_key!)
    .map(({ name, affinity }) => ({ name, affinity }));
  if (own.length > 0) return own;
  const rowid = rowidOf(connection, object);
  return rowid === undefined ? [] : [{ name: rowid, affinity: 'integer' }];
}

/** Digits of the largest INTEGER. */
const MOST_DIGITS = 19;

/** Returns keys of a table that begin with the typed texts, in key order as far as an index provides it. */
export function keysLike(
  connection: Connection,
  named: string,
  typed: readonly string[],
  count: number,
): string[][] {
  const object = objectOf(connection, named);
  const columns = keyColumnsOf(connection, object);
  if (columns.length === 0 || typed.length === 0 || typed.length > columns.length) return [];
  const whole = typed.slice(0, -1);
  const { name, affinity } = columns[whole.length]!;
  const last = quoteName(name);
  const found: string[][] = [];
  for (const [from, to] of rangesOf(typed.at(-1)!, affinity)) {
    if (found.length >= count) break;
    const where = [
      ...whole.map((_, at) => `${quoteName(columns[at]!.name)} = ?`),
      ...(from === undefined ? [] : [`${last} >= ?`, `${last} ${typeof from === 'bigint' ? '<=' : '<'} ?`]),
    ];
    const selected = columns.map((column, at) => `CAST(${quoteName(column.name)} AS TEXT) AS k${at}`);
    const rows = selectRows<Record<string, string | null>>(
      connection,
      `SELECT ${selected.join(', ')} FROM main.${quoteName(object.name)}
       ${where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`}
       ORDER BY ${last} LIMIT ${count - found.length}`,
      ...whole,
      ...(from === undefined ? [] : [from, to]),
    );
    for (const row of rows) {
      const key = columns.map((_, at) => row[`k${at}`]);
      if (key.every((value) => typeof value === 'string')) found.push(key);
    }
  }
  return found;
}

type Range = readonly [from: undefined] | readonly [from: string | bigint, to: string | bigint];

/** Returns the ranges of values that begin with the typed text: numbers by digit count, and texts. */
function rangesOf(typed: string, affinity: Affinity): Range[] {
  if (typed === '') return [[undefined]];
  const texts: Range = [typed, `${typed}\u{10ffff}`];
  if (affinity === 'text' || !/^-?(?:0|[1-9]\d*)$/.test(typed)) return [texts];
  // a numeric column would convert the bounds of the text range to numbers
  return affinity === 'blob' ? [...numbersLike(typed), texts] : numbersLike(typed);
}

function numbersLike(typed: string): Range[] {
  const ranges: Range[] = [];
  const start = BigInt(typed);
  const isLess = typed.startsWith('-');
  const digits = typed.length - (isLess ? 1 : 0);
  for (let more = 0; digits + more <= MOST_DIGITS; more++) {
    const scale = 10n ** BigInt(more);
    const end = start * scale;
    const [low, high] = isLess ? [end - (scale - 1n), end] : [end, end + scale - 1n];
    ranges.push([clamped(low), clamped(high)]);
    if (start === 0n) break;
  }
  return ranges;
}

function clamped(value: bigint): bigint {
  const most = 2n ** 63n - 1n;
  if (value > most) return most;
  return value < -most ? -most : value;
}
