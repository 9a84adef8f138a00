import { codeOf } from '../../shared/error.ts';
import { quoteName } from '../../shared/sql/names.ts';
import type { Connection } from '../connection.ts';
import { describeTable, type TableFacts } from '../schema/describe.ts';
import { RowCursor } from '../values/row-cursor.ts';
import { rowStatementsOf } from '../values/row-statements.ts';
import type { Verb } from '../verb.ts';

export interface SchemaArgs {
  readonly table: string;
  /** number of sample rows, default 0 */
  readonly samples?: number | undefined;
}

export interface DescribedTable extends TableFacts {
  /** sample rows as JSON texts */
  readonly samples: readonly string[];
}

/** Describes one table or view, with sample rows. */
export const schema: Verb<SchemaArgs, DescribedTable> = ({ connection }, { table, samples = 0 }) => {
  const facts = describeTable(connection, table);
  return { ...facts, samples: samplesOf(connection, facts.table, samples) };
};

const MOST_CELL = 200;

/** Returns the first rows of a table or view as JSON texts; none if a view cannot be read. */
function samplesOf(connection: Connection, table: string, count: number): string[] {
  if (count === 0) return [];
  const { db } = connection;
  db.exec('BEGIN');
  try {
    const sql = `SELECT * FROM main.${quoteName(table)} LIMIT ${count}`;
    const cursor = new RowCursor(connection, rowStatementsOf(connection, sql, { cellBytes: MOST_CELL }), [], {
      cellBytes: MOST_CELL,
      rowBytes: 100 * MOST_CELL,
    });
    const rows: string[] = [];
    for (let row = cursor.next(); row !== undefined; row = cursor.next()) rows.push(row);
    return rows;
  } catch (error) {
    // a view of a missing table, or one that calls a function that schemas may not use: it is described without samples
    if (codeOf(error) === 'SQLITE_ERROR') return [];
    throw error;
  } finally {
    db.exec('COMMIT');
  }
}
