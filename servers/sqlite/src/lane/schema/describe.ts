import { LaneError } from '../../shared/error.ts';
import type { RowEstimate } from '../../shared/row-estimate.ts';
import { tokensOf } from '../../shared/sql/lexer.ts';
import { foldName, nameOf, quoteName } from '../../shared/sql/names.ts';
import { type Connection, selectRows, trySelectRows } from '../connection.ts';
import { checksOf, moduleOf } from './clauses.ts';
import { type ColumnFacts, columnsOf } from './columns.ts';
import { type ForeignKey, foreignKeysOf, referencesTo } from './foreign-keys.ts';
import { type IndexFacts, indexesOf } from './indexes.ts';
import { objectOf, objectsOf, type SchemaObject } from './objects.ts';
import { rowsOf } from './rows.ts';
import { simpleViews } from './views.ts';

/** The description of one table or view. */
export interface TableFacts {
  readonly table: string;
  readonly type: SchemaObject['type'];
  readonly strict?: true;
  readonly without_rowid?: true;
  readonly rows?: number;
  readonly rows_are?: RowEstimate['rows_are'];
  readonly columns: readonly ColumnFacts[];
  readonly indexes: readonly IndexFacts[];
  readonly foreign_keys: readonly ForeignKey[];
  readonly referenced_by: readonly ForeignKey[];
  readonly checks: readonly string[];
  readonly triggers: readonly { readonly name: string; readonly sql: string }[];
  /** tables that a view reads from */
  readonly bases?: readonly string[];
  /** of a virtual table: its module, the module's arguments, and its shadow tables */
  readonly module?: string;
  readonly options?: readonly string[];
  readonly shadows?: readonly string[];
  readonly sql: string;
}

/** Describes one table or view. */
export function describeTable(connection: Connection, named: string): TableFacts {
  const object = objectOf(connection, named);
  const { name, type } = object;
  const [{ sql } = { sql: '' }] = selectRows<{ sql: string }>(
    connection,
    "SELECT coalesce(sql, '') AS sql FROM main.sqlite_schema WHERE type IN ('table', 'view') AND name = ? COLLATE NOCASE",
    name,
  );
  if (type === 'view' && !simpleViews(connection).has(foldName(name))) throw tooDeep(name);
  const isTable = type === 'table' || type === 'shadow';
  return {
    table: name,
    type,
    ...(object.strict && { strict: true as const }),
    ...(object.withoutRowid && { without_rowid: true as const }),
    ...rowsOf(connection, object),
    columns: columnsOf(connection, name),
    indexes: isTable ? indexesOf(connection, name) : [],
    foreign_keys: isTable ? foreignKeysOf(connection, name) : [],
    referenced_by: isTable ? referencesTo(connection, name) : [],
    checks: isTable ? checksOf(sql) : [],
    triggers: selectRows<{ name: string; sql: string }>(
      connection,
      "SELECT name, sql FROM main.sqlite_schema WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE ORDER BY name",
      name,
    ),
    ...(type === 'view' && viewFacts(connection, name, sql)),
    ...(type === 'virtual' && moduleFacts(connection, name, sql)),
    sql,
  };
}

function tooDeep(view: string): LaneError {
  return new LaneError(`the view ${view} nests too many views to compile in reasonable time`, {
    code: 'too-large',
    hint: "read its SQL with read_query: SELECT sql FROM sqlite_schema WHERE type = 'view'",
  });
}

function viewFacts(connection: Connection, name: string, sql: string): Pick<TableFacts, 'bases'> {
  const bases = basesOf(connection, name, sql);
  return bases === undefined ? {} : { bases };
}

function moduleFacts(
  connection: Connection,
  name: string,
  sql: string,
): Pick<TableFacts, 'module' | 'options' | 'shadows'> {
  const shadows = objectsOf(connection)
    .filter((one) => one.type === 'shadow' && isShadowOf(one.name, name))
    .map((one) => one.name);
  return { ...moduleOf(sql), ...(shadows.length > 0 && { shadows }) };
}

/** Returns whether a table is a shadow table of a virtual table, by its name. */
export function isShadowOf(shadow: string, table: string): boolean {
  return shadow.toLowerCase().startsWith(`${table.toLowerCase()}_`);
}

/** Returns the tables that a view reads from, also through other views; undefined if the view cannot be compiled. */
function basesOf(connection: Connection, view: string, sql: string): string[] | undefined {
  const program = trySelectRows<{ opcode: string; p2: number; p3: number }>(
    connection,
    `EXPLAIN SELECT * FROM main.${quoteName(view)}`,
  );
  if (program === undefined) return undefined;
  const pages = new Set(
    program.filter(({ opcode, p3 }) => opcode === 'OpenRead' && p3 === 0).map(({ p2 }) => p2),
  );
  const trees = selectRows<{ tbl_name: string; rootpage: number }>(
    connection,
    'SELECT tbl_name, rootpage FROM main.sqlite_schema WHERE rootpage > 0',
  );
  const names = new Set(trees.filter(({ rootpage }) => pages.has(rootpage)).map(({ tbl_name }) => tbl_name));
  // a virtual table has no b-tree; it is found by its name in the view's SQL
  const words = new Set(tokensOf(sql).map((token) => foldName(nameOf(sql, token) ?? '')));
  for (const { name, type } of objectsOf(connection))
    if (type === 'virtual' && words.has(foldName(name))) names.add(name);
  return [...names].sort();
}
