import { type ListedTable, listTables } from '../schema/list.ts';
import type { Verb } from '../verb.ts';

export interface TablesArgs {
  /** whether to include their SQL */
  readonly sql?: boolean | undefined;
}

/** Returns the tables and views of a database. */
export const tables: Verb<TablesArgs, ListedTable[]> = ({ connection }, { sql = false }) =>
  listTables(connection, sql);
