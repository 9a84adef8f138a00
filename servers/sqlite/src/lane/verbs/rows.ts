import { defined } from '@rootbound/kit/primitives';
import { LaneError } from '../../shared/error.ts';
import { quoteName } from '../../shared/sql/names.ts';
import type { ResultColumn } from '../../shared/values/result-column.ts';
import type { Connection } from '../connection.ts';
import { tableKey } from '../paging/table-key.ts';
import { objectOf } from '../schema/objects.ts';
import { bindingsOf } from '../values/bind.ts';
import { RowCursor } from '../values/row-cursor.ts';
import { rowStatementsOf } from '../values/row-statements.ts';
import { Answer, type Verb } from '../verb.ts';

export interface RowsArgs {
  readonly table: string;
  /** the last key of the previous page, or the number of previous rows if rows have no key */
  readonly after?: readonly unknown[] | number | undefined;
  readonly rows: number;
  /** most bytes of the rows as JSON */
  readonly bytes: number;
  readonly cellBytes: number;
}

export interface RowsFacts {
  readonly table: string;
  readonly columns: readonly ResultColumn[];
  /** start of the next page; absent at the end */
  readonly next?: readonly unknown[] | number;
}

/** Size of the longest row in cells of `cellBytes`; in longer rows all values are truncated further. */
export const ROW_CELLS = 2;

/** Returns rows of a table in key order, as a JSON array in the only part. */
export const rows: Verb<RowsArgs, RowsFacts> = ({ connection }, args) => {
  const { name } = objectOf(connection, args.table);
  const keys = keyOf(connection, name);
  const { after } = args;
  if (after !== undefined && Array.isArray(after) !== keys.length > 0) throw otherKey();
  if (Array.isArray(after) && after.length !== keys.length) throw otherKey();
  const sql = selectOf(name, keys, after);
  const statements = rowStatementsOf(connection, sql, { cellBytes: args.cellBytes, keys: keys.length });
  const values = after === undefined ? [] : Array.isArray(after) ? after : [after];
  const bindings = bindingsOf(statements.parameters, values.length > 0 ? values : undefined);
  connection.db.exec('BEGIN');
  try {
    const cursor = new RowCursor(connection, statements, bindings, {
      cellBytes: args.cellBytes,
      rowBytes: ROW_CELLS * args.cellBytes,
    });
    const page = take(cursor, args);
    cursor.close();
    const next = page.more
      ? keys.length > 0
        ? (JSON.parse(page.key ?? '[]') as unknown[]) // a JSON array
        : (typeof after === 'number' ? after : 0) + page.rows.length
      : undefined;
    const facts = { table: name, columns: statements.columns, ...defined({ next }) };
    return new Answer(facts, [Buffer.from(`[${page.rows.join(',')}]`)]);
  } finally {
    connection.db.exec('COMMIT');
  }
};

function take(cursor: RowCursor, { rows: most, bytes: mostBytes }: RowsArgs) {
  const rows: string[] = [];
  let key: string | undefined;
  let bytes = 0;
  for (let row = cursor.next(); row !== undefined; row = cursor.next()) {
    bytes += Buffer.byteLength(row) + 1;
    // at least one row, so that paging ends
    if (rows.length > 0 && (rows.length === most || bytes > mostBytes)) return { rows, key, more: true };
    rows.push(row);
    key = cursor.key;
  }
  return { rows, key, more: false };
}

/** Returns the key columns of a table; none for views and virtual tables. */
export function keyOf(connection: Connection, table: string): readonly string[] {
  return tableKey(connection, { table })?.names ?? [];
}

function selectOf(table: string, keys: readonly string[], after: RowsArgs['after']): string {
  const from = `FROM main.${quoteName(table)}`;
  if (keys.length === 0) return `SELECT * ${from} LIMIT -1${after === undefined ? '' : ' OFFSET ?'}`;
  const named = keys.map(quoteKey).join(', ');
  const beyond = after === undefined ? '' : ` WHERE (${named}) > (${keys.map(() => '?').join(', ')})`;
  return `SELECT *, ${named} ${from}${beyond} ORDER BY ${named}`;
}

/** Quotes a name, except a rowid name, which in quotes would be text if no column has it. */
export function quoteKey(name: string): string {
  return ['rowid', '_rowid_', 'oid'].includes(name) ? name : quoteName(name);
}

function otherKey(): LaneError {
  return new LaneError('the key of the table has changed since the cursor was made: start again without it', {
    code: 'other-key',
  });
}
