import { LaneError } from '../../shared/error.ts';
import { foldName, sameName } from '../../shared/sql/names.ts';
import { type Connection, selectRows } from '../connection.ts';
import { optionsOf } from './clauses.ts';

/** A table, view or virtual table of a schema. */
export interface SchemaObject {
  readonly name: string;
  readonly type: 'table' | 'view' | 'virtual' | 'shadow';
  readonly withoutRowid: boolean;
  readonly strict: boolean;
}

/** Endings of the names of shadow tables of SQLite's modules. */
const shadowEnds = /_(?:data|idx|content|docsize|config|segments|segdir|stat|node|parent|rowid)$/i;

/** Most names in the hint for an unknown name. */
const MOST_NAMED = 10;

/** Returns the tables and views of a database except SQLite's internal ones. */
export function objectsOf(connection: Connection): SchemaObject[] {
  // not from pragma_table_list, which compiles all views: a few views that use each other twice take forever
  const rows = selectRows<{ name: string; type: 'table' | 'view'; sql: string }>(
    connection,
    `SELECT name, type, coalesce(sql, '') AS sql FROM main.sqlite_schema
     WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name COLLATE NOCASE, name`,
  );
  const virtual = new Set(rows.filter(({ sql }) => isVirtual(sql)).map(({ name }) => foldName(name)));
  return rows.map(({ name, type, sql }) => {
    if (type === 'view') return { name, type, withoutRowid: false, strict: false };
    if (isVirtual(sql)) return { name, type: 'virtual', withoutRowid: false, strict: false };
    const isShadow = shadowEnds.test(name) && virtual.has(foldName(name.replace(shadowEnds, '')));
    return { name, type: isShadow ? 'shadow' : 'table', ...optionsOf(sql) };
  });
}

function isVirtual(sql: string): boolean {
  return /^create\s+virtual\s/i.test(sql);
}

/** Returns the object of a name, ignoring case; throws if there is none. */
export function objectOf(connection: Connection, name: string): SchemaObject {
  assertName(name);
  const all = objectsOf(connection);
  const found = all.find((one) => sameName(one.name, name));
  if (found !== undefined) return found;
  throw new LaneError(`no such table: ${name}`, { code: 'no-such-table', hint: nearestTo(name, all) });
}

/** Throws for an empty name and for one with a NUL, where SQLite would cut it. */
function assertName(name: string): void {
  if (name === '' || name.includes('\0'))
    throw new LaneError('table_name is empty or contains a NUL', { code: 'no-such-table' });
}

function nearestTo(name: string, all: readonly SchemaObject[]): string {
  if (all.length === 0) return 'the database has no tables';
  const wanted = foldName(name);
  const alike = all.filter(
    ({ name: own }) => foldName(own).includes(wanted) || wanted.includes(foldName(own)),
  );
  const names = (alike.length > 0 ? alike : all.filter(({ type }) => type !== 'shadow')).map(
    (one) => one.name,
  );
  return `existing tables: ${names.slice(0, MOST_NAMED).join(', ')}${names.length > MOST_NAMED ? ', …' : ''}`;
}
