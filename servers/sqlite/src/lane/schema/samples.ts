import { quoteName } from '../../shared/sql/names.ts';
import type { Connection } from '../connection.ts';
import { readingOf } from '../values/reading.ts';
import { RowCursor } from '../values/row-cursor.ts';

const MOST_CELL = 200;

/** The first rows of a table or view as JSON texts; none where a view cannot be read. */
export function samplesOf(connection: Connection, table: string, count: number): string[] {
  if (count === 0) return [];
  const { db } = connection;
  db.exec('BEGIN');
  try {
    const sql = `SELECT * FROM main.${quoteName(table)} LIMIT ${count}`;
    const cursor = new RowCursor(connection, readingOf(connection, sql, { cellBytes: MOST_CELL }), [], {
      cellBytes: MOST_CELL,
      rowBytes: 100 * MOST_CELL,
    });
    const rows: string[] = [];
    for (let row = cursor.next(); row !== undefined; row = cursor.next()) rows.push(row);
    return rows;
  } catch (error) {
    // a view of what is gone, or with functions that a schema may not call: its SQL is told all the same
    if (error instanceof Error && 'code' in error && error.code === 'SQLITE_ERROR') return [];
    throw error;
  } finally {
    db.exec('COMMIT');
  }
}
