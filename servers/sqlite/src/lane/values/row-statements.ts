import { codeOf } from '../../shared/error.ts';
import { type Parameters, parametersOf } from '../../shared/sql/parameters.ts';
import type { ManyRows } from '../../shared/values/page.ts';
import type { ResultColumn } from '../../shared/values/result-column.ts';
import type { Connection } from '../connection.ts';
import type { Bindings } from './bind.ts';
import { columnsOf } from './columns.ts';
import { exactSql, MANY_LONGEST, manySql, plainSql, type RowSource } from './row-sql.ts';

/** The SQL that reads the rows of one statement; cached with its text. */
export interface RowStatements {
  readonly sql: string;
  readonly columns: readonly ResultColumn[];
  readonly keys: number;
  /** index of the column that is the key */
  readonly keyAt: number | undefined;
  readonly parameters: Parameters;
  /** SQL that returns rows as JSON; undefined once a row was not plain */
  plain: string | undefined;
  /** SQL that returns rows value by value; undefined if the statement cannot be a subquery */
  readonly exact: string | undefined;
  /** SQL that returns many rows at once, if they have a key to continue from */
  readonly many: string | undefined;
}

/** Row statements and the bindings of their parameters. */
export interface RowOrigin {
  readonly statements: RowStatements;
  readonly bindings: Bindings;
}

/** The character that replaces invalid UTF-8; valid text may contain it, too. */
export const REPLACEMENT = '\uFFFD';

export interface RowStatementOptions {
  /** most bytes of a cell */
  readonly cellBytes: number;
  /** number of last columns that are a key and not part of the result */
  readonly keys?: number;
  /** or index of the column that is the key */
  readonly keyAt?: number | undefined;
  /** whether keys are descending */
  readonly descending?: boolean;
  /** whether the one table that is read stores all columns */
  readonly isStored?: boolean;
}

/** Returns the SQL that reads the rows of a statement. */
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
      // most results do not need it
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

/**
 * Returns whether SQLite prepares the statement: EXPLAIN cannot be a subquery, and columns and arguments are limited.
 */
function canPrepare(connection: Connection, sql: string): boolean {
  try {
    connection.prepare(sql);
    return true;
  } catch (error) {
    if (codeOf(error) !== undefined) return false;
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

/** Returns the next rows at once and the last of them; undefined at the end, and if one is not plain or is long. */
export function manyRows(
  connection: Connection,
  { statements, bindings }: RowOrigin,
  cellBytes: number,
): (ManyRows & { last: string }) | undefined {
  const { many, plain } = statements;
  if (many === undefined || plain === undefined || cellBytes < MANY_LONGEST) return undefined;
  try {
    // the columns that `manySql` selects
    const [text, rows, short, last] = connection
      .prepare(many)
      .raw()
      .get(...bindings) as [string, number, number, string, unknown];
    return rows === 0 || short < rows || text.includes(REPLACEMENT) ? undefined : { text, rows, last };
  } catch (error) {
    // the error is thrown again when the rows are read one by one
    if (codeOf(error) === undefined) throw error;
    return undefined;
  }
}
