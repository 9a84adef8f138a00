import type { RowEstimate } from '../../shared/row-estimate.ts';
import { quoteName, sameName } from '../../shared/sql/names.ts';
import { type Connection, selectRows, trySelectRows } from '../connection.ts';
import type { SchemaObject } from './objects.ts';

/** Rows up to which a table is counted. */
const MOST_COUNTED = 10_000;

/** Returns the number of rows of a table: counted if small, else estimated by ANALYZE or by the range of rowids. */
export function rowsOf(connection: Connection, object: SchemaObject): RowEstimate | undefined {
  if (object.type === 'view' || object.type === 'virtual') return undefined;
  const table = quoteName(object.name);
  const [counted] = selectRows<{ n: number }>(
    connection,
    `SELECT count(*) AS n FROM (SELECT 1 FROM ${table} LIMIT ${MOST_COUNTED + 1})`,
  );
  if (counted!.n <= MOST_COUNTED) return { rows: counted!.n, rows_are: 'exact' };
  return analysedRows(connection, object) ?? rowidRange(connection, object);
}

function analysedRows(connection: Connection, { name }: SchemaObject): RowEstimate | undefined {
  const stats = trySelectRows<{ stat: unknown }>(
    connection,
    // a partial index does not cover all rows: the largest number is that of the table
    'SELECT stat FROM sqlite_stat1 WHERE tbl = ? COLLATE NOCASE ORDER BY CAST(stat AS INTEGER) DESC LIMIT 1',
    name,
  );
  const rows = Number.parseInt(String(stats?.[0]?.stat), 10);
  return Number.isSafeInteger(rows) && rows > 0 ? { rows, rows_are: 'estimated' } : undefined;
}

function rowidRange(connection: Connection, object: SchemaObject): RowEstimate {
  const rowid = rowidOf(connection, object);
  if (rowid === undefined) return { rows: MOST_COUNTED, rows_are: 'at-least' };
  const table = quoteName(object.name);
  const [ends] = selectRows<{ first: number; last: number }>(
    connection,
    // each end of the b-tree is one lookup
    `SELECT (SELECT min(${rowid}) FROM ${table}) AS first, (SELECT max(${rowid}) FROM ${table}) AS last`,
  );
  return { rows: ends!.last - ends!.first + 1, rows_are: 'at-most' };
}

/** Returns a name of the table's rowid; undefined if there is no rowid, or columns use all its names. */
export function rowidOf(
  connection: Connection,
  { name, withoutRowid, type }: SchemaObject,
): string | undefined {
  if (withoutRowid || type === 'view') return undefined;
  const taken = selectRows<{ name: string }>(
    connection,
    "SELECT name FROM pragma_table_xinfo(?, 'main')",
    name,
  );
  return ['rowid', '_rowid_', 'oid'].find((own) => !taken.some((column) => sameName(column.name, own)));
}
