import { quoteName } from '../../shared/sql/names.ts';
import type { Connection } from '../connection.ts';
import { literal } from '../formats/sql-write.ts';
import { rowsOf } from './reading.ts';
import type { Sink } from './sink.ts';
import type { OnRow } from './write-rows.ts';

/** An object of the schema. */
export interface SchemaObject {
  readonly type: 'table' | 'index' | 'view' | 'trigger';
  readonly name: string;
  readonly table: string;
  readonly sql: string;
  /** what a table is: an ordinary one, a virtual one, or one that a virtual table keeps its data in */
  readonly kind: 'table' | 'virtual' | 'shadow';
}

/** All that was made by a statement, in the order in which it was made; of one table where that is named. */
export function schemaObjects({ db }: Connection, table?: string): SchemaObject[] {
  const all = db
    .prepare(
      `SELECT s.type, s.name, s.tbl_name AS "table", s.sql, coalesce(l.type, 'table') AS kind
       FROM main.sqlite_schema s LEFT JOIN pragma_table_list l ON l.schema = 'main' AND l.name = s.name
       WHERE s.sql IS NOT NULL ORDER BY s.rowid`,
    )
    .all() as SchemaObject[];
  return table === undefined ? all : all.filter((object) => object.table === table);
}

/**
 * Writes what makes the database, or one table of it, anew: tables with their rows, then indexes, views and triggers,
 * so that no trigger runs for a row. Gives what could not be written.
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

/** A comment at its end must not swallow the semicolon. */
function statement(sql: string): string {
  return sql.includes('--') ? `${sql}\n;\n` : `${sql};\n`;
}

function headerValues({ db }: Connection): string {
  return ['application_id', 'user_version']
    .map((name) => [name, db.pragma(name, { simple: true }) as number] as const)
    .filter(([, value]) => value !== 0)
    .map(([name, value]) => `PRAGMA ${name}=${value};\n`)
    .join('');
}

/** Virtual tables whose rows are not in them. Source: https://sqlite.org/fts5.html#external_content_and_contentless_tables */
function withoutRows(sql: string): { why: string; rebuild: boolean } | undefined {
  if (!/\bUSING\s+fts[345]\b/i.test(sql)) return undefined;
  const [, content] = /\bcontent\s*=\s*("[^"]*"|'[^']*'|`[^`]*`|\[[^\]]*\]|[^\s,)]*)/i.exec(sql) ?? [];
  if (content === undefined) return undefined;
  const isEmpty = /^(?:|""|''|``|\[\])$/.test(content);
  return isEmpty
    ? { why: 'a full-text index without content does not have them', rebuild: false }
    : { why: 'they are those of another table', rebuild: true };
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
  const columns = connection.db
    .prepare("SELECT name FROM pragma_table_xinfo(?, 'main') WHERE hidden = 0 ORDER BY cid")
    .pluck()
    .all(name) as string[];
  const quoted = columns.map(quoteName);
  // rows of a full-text index are found by their number; an R-tree has it as a column
  const numbered = isVirtual && !columns.some((column) => /^(?:id|rowid)$/i.test(column));
  const listed = numbered ? ['rowid', ...quoted] : quoted;
  const into = `INSERT INTO ${quoteName(name)}(${listed.join(',')}) VALUES(`;
  const { rows } = rowsOf(connection, `SELECT ${listed.join(', ')} FROM main.${quoteName(name)}`, [], bytes);
  for (const row of rows()) {
    sink.write(`${into}${row.map(literal).join(',')});\n`);
    counted();
  }
}

/** The counters of AUTOINCREMENT and the statistics, which SQLite has made the tables for by then. */
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
