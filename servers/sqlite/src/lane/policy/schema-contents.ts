import { quoteName } from '../../shared/sql/names.ts';
import { type Connection, selectRows } from '../connection.ts';

/** The tables of a schema by the ways in which programs refer to them. */
export interface SchemaContents {
  /** the table whose b-tree, or an index of it, has its root at a page */
  readonly tableAt: ReadonlyMap<number, string>;
  /**
   * the table of an object by its type and name in lower case: of a table or view itself, of an index or trigger the
   * table that it is on
   */
  readonly tableOf: ReadonlyMap<string, string>;
  readonly virtual: readonly string[];
}

interface Row {
  type: string;
  name: string;
  table: string;
  root: number;
  virtual: number;
}

/** Reads the current schema of a database of the connection. */
export function readContents({ db }: Connection, schema: string): SchemaContents {
  const rows = selectRows<Row>(
    { db },
    `SELECT type, name, tbl_name AS "table", coalesce(rootpage, 0) AS root, sql LIKE 'CREATE VIRTUAL%' AS virtual
     FROM ${quoteName(schema)}.sqlite_schema WHERE typeof(name) = 'text' AND typeof(tbl_name) = 'text'`,
  );
  const tableAt = new Map<number, string>([[1, 'sqlite_schema']]);
  const tableOf = new Map<string, string>();
  const virtual: string[] = [];
  for (const row of rows) {
    if (row.root > 1) tableAt.set(row.root, row.table);
    tableOf.set(`${row.type} ${row.name.toLowerCase()}`, row.table);
    if (row.virtual === 1) virtual.push(row.name);
  }
  return { tableAt, tableOf, virtual };
}

/** Returns the names of the databases of a connection by their number in programs. */
export function schemasOf({ db }: Connection): ReadonlyMap<number, string> {
  const rows = selectRows<{ seq: number; name: string }>({ db }, 'PRAGMA database_list');
  return new Map([[1, 'temp'], ...rows.map(({ seq, name }): [number, string] => [seq, name])]);
}
