import { LaneError } from '../../shared/error.ts';
import { quoteName } from '../../shared/sql/names.ts';
import { selectRows } from '../connection.ts';
import type { Database } from '../driver.ts';
import { type Affinity, affinityOf } from './affinity.ts';

export interface TargetColumn {
  readonly name: string;
  /** declared type */
  readonly type: string;
  readonly affinity: Affinity;
}

/** The table that receives the rows. */
export interface Target {
  /** its name as in the schema */
  readonly table: string;
  /** columns that accept values, in order */
  readonly columns: readonly TargetColumn[];
}

/** Returns the existing table; undefined if there is none. */
export function targetOf(db: Database, table: string): Target | undefined {
  const [found] = selectRows<{ name: string; type: string; strict: number }>(
    { db },
    "SELECT name, type, strict FROM pragma_table_list WHERE schema = 'main' AND lower(name) = lower(?)",
    table,
  );
  if (found === undefined) return undefined;
  const { name, type, strict } = found;
  if ((type !== 'table' && type !== 'virtual') || /^sqlite_/i.test(name)) {
    const what = type === 'view' ? 'a view' : 'an internal table of SQLite';
    throw new LaneError(`cannot import into ${name}: it is ${what}`, {
      code: 'not-a-table',
      hint: 'name an ordinary table; list_tables lists them',
    });
  }
  // hidden is 1 for hidden columns of virtual tables, 2 and 3 for generated columns
  const columns = selectRows<Pick<TargetColumn, 'name' | 'type'>>(
    { db },
    "SELECT name, type FROM pragma_table_xinfo(?, 'main') WHERE hidden = 0 ORDER BY cid",
    name,
  );
  // columns of virtual tables have no affinity
  const affinity = (declared: string): Affinity =>
    type === 'virtual' ? 'NONE' : affinityOf(declared, strict === 1);
  return { table: name, columns: columns.map((column) => ({ ...column, affinity: affinity(column.type) })) };
}

/** Creates a STRICT table. */
export function createTable(
  db: Database,
  table: string,
  columns: readonly Pick<TargetColumn, 'name' | 'type'>[],
): Target {
  if (columns.length === 0) {
    throw new LaneError('the file has no rows to derive the columns of the table from', {
      code: 'empty-file',
      hint: 'create the table first, or add a header to the CSV file',
    });
  }
  const list = columns.map(({ name, type }) => `${quoteName(name)} ${type}`).join(', ');
  db.exec(`CREATE TABLE main.${quoteName(table)} (${list}) STRICT`);
  return {
    table,
    columns: columns.map((column) => ({ ...column, affinity: affinityOf(column.type, true) })),
  };
}
