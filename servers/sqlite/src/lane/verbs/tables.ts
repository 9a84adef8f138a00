import { type ListedTable, listTables } from '../schema/list.ts';
import type { Verb } from '../verb.ts';

export interface TablesArgs {
  /** whether the SQL that made them comes along */
  readonly sql?: boolean | undefined;
}

/** The tables and views of a database. */
export const tables: Verb<TablesArgs, ListedTable[]> = ({ connection }, { sql = false }) =>
  listTables(connection, sql);
