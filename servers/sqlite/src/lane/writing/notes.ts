import type { Connection } from '../connection.ts';
import { readSchema, type SchemaRow, schemaVersion } from './schema.ts';

/** Names of tables and views, in small letters. */
type Names = ReadonlySet<string>;

/** What the schema says on how rows may change without the statement saying so. */
export interface SchemaNotes {
  readonly version: number;
  readonly tables: Names;
  readonly virtual: Names;
  /** tables where a row may give way to another one */
  readonly replacing: Names;
  /** tables with foreign keys, which may be to themselves */
  readonly cascading: Names;
  /** tables and views with triggers */
  readonly triggered: Names;
  readonly triggersReplace: boolean;
  readonly viewTriggers: boolean;
}

const noted = new WeakMap<Connection, SchemaNotes>();

/** The notes on the schema as it is now. */
export function schemaNotes(connection: Connection): SchemaNotes {
  const version = schemaVersion(connection);
  const known = noted.get(connection);
  if (known?.version === version) return known;
  const notes = notesOf([...readSchema(connection).values()], version);
  noted.set(connection, notes);
  return notes;
}

/** Takes new notes next time: the version of a schema that was rolled back may come again for another one. */
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
