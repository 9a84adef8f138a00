import { quoteName } from '../../shared/sql/names.ts';
import type { Connection } from '../connection.ts';

/** What a schema holds, as far as programs speak of it. */
export interface SchemaContents {
  /** the table whose rows, or whose index, begin at a page */
  readonly tableAt: ReadonlyMap<number, string>;
  /** the table that a name, in small letters, stands for: of a table or view its own, of an index or trigger that it is on */
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

/** What a database of the connection holds now. */
export function readContents({ db }: Connection, schema: string): SchemaContents {
  const rows = db
    .prepare(
      `SELECT type, name, tbl_name AS "table", coalesce(rootpage, 0) AS root, sql LIKE 'CREATE VIRTUAL%' AS virtual
       FROM ${quoteName(schema)}.sqlite_schema WHERE typeof(name) = 'text' AND typeof(tbl_name) = 'text'`,
    )
    .all() as Row[];
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

/** The databases of a connection by their number in programs. */
export function schemasOf({ db }: Connection): ReadonlyMap<number, string> {
  const rows = db.pragma('database_list') as { seq: number; name: string }[];
  return new Map([[1, 'temp'], ...rows.map(({ seq, name }): [number, string] => [seq, name])]);
}
