import type { RowEstimate } from '../../shared/row-estimate.ts';
import { foldName } from '../../shared/sql/names.ts';
import { type Connection, selectRows } from '../connection.ts';
import { columnsOf } from './columns.ts';
import { isShadowOf } from './describe.ts';
import { objectsOf, type SchemaObject } from './objects.ts';
import { rowsOf } from './rows.ts';
import { simpleViews } from './views.ts';

/** A listed table, view or virtual table. */
export interface ListedTable {
  readonly name: string;
  readonly type: 'table' | 'view' | 'virtual';
  /** absent for a view that takes too long to compile */
  readonly columns?: number;
  readonly rows?: number;
  readonly rows_are?: RowEstimate['rows_are'];
  readonly strict?: true;
  readonly without_rowid?: true;
  /** number of shadow tables of a virtual table */
  readonly shadows?: number;
  readonly sql?: string;
}

/** Time limit for counting rows, ms; later tables are listed without a number of rows. */
const COUNT_MS = 1_000;

/** Returns the tables and views of a database; shadow tables are counted at their virtual table. */
export function listTables(connection: Connection, withSql = false): ListedTable[] {
  const all = objectsOf(connection);
  const simple = simpleViews(connection);
  const made = withSql ? sqlByName(connection) : undefined;
  const virtual = all.filter(({ type }) => type === 'virtual');
  const end = performance.now() + COUNT_MS;
  return all.flatMap((object) => {
    const { name, type, strict, withoutRowid } = object;
    if (type === 'shadow' && virtual.some((one) => isShadowOf(name, one.name))) return [];
    const shadows =
      type === 'virtual'
        ? all.filter((one) => one.type === 'shadow' && isShadowOf(one.name, name)).length
        : 0;
    return [
      {
        name,
        type: type === 'shadow' ? 'table' : type,
        ...columnCount(connection, object, simple),
        ...(performance.now() < end && rowsOf(connection, object)),
        ...(strict && { strict: true as const }),
        ...(withoutRowid && { without_rowid: true as const }),
        ...(shadows > 0 && { shadows }),
        ...(made !== undefined && { sql: made.get(name) ?? '' }),
      },
    ];
  });
}

function columnCount(
  connection: Connection,
  { name, type }: SchemaObject,
  simple: ReadonlySet<string>,
): { columns?: number } {
  if (type === 'view' && !simple.has(foldName(name))) return {};
  return { columns: columnsOf(connection, name).filter(({ hidden }) => hidden === undefined).length };
}

function sqlByName(connection: Connection): Map<string, string> {
  const rows = selectRows<{ name: string; sql: string | null }>(
    connection,
    "SELECT name, sql FROM main.sqlite_schema WHERE type IN ('table', 'view')",
  );
  return new Map(rows.map(({ name, sql }) => [name, sql ?? '']));
}
