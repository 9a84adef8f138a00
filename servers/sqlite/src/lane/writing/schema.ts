import type { Connection } from '../connection.ts';

/** A table, index, view or trigger. */
export interface SchemaObject {
  readonly type: string;
  readonly name: string;
  /** the table or view that it belongs to */
  readonly table: string;
}

export interface SchemaChanges {
  readonly added: readonly SchemaObject[];
  readonly removed: readonly SchemaObject[];
  readonly changed: readonly SchemaObject[];
}

export type SchemaRow = SchemaObject & { readonly sql: string | null };
export type Schema = ReadonlyMap<string, SchemaRow>;

/** A number that is another one after every change of the schema. */
export function schemaVersion(connection: Connection): number {
  return connection.prepare('PRAGMA schema_version').pluck().get() as number;
}

/** What the schema holds, without what SQLite keeps for itself. */
export function readSchema(connection: Connection): Schema {
  const rows = connection
    .prepare(
      "SELECT type, name, tbl_name AS \"table\", sql FROM main.sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
    )
    .all() as SchemaRow[];
  return new Map(rows.map((row) => [`${row.type} ${row.name}`, row]));
}

/** What differs between two states of a schema. */
export function schemaChanges(before: Schema, after: Schema): SchemaChanges {
  const objectOf = ({ type, name, table }: SchemaRow): SchemaObject => ({ type, name, table });
  const missing = (from: Schema, other: Schema): SchemaObject[] =>
    [...from].filter(([key]) => !other.has(key)).map(([, row]) => objectOf(row));
  return {
    added: missing(after, before),
    removed: missing(before, after),
    changed: [...after]
      .filter(([key, { sql }]) => before.has(key) && before.get(key)!.sql !== sql)
      .map(([, row]) => objectOf(row)),
  };
}
