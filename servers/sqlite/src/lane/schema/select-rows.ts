import { LaneError } from '../../shared/error.ts';
import type { Connection } from '../connection.ts';

/** Rows of a statement of the server's own, as objects. */
export function selectRows<Row>({ db }: Connection, sql: string, ...values: unknown[]): Row[] {
  // its own statement: those that are kept belong to the callers' texts, with settings of their own
  return db
    .prepare(sql)
    .safeIntegers(false)
    .all(...values) as Row[]; // what the statement selects
}

/** The same where the statement may not be possible on this schema: undefined then. */
export function trySelectRows<Row>(connection: Connection, sql: string, ...values: unknown[]) {
  try {
    return selectRows<Row>(connection, sql, ...values);
  } catch (error) {
    // an unknown module, a function that the schema may not call, a view of what is gone
    if (isRefusedBySql(error)) return undefined;
    throw error;
  }
}

function isRefusedBySql(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'SQLITE_ERROR';
}

/** A name that SQLite would cut at its NUL names nothing. */
export function assertName(name: string): void {
  if (name === '' || name.includes('\0'))
    throw new LaneError('table_name is not a name', { code: 'no-such-table' });
}
