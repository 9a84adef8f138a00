import type { ReadOutcome } from '@rootbound/protocol';
import { bytesOf, contentOf, type DatabaseRead, tooLarge } from './content.ts';
import { toSqliteUri } from './uri.ts';

/** Most tables that a database links to; its schema lists all. */
const MOST_LINKED = 100;

/** Reads a database: its tables with links. */
export async function readDatabase({ context, database, uri }: DatabaseRead): Promise<ReadOutcome> {
  const { scope, signal } = context;
  const { facts: tables } = await scope.engine.lanes.run(database, 'read', 'tables', {}, { signal });
  const { displayPath, size } = database;
  for (let most = MOST_LINKED; ; most = Math.floor(most / 2)) {
    const linked = tables.slice(0, most).map(({ name, type, rows, rows_are }) => ({
      name,
      type,
      ...(rows !== undefined && { rows, rows_are }),
      uri: toSqliteUri(displayPath, { kind: 'table', table: name }),
      rows_uri: toSqliteUri(displayPath, { kind: 'rows', table: name }),
    }));
    const outcome = contentOf(
      uri,
      JSON.stringify({
        database: displayPath,
        bytes: size,
        schema_uri: toSqliteUri(displayPath, { kind: 'schema' }),
        table_count: tables.length,
        tables: linked,
        truncated: linked.length < tables.length,
      }),
    );
    if (most === 0 || bytesOf(outcome) <= scope.maxOutput) return outcome;
  }
}

/** Reads the tables and views of a database and their SQL, as many as fit. */
export async function readSchema({ context, database, uri }: DatabaseRead): Promise<ReadOutcome> {
  const { scope, signal } = context;
  const { lanes } = scope.engine;
  const { facts: tables } = await lanes.run(database, 'read', 'tables', {}, { signal });
  for (let part = 1; ; part *= 2) {
    const bytes = Math.floor(scope.maxOutput / 2 / part);
    const { facts } = await lanes.run(database, 'read', 'statements', { bytes }, { signal });
    const listed = tables
      .slice(0, Math.floor(bytes / 64))
      .map(({ name, type, columns }) => ({ name, type, columns }));
    const truncated = facts.truncated || listed.length < tables.length;
    const outcome = contentOf(
      uri,
      JSON.stringify({
        database: database.displayPath,
        table_count: tables.length,
        tables: listed,
        statements: facts.statements,
        truncated,
        ...(truncated && { hint: 'list_tables and describe_table return it in parts' }),
      }),
    );
    if (bytes < 64 || bytesOf(outcome) <= scope.maxOutput) return outcome;
  }
}

/** Reads the description of one table or view. */
export async function readTable(
  { context, database, uri }: DatabaseRead,
  table: string,
): Promise<ReadOutcome> {
  const { scope, signal } = context;
  const { facts } = await scope.engine.lanes.run(database, 'read', 'schema', { table }, { signal });
  const rows = toSqliteUri(database.displayPath, { kind: 'rows', table: facts.table });
  const outcome = contentOf(
    uri,
    JSON.stringify({ database: database.displayPath, ...facts, rows_uri: rows }),
  );
  if (bytesOf(outcome) > scope.maxOutput)
    throw tooLarge(scope.maxOutput, 'describe_table returns it truncated');
  return outcome;
}
