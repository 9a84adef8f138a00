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
  /** the key of the last row of the page before it, or how many rows came before where the rows have no key */
  readonly after?: readonly unknown[] | number | undefined;
  readonly rows: number;
  /** most bytes of the rows as JSON */
  readonly bytes: number;
  readonly cellBytes: number;
}

export interface RowsFacts {
  readonly table: string;
  readonly columns: readonly ResultColumn[];
  /** where the next page begins; absent at the end */
  readonly next?: readonly unknown[] | number;
}

/** In a row that is longer than so many long cells, all are cut further. */
export const ROW_CELLS = 2;

/** Rows of a table in the order of its key, as a JSON array in the only part. */
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
        ? (JSON.parse(page.key ?? '[]') as unknown[])
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
    // one at least, so that paging ends
    if (rows.length > 0 && (rows.length === most || bytes > mostBytes)) return { rows, key, more: true };
    rows.push(row);
    key = cursor.key;
  }
  return { rows, key, more: false };
}

/** What orders the rows and tells them apart; nothing for views and virtual tables. */
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

/** A name in quotes could be text where no column has it, but never the rowid's own. */
export function quoteKey(name: string): string {
  return ['rowid', '_rowid_', 'oid'].includes(name) ? name : quoteName(name);
}

function otherKey(): LaneError {
  return new LaneError('the cursor belongs to another form of this table: start again without it', {
    code: 'other-key',
  });
}
