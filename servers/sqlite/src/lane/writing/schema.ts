import type { Connection } from '../connection.ts';

/** A table, index, view or trigger. */
export interface SchemaObject {
  readonly type: string;
  readonly name: string;
  /** its table or view */
  readonly table: string;
}

export interface SchemaChanges {
  readonly added: readonly SchemaObject[];
  readonly removed: readonly SchemaObject[];
  readonly changed: readonly SchemaObject[];
}

export type SchemaRow = SchemaObject & { readonly sql: string | null };
export type Schema = ReadonlyMap<string, SchemaRow>;

/** Returns the schema version, which every schema change increments. */
export function schemaVersion(connection: Connection): number {
  return connection.prepare('PRAGMA schema_version').pluck().get() as number; // an integer
}

/** Reads the schema without SQLite's internal objects. */
export function readSchema(connection: Connection): Schema {
  const rows = connection
    .prepare(
      "SELECT type, name, tbl_name AS \"table\", sql FROM main.sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
    )
    .all() as SchemaRow[]; // the selected columns
  return new Map(rows.map((row) => [`${row.type} ${row.name}`, row]));
}

/** Returns the differences between two schemas. */
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
