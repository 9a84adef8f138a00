import { quoteName } from '../../shared/sql/names.ts';
import type { Connection } from '../connection.ts';

export interface TableKey {
  /** how SQL names its parts */
  readonly names: readonly string[];
  /** the columns that hold it; a rowid without a column of its own has none */
  readonly columns: readonly string[];
  /** the one column that the rowid is another name of */
  readonly rowid: string | undefined;
  /** whether some column is computed from others */
  readonly computes: boolean;
}

/** What tells the rows of a table apart and orders them: its rowid, or its primary key where it has none. */
export function tableKey(
  connection: Connection,
  { schema = 'main', table }: { schema?: string | undefined; table: string },
): TableKey | undefined {
  const ask = (sql: string, ...values: string[]): Record<string, unknown>[] =>
    // statements of this server's own have one shape each
    connection.db.prepare(sql).all(...values) as Record<string, unknown>[];
  const [found] = ask(
    'SELECT type, wr FROM pragma_table_list WHERE schema = ? COLLATE NOCASE AND name = ? COLLATE NOCASE',
    schema,
    table,
  );
  if (found === undefined || found.type !== 'table') return undefined;
  const columns = ask('SELECT name, pk, hidden FROM pragma_table_xinfo(?, ?)', table, schema);
  const computes = columns.some(({ hidden }) => hidden !== 0);
  if (found.wr === 1) {
    const names = columns
      .filter(({ pk }) => (pk as number) > 0)
      .sort((a, b) => (a.pk as number) - (b.pk as number))
      .map(({ name }) => name as string);
    return { names, columns: names, rowid: undefined, computes };
  }
  const isTaken = (own: string): boolean =>
    columns.some(({ name }) => (name as string).toLowerCase() === own);
  const rowid = ['rowid', '_rowid_', 'oid'].find((own) => !isTaken(own));
  if (rowid === undefined) return undefined;
  const statement = connection.db.prepare(`SELECT ${rowid} FROM ${quoteName(schema)}.${quoteName(table)}`);
  // SQLite tells the column that the rowid is another name of
  const { column } = statement.columns()[0]!;
  const alias = columns.some(({ name }) => name === column) ? (column ?? undefined) : undefined;
  return { names: [rowid], columns: alias === undefined ? [] : [alias], rowid: alias, computes };
}
