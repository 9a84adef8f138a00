import type { Connection } from '../connection.ts';
import { readSchema, type SchemaRow, schemaVersion } from './schema.ts';

/** Names of tables and views in lower case. */
type Names = ReadonlySet<string>;

/** The parts of a schema that can change rows beyond the statement itself. */
export interface SchemaNotes {
  readonly version: number;
  readonly tables: Names;
  readonly virtual: Names;
  /** tables with ON CONFLICT REPLACE */
  readonly replacing: Names;
  /** tables with foreign keys, possibly to themselves */
  readonly cascading: Names;
  /** tables and views with triggers */
  readonly triggered: Names;
  readonly triggersReplace: boolean;
  readonly viewTriggers: boolean;
}

const noted = new WeakMap<Connection, SchemaNotes>();

/** Returns the notes on the current schema, cached by its version. */
export function schemaNotes(connection: Connection): SchemaNotes {
  const version = schemaVersion(connection);
  const known = noted.get(connection);
  if (known?.version === version) return known;
  const notes = notesOf([...readSchema(connection).values()], version);
  noted.set(connection, notes);
  return notes;
}

/** Drops the cached notes: the version of a rolled-back schema may be used again for another. */
export function forgetNotes(connection: Connection): void {
  noted.delete(connection);
}

function notesOf(rows: readonly SchemaRow[], version: number): SchemaNotes {
  const tables = rows.filter(({ type }) => type === 'table');
  const views = named(rows.filter(({ type }) => type === 'view'));
  const triggers = rows.filter(({ type }) => type === 'trigger');
  const matching = (pattern: RegExp): Names => named(tables.filter(({ sql }) => pattern.test(sql ?? '')));
  return {
    version,
    tables: named(tables),
    virtual: matching(/^create\s+virtual/i),
    replacing: matching(/replace/i),
    cascading: matching(/references/i),
    triggered: new Set(triggers.map(({ table }) => table.toLowerCase())),
    triggersReplace: triggers.some(({ sql }) => /replace/i.test(sql ?? '')),
    viewTriggers: triggers.some(({ table }) => views.has(table.toLowerCase())),
  };
}

function named(rows: readonly SchemaRow[]): Set<string> {
  return new Set(rows.map(({ name }) => name.toLowerCase()));
}
