import { type Parameters, parametersOf } from '../../shared/sql/parameters.ts';
import type { ManyRows } from '../../shared/values/page.ts';
import type { ResultColumn } from '../../shared/values/result-column.ts';
import type { Connection } from '../connection.ts';
import type { Bindings } from './bind.ts';
import { columnsOf } from './columns.ts';
import { exactSql, MANY_LONGEST, manySql, plainSql, type RowSource } from './row-sql.ts';

/** How the rows of one statement are read; kept with its text, as it learns what they hold. */
export interface RowStatements {
  readonly sql: string;
  readonly columns: readonly ResultColumn[];
  readonly keys: number;
  /** the number of the column that is the key of the row */
  readonly keyAt: number | undefined;
  readonly parameters: Parameters;
  /** SQLite writes the rows, as long as all of them are plain */
  plain: string | undefined;
  /** the rows value by value; undefined where the statement cannot be part of another */
  readonly exact: string | undefined;
  /** many rows at once, where they have a key to go on from */
  readonly many: string | undefined;
}

/** A reading, and the values of its parameters. */
export interface RowOrigin {
  readonly statements: RowStatements;
  readonly bindings: Bindings;
}

/** What stands for bytes that are no UTF-8: a text that has it may have had others. */
export const REPLACEMENT = '\uFFFD';

export interface RowStatementOptions {
  /** most bytes of a cell */
  readonly cellBytes: number;
  /** so many of the last columns are a key, and not shown */
  readonly keys?: number;
  /** or the column of this number is the key */
  readonly keyAt?: number | undefined;
  /** whether that falls */
  readonly descending?: boolean;
  /** whether all columns are stored in the one table that the statement reads */
  readonly isStored?: boolean;
}

/** How rows of a statement are read. */
export function rowStatementsOf(
  connection: Connection,
  sql: string,
  { cellBytes, keys = 0, keyAt, descending = false, isStored = false }: RowStatementOptions,
): RowStatements {
  const all = columnsOf(connection.prepare(sql));
  const source: RowSource = { sql, columns: all.slice(0, all.length - keys), keys, isStored };
  const plain = plainSql(source);
  let exact: { readonly sql: string | undefined } | undefined;
  let many: { readonly sql: string | undefined } | undefined;
  return {
    sql,
    columns: source.columns,
    keys,
    keyAt,
    parameters: parametersOf(sql),
    plain: canPrepare(connection, plain) ? plain : undefined,
    get exact() {
      // most results never need it
      if (exact === undefined) {
        const written = exactSql(source, cellBytes, isUtf8(connection));
        exact = { sql: canPrepare(connection, written) ? written : undefined };
      }
      return exact.sql;
    },
    get many() {
      if (many === undefined) {
        const written = keyAt === undefined ? undefined : manySql(source, keyAt, descending);
        many = { sql: written !== undefined && canPrepare(connection, written) ? written : undefined };
      }
      return many.sql;
    },
  };
}

/** EXPLAIN cannot be a part of another statement, and there is a limit of columns and arguments. */
function canPrepare(connection: Connection, sql: string): boolean {
  try {
    connection.prepare(sql);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
}

const encodings = new WeakMap<Connection, boolean>();

function isUtf8(connection: Connection): boolean {
  let is = encodings.get(connection);
  if (is === undefined) {
    is = connection.db.pragma('encoding', { simple: true }) === 'UTF-8';
    encodings.set(connection, is);
  }
  return is;
}

/** The next rows at once, and the last of them; nothing at the end, and where one is not plain or is long. */
export function manyRows(
  connection: Connection,
  { statements, bindings }: RowOrigin,
  cellBytes: number,
): (ManyRows & { last: string }) | undefined {
  const { many, plain } = statements;
  if (many === undefined || plain === undefined || cellBytes < MANY_LONGEST) return undefined;
  try {
    // what `manySql` selects
    const [text, rows, short, last] = connection
      .prepare(many)
      .raw()
      .get(...bindings) as [string, number, number, string, unknown];
    return rows === 0 || short < rows || text.includes(REPLACEMENT) ? undefined : { text, rows, last };
  } catch (error) {
    // it shows again where the rows come one by one
    if (!(error instanceof Error && 'code' in error)) throw error;
    return undefined;
  }
}
