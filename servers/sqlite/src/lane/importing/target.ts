import { LaneError } from '../../shared/error.ts';
import { quoteName } from '../../shared/sql/names.ts';
import type { Database } from '../driver.ts';
import { type Affinity, affinityOf } from './affinity.ts';

export interface TargetColumn {
  readonly name: string;
  /** as it was declared */
  readonly type: string;
  readonly affinity: Affinity;
}

/** The table that rows go to. */
export interface Target {
  /** as it is written in the schema */
  readonly table: string;
  /** those that take values, in order */
  readonly columns: readonly TargetColumn[];
}

/** The table as it is there; undefined when there is none. */
export function targetOf(db: Database, table: string): Target | undefined {
  const found = db
    .prepare(
      "SELECT name, type, strict FROM pragma_table_list WHERE schema = 'main' AND lower(name) = lower(?)",
    )
    .get(table) as { name: string; type: string; strict: number } | undefined;
  if (found === undefined) return undefined;
  const { name, type, strict } = found;
  if ((type !== 'table' && type !== 'virtual') || /^sqlite_/i.test(name)) {
    const what = type === 'view' ? 'a view' : 'a table of SQLite itself';
    throw new LaneError(`${name} takes no import: it is ${what}`, {
      code: 'not-a-table',
      hint: 'name a table; list_tables names them',
    });
  }
  // 1 is a hidden column of a virtual table, 2 and 3 are computed
  const columns = db
    .prepare("SELECT name, type FROM pragma_table_xinfo(?, 'main') WHERE hidden = 0 ORDER BY cid")
    .all(name) as Pick<TargetColumn, 'name' | 'type'>[];
  // the columns of a virtual table have no affinity, whatever their type
  const affinity = (declared: string): Affinity =>
    type === 'virtual' ? 'NONE' : affinityOf(declared, strict === 1);
  return { table: name, columns: columns.map((column) => ({ ...column, affinity: affinity(column.type) })) };
}

/** Makes a STRICT table of these columns. */
export function createTable(
  db: Database,
  table: string,
  columns: readonly Pick<TargetColumn, 'name' | 'type'>[],
): Target {
  if (columns.length === 0) {
    throw new LaneError('the file has no rows that tell the columns of the table', {
      code: 'empty-file',
      hint: 'make the table first; or give the file a header, which CSV may have without rows',
    });
  }
  const list = columns.map(({ name, type }) => `${quoteName(name)} ${type}`).join(', ');
  db.exec(`CREATE TABLE main.${quoteName(table)} (${list}) STRICT`);
  return {
    table,
    columns: columns.map((column) => ({ ...column, affinity: affinityOf(column.type, true) })),
  };
}
