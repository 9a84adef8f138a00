import { quoteName, quoteText } from '../../shared/sql/names.ts';
import type { Connection } from '../connection.ts';
import type { Cell } from '../formats/cells.ts';
import { cellText, cutText } from '../values/cells.ts';
import type { SearchTable } from './tables.ts';

/** A matching row. */
export interface Hit {
  readonly table: string;
  readonly rowid: unknown;
  /** relevance: more is better, comparable within one table only */
  readonly score: number;
  /** matching columns: an excerpt with the matching words marked */
  readonly matches: readonly { readonly column: string; readonly text: string }[];
  readonly values: readonly unknown[];
  /** its index in the order of its table */
  readonly place: number;
}

/** Marks around each matching word. */
export const marks = ['«', '»'] as const;
const AROUND_TOKENS = 16;
/** Most characters of one value. */
const MOST_VALUE = 300;
/** Most rows of an FTS3 or FTS4 table that are sorted. */
const MOST_ORDERED = 10_000;

/** Returns matching rows of one table, best first, from an index in that order. */
export function hitsIn(
  connection: Connection,
  table: SearchTable,
  query: string,
  from: number,
  count: number,
): Hit[] {
  return table.module === 'fts5'
    ? rankedHits(connection, table, query, from, count)
    : orderedHits(connection, table, query, from, count);
}

function rankedHits(
  { db }: Connection,
  table: SearchTable,
  query: string,
  from: number,
  count: number,
): Hit[] {
  const name = quoteName(table.name);
  const matches = table.columns.map((_, at) => `snippet(${name}, ${at}, ${marked}, '…', ${AROUND_TOKENS})`);
  const sql = `SELECT rowid, -bm25(${name}), ${[...matches, ...valuesOf(table)].join(', ')}
    FROM main.${name} WHERE ${name} MATCH ? ORDER BY rank LIMIT ? OFFSET ?`;
  const rows = db.prepare(sql).raw(true).safeIntegers(true).all(query, count, from) as Cell[][]; // raw(true) returns arrays
  return rows.map((row, at) => toHit(table, row, from + at));
}

/** Ranks rows here: FTS3 and FTS4 return only match statistics. */
function orderedHits(
  { db }: Connection,
  table: SearchTable,
  query: string,
  from: number,
  count: number,
): Hit[] {
  const name = quoteName(table.name);
  const isWhole = table.module === 'fts4';
  const found = db
    .prepare(
      `SELECT rowid, matchinfo(${name}, '${isWhole ? 'pcnalx' : 'pcx'}') FROM main.${name} WHERE ${name} MATCH ? LIMIT ${MOST_ORDERED}`,
    )
    .raw(true)
    .safeIntegers(true)
    .all(query) as [bigint, Buffer][]; // the two selected columns
  const ordered = found
    .map(([rowid, info]) => ({ rowid, score: scoreOf(info, isWhole) }))
    .sort((a, b) => b.score - a.score || (a.rowid < b.rowid ? -1 : 1));
  const matches = table.columns.map((_, at) => `snippet(${name}, ${marked}, '…', ${at}, ${AROUND_TOKENS})`);
  const one = db
    .prepare(
      `SELECT rowid, ?, ${[...matches, ...valuesOf(table)].join(', ')} FROM main.${name} WHERE ${name} MATCH ? AND rowid = ?`,
    )
    .raw(true)
    .safeIntegers(true);
  return ordered.slice(from, from + count).flatMap(({ rowid, score }, at) => {
    const row = one.get(score, query, rowid) as Cell[] | undefined; // raw(true) returns arrays
    return row === undefined ? [] : [toHit(table, row, from + at)];
  });
}

const marked = marks.map(quoteText).join(', ');

/** Returns SQL for each value, cut if long, and for its full length if cut. */
function valuesOf({ columns }: SearchTable): string[] {
  return columns.flatMap((column) => {
    const value = quoteName(column);
    const isLong = `typeof(${value}) = 'text' AND length(${value}) > ${MOST_VALUE}`;
    return [
      `iif(${isLong}, substr(${value}, 1, ${MOST_VALUE}), ${value})`,
      `iif(${isLong}, octet_length(${value}), NULL)`,
    ];
  });
}

function toHit({ name, columns }: SearchTable, row: readonly Cell[], place: number): Hit {
  const [rowid = null, score] = row;
  const cells = row.slice(2 + columns.length);
  return {
    table: name,
    rowid: toJson(rowid),
    score: Number(Number(score).toPrecision(6)),
    matches: columns.flatMap((column, at) => {
      const text = row[2 + at];
      return typeof text === 'string' && text.includes(marks[0]) ? [{ column, text }] : [];
    }),
    values: columns.map((_, at) => {
      const [value = null, bytes] = cells.slice(2 * at, 2 * at + 2);
      return typeof bytes === 'bigint' ? JSON.parse(cutText(String(value), Number(bytes))) : toJson(value);
    }),
    place,
  };
}

function toJson(value: Cell): unknown {
  return JSON.parse(cellText(value));
}

/** Parameters of BM25 as in FTS5. Source: https://sqlite.org/fts5.html#the_bm25_function */
const K1 = 1.2;
const B = 0.75;

/**
 * Returns the relevance of a row of an FTS3 or FTS4 table from `matchinfo` with `pcx` or `pcnalx`; more is better.
 * Source: https://sqlite.org/fts3.html#matchinfo
 */
function scoreOf(info: Buffer, isWhole: boolean): number {
  const numbers = new Uint32Array(info.buffer.slice(info.byteOffset, info.byteOffset + info.length));
  const [phrases = 0, columns = 0] = numbers;
  const rows = isWhole ? numbers[2]! : 0;
  const lengths = isWhole ? 3 : 2;
  const hits = isWhole ? lengths + 2 * columns : lengths;
  let score = 0;
  for (let phrase = 0; phrase < phrases; phrase++) {
    for (let column = 0; column < columns; column++) {
      const at = hits + 3 * (phrase * columns + column);
      const here = numbers[at]!;
      if (here === 0) continue;
      const within = numbers[at + 2]!;
      const rarity = isWhole ? Math.max(1e-6, Math.log((rows - within + 0.5) / (within + 0.5))) : 1 / within;
      const average = isWhole ? Math.max(1, numbers[lengths + column]!) : 1;
      const long = isWhole ? numbers[lengths + columns + column]! / average : 1;
      score += (rarity * here * (K1 + 1)) / (here + K1 * (1 - B + B * long));
    }
  }
  return score;
}
