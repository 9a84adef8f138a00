import { foldName, quoteName } from '../../shared/sql/names.ts';
import { type Connection, selectRows, trySelectRows } from '../connection.ts';
import { type Database, loadDriver } from '../driver.ts';
import { columnsOf } from '../schema/columns.ts';
import type { SchemaObject } from '../schema/objects.ts';
import { rowidOf, rowsOf } from '../schema/rows.ts';

/** Most sampled rows of a table (fewer of wide ones) and number of runs of adjacent rows they are taken from. */
const MOST_ROWS = 2_000;
const MOST_VALUES = 40_000;
const RUNS = 20;
/** Most characters of a sampled value; a prefix suffices to tell values apart. */
const MOST_VALUE = 64;

/** An in-memory copy of a part of the schema with sampled rows. */
export interface ScratchCopy {
  readonly db: Database;
  /** number of rows in the original of each table, by folded name */
  readonly rows: ReadonlyMap<string, number>;
}

/** Copies tables and views with their indexes and a sample of their rows. The caller closes the copy. */
export function copyToScratch(connection: Connection, objects: readonly SchemaObject[]): ScratchCopy {
  const db = new (loadDriver())(':memory:');
  try {
    for (const setting of ['trusted_schema = OFF', 'foreign_keys = OFF', 'ignore_check_constraints = ON'])
      db.pragma(setting);
    const rows = new Map<string, number>();
    for (const object of objects) {
      make(db, sqlOf(connection, "type IN ('table', 'view') AND name = ?", object.name));
      if (object.type !== 'table') continue;
      const estimate = rowsOf(connection, object);
      rows.set(foldName(object.name), estimate?.rows ?? 0);
      copyRows(connection, db, object);
      make(db, sqlOf(connection, "type = 'index' AND tbl_name = ?", object.name));
    }
    // created last, so that they do not fire for the copied rows
    for (const { name } of objects) make(db, sqlOf(connection, "type = 'trigger' AND tbl_name = ?", name));
    return { db, rows };
  } catch (error) {
    db.close();
    throw error;
  }
}

function sqlOf(connection: Connection, where: string, name: string): string[] {
  return selectRows<{ sql: string }>(
    connection,
    `SELECT sql FROM main.sqlite_schema WHERE sql IS NOT NULL AND ${where} COLLATE NOCASE`,
    name,
  ).map(({ sql }) => sql);
}

/** Runs statements one by one: the driver refuses a second statement that a tampered schema has appended. */
function make(db: Database, statements: readonly string[]): void {
  for (const sql of statements) {
    try {
      db.prepare(sql).run();
    } catch (error) {
      // the plan fails later if it needs an object that could not be created
      if (!(error instanceof Error)) throw error;
    }
  }
}

function copyRows(connection: Connection, db: Database, object: SchemaObject): void {
  const columns = columnsOf(connection, object.name).filter(
    ({ generated, hidden }) => generated === undefined && hidden === undefined,
  );
  const names = columns.map(({ name }) => quoteName(name)).join(', ');
  const short = columns.map(({ name }) => {
    const column = quoteName(name);
    return `iif(typeof(${column}) IN ('text', 'blob') AND length(${column}) > ${MOST_VALUE}, substr(${column}, 1, ${MOST_VALUE}), ${column})`;
  });
  const insert = db.prepare(
    `INSERT OR IGNORE INTO ${quoteName(object.name)} (${names}) VALUES (${columns.map(() => '?').join(', ')})`,
  );
  const select = `SELECT ${short.join(', ')} FROM main.${quoteName(object.name)}`;
  const add = db.transaction((rows: readonly unknown[][]) => {
    for (const row of rows) insert.run(...row);
  });
  const most = Math.max(RUNS, Math.min(MOST_ROWS, Math.floor(MOST_VALUES / Math.max(1, columns.length))));
  const starts = startsOf(connection, object);
  const rowid = rowidOf(connection, object);
  for (const start of starts) {
    const run = connection.db.prepare(
      start === undefined
        ? `${select} LIMIT ${most}`
        : `${select} WHERE ${rowid} >= ? LIMIT ${Math.ceil(most / RUNS)}`,
    );
    add(
      run
        .raw(true)
        .safeIntegers(true)
        .all(...(start === undefined ? [] : [start])) as unknown[][], // raw(true) returns arrays
    );
  }
}

/** Returns the first rowids of the runs, spread over the range of rowids; undefined stands for the first row. */
function startsOf(connection: Connection, object: SchemaObject): (number | undefined)[] {
  const rowid = rowidOf(connection, object);
  if (rowid === undefined) return [undefined];
  const table = quoteName(object.name);
  const [ends] = selectRows<{ first: number | null; last: number | null }>(
    connection,
    `SELECT (SELECT min(${rowid}) FROM ${table}) AS first, (SELECT max(${rowid}) FROM ${table}) AS last`,
  );
  const { first, last } = ends!;
  if (first === null || last === null) return [];
  if (last - first < MOST_ROWS) return [undefined];
  return Array.from({ length: RUNS }, (_, run) => first + Math.floor(((last - first) * run) / RUNS));
}

/** Gives the planner statistics of the whole table for each index, scaled up from the sample. */
export function analyse(connection: Connection, { db, rows }: ScratchCopy): void {
  db.exec('ANALYZE');
  const own = trySelectRows<{ tbl: string; idx: string | null; stat: string }>(
    connection,
    'SELECT tbl, idx, stat FROM main.sqlite_stat1',
  );
  const known = new Map(own?.map(({ tbl, idx, stat }) => [`${foldName(tbl)}\0${foldName(idx ?? '')}`, stat]));
  const stats = selectRows<Stat>({ db }, 'SELECT rowid, tbl, idx, stat FROM sqlite_stat1');
  const update = db.prepare('UPDATE sqlite_stat1 SET stat = ? WHERE rowid = ?');
  for (const { rowid, tbl, idx, stat } of stats) {
    const total = rows.get(foldName(tbl));
    const kept = known.get(`${foldName(tbl)}\0${foldName(idx ?? '')}`);
    if (total !== undefined) update.run(kept ?? scaled(stat, total), rowid);
  }
  // histograms of the sample would contradict the scaled statistics
  db.exec('DELETE FROM sqlite_stat4; ANALYZE sqlite_schema');
}

interface Stat {
  rowid: number;
  tbl: string;
  idx: string | null;
  stat: string;
}

/** Below this share of distinct values the sample is assumed to contain all of them. */
const ALL_SEEN = 0.1;

/**
 * Scales sqlite_stat1 statistics of a sample to all rows. Source:
 * https://sqlite.org/fileformat2.html#the_sqlite_stat1_table
 */
function scaled(stat: string, total: number): string {
  const [size = 1, ...each] = stat.split(' ').flatMap((word) => (/^\d+$/.test(word) ? [Number(word)] : []));
  const rows = Math.max(total, size);
  const averages = each.map((average) => {
    const share = 1 / Math.max(1, average);
    return share >= ALL_SEEN ? average : Math.max(1, Math.round(rows * (average / size)));
  });
  return [rows, ...averages].join(' ');
}
