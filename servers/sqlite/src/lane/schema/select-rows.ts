import { LaneError } from '../../shared/error.ts';
import type { Connection } from '../connection.ts';

/** Returns the rows of one of the server's own statements as objects. */
export function selectRows<Row>({ db }: Connection, sql: string, ...values: unknown[]): Row[] {
  // not from the connection's cache, whose statements have the callers' settings
  return db
    .prepare(sql)
    .safeIntegers(false)
    .all(...values) as Row[]; // the columns that the statement selects
}

/** Returns the rows, or undefined if SQLite refuses the statement on this schema. */
export function trySelectRows<Row>(connection: Connection, sql: string, ...values: unknown[]) {
  try {
    return selectRows<Row>(connection, sql, ...values);
  } catch (error) {
    // an unknown module, a function that a schema may not call, a view of a missing table
    if (isRefusedBySql(error)) return undefined;
    throw error;
  }
}

function isRefusedBySql(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'SQLITE_ERROR';
}

/** Throws for an empty name and for one with a NUL, where SQLite would cut it. */
export function assertName(name: string): void {
  if (name === '' || name.includes('\0'))
    throw new LaneError('table_name is empty or contains a NUL', { code: 'no-such-table' });
}
