import { LaneError } from '../../shared/error.ts';
import { quoteName, quoteText, sameName } from '../../shared/sql/names.ts';
import { type Connection, selectRows } from '../connection.ts';
import { moduleOf } from '../schema/clauses.ts';
import { columnsOf } from '../schema/columns.ts';
import { objectsOf } from '../schema/objects.ts';

/** A full-text table. */
export interface SearchTable {
  readonly name: string;
  readonly module: 'fts5' | 'fts4' | 'fts3';
  /** its text columns in order */
  readonly columns: readonly string[];
}

const modules = ['fts5', 'fts4', 'fts3'] as const;

/** Returns the full-text tables of a database, or the one named. */
export function searchTables(connection: Connection, named: string | undefined): SearchTable[] {
  const all = selectRows<{ name: string; sql: string }>(
    connection,
    "SELECT name, sql FROM main.sqlite_schema WHERE type = 'table' AND sql LIKE 'create virtual%' ORDER BY name",
  ).flatMap(({ name, sql }): SearchTable[] => {
    const module = modules.find((known) => known === moduleOf(sql)?.module);
    return module === undefined ? [] : [{ name, module, columns: contentOf(connection, name) }];
  });
  if (all.length === 0)
    throw new LaneError('this database has no full-text table', {
      code: 'no-search-table',
      hint: howToMakeOne(connection, named),
    });
  const found = named === undefined ? all : all.filter(({ name }) => sameName(name, named));
  if (found.length > 0) return found;
  throw new LaneError(`${named} is not a full-text table`, {
    code: 'no-search-table',
    hint: `full-text tables: ${all.map(({ name }) => name).join(', ')}`,
  });
}

function contentOf(connection: Connection, table: string): string[] {
  return columnsOf(connection, table).flatMap(({ name, hidden }) => (hidden ? [] : [name]));
}

/** Returns the statements that create a full-text table for a table with text. */
function howToMakeOne(connection: Connection, named: string | undefined): string {
  const tables = objectsOf(connection).filter(({ type, withoutRowid }) => type === 'table' && !withoutRowid);
  const asked = named === undefined ? [] : tables.filter(({ name }) => sameName(name, named));
  for (const { name } of [...asked, ...tables]) {
    const columns = columnsOf(connection, name).filter(({ affinity }) => affinity === 'text');
    if (columns.length === 0) continue;
    const own = quoteName(`${name}_search`);
    const names = columns.map((column) => quoteName(column.name)).join(', ');
    return `create one with run_script: CREATE VIRTUAL TABLE ${own} USING fts5(${names}, content=${quoteText(name)}); INSERT INTO ${own}(${own}) VALUES ('rebuild')`;
  }
  return 'create one with run_script: CREATE VIRTUAL TABLE notes USING fts5(title, body)';
}
