import { LaneError } from '../../shared/error.ts';
import { NEEDS_BYTES } from '../../shared/export-plan.ts';
import type { Connection } from '../connection.ts';
import type { Statement } from '../driver.ts';
import { type Cell, type ExactCell, REPLACEMENT, textCell } from '../formats/cells.ts';
import type { Bindings } from '../values/bind.ts';
import { overRows } from '../values/row-sql.ts';

/** Rows with their exact values. */
export interface Rows {
  readonly columns: readonly string[];
  rows(): Iterable<readonly ExactCell[]>;
}

/**
 * Returns the rows of a checked statement. With `bytes`, text is read as bytes, so that text that is not UTF-8 stays
 * exact.
 */
export function rowsOf(connection: Connection, sql: string, bindings: Bindings, bytes: boolean): Rows {
  const plain = connection.db.prepare(sql).raw(true).safeIntegers(true);
  const columns = plain.columns().map(({ name }) => name);
  // raw(true) returns arrays
  const iterate = (statement: Statement) => statement.iterate(...bindings) as Iterable<Cell[]>;
  // SQLite converts UTF-16 to UTF-8, so all text is readable
  if (!isUtf8(connection)) return { columns, rows: () => iterate(plain) };
  if (!bytes) return { columns, rows: () => plainRows(iterate(plain)) };
  const exact = connection.db.prepare(withTypes(sql, columns.length)).raw(true).safeIntegers(true);
  return { columns, rows: () => exactRows(iterate(exact)) };
}

function* plainRows(rows: Iterable<Cell[]>): Generator<readonly Cell[]> {
  for (const row of rows) {
    for (const value of row) {
      // the driver returns this character for invalid UTF-8; a valid text may contain it, too
      if (typeof value === 'string' && value.includes(REPLACEMENT))
        throw new LaneError('a text may not be UTF-8', { code: NEEDS_BYTES });
    }
    yield row;
  }
}

/** Returns the query with two columns for each: the type, and the value with text as bytes. */
function withTypes(sql: string, width: number): string {
  const names = Array.from({ length: width }, (_, index) => `c${index}`);
  const values = names.map(
    (name) => `typeof(${name}), iif(typeof(${name}) = 'text', CAST(${name} AS BLOB), ${name})`,
  );
  return overRows(sql, names, values.join(', '));
}

function* exactRows(rows: Iterable<Cell[]>): Generator<readonly ExactCell[]> {
  for (const row of rows) {
    const cells: ExactCell[] = [];
    for (let at = 1; at < row.length; at += 2) {
      const value = row[at]!;
      cells.push(row[at - 1] === 'text' && Buffer.isBuffer(value) ? textCell(value) : value);
    }
    yield cells;
  }
}

/** Returns whether the database stores text as UTF-8. */
export function isUtf8({ db }: Connection): boolean {
  return db.pragma('encoding', { simple: true }) === 'UTF-8';
}
