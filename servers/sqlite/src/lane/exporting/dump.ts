import { quoteName } from '../../shared/sql/names.ts';
import { type Connection, pragmaNumber, selectRows } from '../connection.ts';
import { literal } from '../formats/sql-write.ts';
import { rowsOf } from './reading.ts';
import type { Sink } from './sink.ts';
import type { OnRow } from './write-rows.ts';

/** An object of sqlite_schema. */
export interface SchemaObject {
  readonly type: 'table' | 'index' | 'view' | 'trigger';
  readonly name: string;
  readonly table: string;
  readonly sql: string;
  /** kind of a table: ordinary, virtual, or shadow table of a virtual one */
  readonly kind: 'table' | 'virtual' | 'shadow';
}

/** Returns the schema objects that have SQL, in creation order; only those of `table` if it is given. */
export function schemaObjects({ db }: Connection, table?: string): SchemaObject[] {
  const all = selectRows<SchemaObject>(
    { db },
    `SELECT s.type, s.name, s.tbl_name AS "table", s.sql, coalesce(l.type, 'table') AS kind
     FROM main.sqlite_schema s LEFT JOIN pragma_table_list l ON l.schema = 'main' AND l.name = s.name
     WHERE s.sql IS NOT NULL ORDER BY s.rowid`,
  );
  return table === undefined ? all : all.filter((object) => object.table === table);
}

/**
 * Writes the SQL that recreates the database or one table: tables with their rows, then indexes, views and triggers, so
 * that no trigger fires for a row. Returns one line for each thing that could not be written.
 */
export function dump(
  sink: Sink,
  connection: Connection,
  { table, bytes }: { readonly table?: string | undefined; readonly bytes: boolean },
  counted: OnRow,
): string[] {
  const objects = schemaObjects(connection, table);
  const leftOut: string[] = [];
  const tables = objects.filter(({ type }) => type === 'table');
  sink.write('PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n');
  if (table === undefined) sink.write(headerValues(connection));
  for (const { name, kind, sql } of tables) {
    if (kind === 'shadow' || name.startsWith('sqlite_')) continue;
    sink.write(statement(sql));
    const cannot = kind === 'virtual' ? withoutRows(sql) : undefined;
    if (cannot?.rebuild === true)
      sink.write(`INSERT INTO ${quoteName(name)}(${quoteName(name)}) VALUES('rebuild');\n`);
    else if (cannot !== undefined) leftOut.push(`the rows of ${name}: ${cannot.why}`);
    else writeRows(sink, connection, { name, bytes, isVirtual: kind === 'virtual' }, counted);
  }
  writeInternalTables(sink, connection, table, bytes);
  for (const wanted of ['index', 'view', 'trigger']) {
    for (const { type, sql } of objects) if (type === wanted) sink.write(statement(sql));
  }
  sink.write('COMMIT;\n');
  return leftOut;
}

/** Terminates a statement; after a trailing comment the semicolon goes on a new line. */
function statement(sql: string): string {
  return sql.includes('--') ? `${sql}\n;\n` : `${sql};\n`;
}

function headerValues({ db }: Connection): string {
  return ['application_id', 'user_version']
    .map((name) => [name, pragmaNumber({ db }, name)] as const)
    .filter(([, value]) => value !== 0)
    .map(([name, value]) => `PRAGMA ${name}=${value};\n`)
    .join('');
}

/**
 * Returns why the rows of a virtual table are not in it, undefined if they are. Source:
 * https://sqlite.org/fts5.html#external_content_and_contentless_tables
 */
function withoutRows(sql: string): { why: string; rebuild: boolean } | undefined {
  if (!/\bUSING\s+fts[345]\b/i.test(sql)) return undefined;
  const [, content] = /\bcontent\s*=\s*("[^"]*"|'[^']*'|`[^`]*`|\[[^\]]*\]|[^\s,)]*)/i.exec(sql) ?? [];
  if (content === undefined) return undefined;
  const isEmpty = /^(?:|""|''|``|\[\])$/.test(content);
  return isEmpty
    ? { why: 'a contentless full-text index does not store them', rebuild: false }
    : { why: 'they belong to another table', rebuild: true };
}

interface Table {
  readonly name: string;
  readonly bytes: boolean;
  readonly isVirtual: boolean;
}

function writeRows(
  sink: Sink,
  connection: Connection,
  { name, bytes, isVirtual }: Table,
  counted: OnRow,
): void {
  const columns = selectRows<{ name: string }>(
    connection,
    "SELECT name FROM pragma_table_xinfo(?, 'main') WHERE hidden = 0 ORDER BY cid",
    name,
  ).map((column) => column.name);
  const quoted = columns.map(quoteName);
  // rows of a full-text table are identified by rowid; an R-tree has it as a column
  const numbered = isVirtual && !columns.some((column) => /^(?:id|rowid)$/i.test(column));
  const listed = numbered ? ['rowid', ...quoted] : quoted;
  const into = `INSERT INTO ${quoteName(name)}(${listed.join(',')}) VALUES(`;
  const { rows } = rowsOf(connection, `SELECT ${listed.join(', ')} FROM main.${quoteName(name)}`, [], bytes);
  for (const row of rows()) {
    sink.write(`${into}${row.map(literal).join(',')});\n`);
    counted();
  }
}

/** Writes the counters of AUTOINCREMENT and the statistics, whose tables SQLite has created by then. */
function writeInternalTables(
  sink: Sink,
  connection: Connection,
  table: string | undefined,
  bytes: boolean,
): void {
  const has = (name: string): boolean =>
    connection.db.prepare('SELECT 1 FROM main.sqlite_schema WHERE name = ?').get(name) !== undefined;
  const kept = [
    { name: 'sqlite_sequence', key: 'name' },
    ...(table === undefined ? [{ name: 'sqlite_stat1', key: 'tbl' }] : []),
  ];
  for (const { name, key } of kept) {
    if (!has(name)) continue;
    const only = table === undefined ? '' : ` WHERE ${key} = ${literal(table)}`;
    const { columns, rows } = rowsOf(connection, `SELECT * FROM main.${name}${only}`, [], bytes);
    const all = [...rows()];
    if (all.length === 0) continue;
    if (name === 'sqlite_stat1') sink.write('ANALYZE sqlite_schema;\n');
    sink.write(`DELETE FROM ${name}${only};\n`);
    for (const row of all)
      sink.write(`INSERT INTO ${name}(${columns.join(',')}) VALUES(${row.map(literal).join(',')});\n`);
  }
}
