import { quoteName } from '../../shared/sql/names.ts';
import { type Connection, selectRows } from '../connection.ts';

export interface TableKey {
  /** names of its parts in SQL */
  readonly names: readonly string[];
  /** the columns that store it; none for a rowid without alias */
  readonly columns: readonly string[];
  /** the column that is an alias of the rowid */
  readonly rowid: string | undefined;
  /** whether some column is generated */
  readonly computes: boolean;
}

/**
 * Returns the key of a table: its rowid, or the primary key of a WITHOUT ROWID table; undefined if it cannot be named.
 */
export function tableKey(
  connection: Connection,
  { schema = 'main', table }: { schema?: string | undefined; table: string },
): TableKey | undefined {
  const [found] = selectRows<{ type: string; wr: number }>(
    connection,
    'SELECT type, wr FROM pragma_table_list WHERE schema = ? COLLATE NOCASE AND name = ? COLLATE NOCASE',
    schema,
    table,
  );
  if (found === undefined || found.type !== 'table') return undefined;
  const columns = selectRows<{ name: string; pk: number; hidden: number }>(
    connection,
    'SELECT name, pk, hidden FROM pragma_table_xinfo(?, ?)',
    table,
    schema,
  );
  const computes = columns.some(({ hidden }) => hidden !== 0);
  if (found.wr === 1) {
    const names = columns
      .filter(({ pk }) => pk > 0)
      .sort((a, b) => a.pk - b.pk)
      .map(({ name }) => name);
    return { names, columns: names, rowid: undefined, computes };
  }
  const isTaken = (own: string): boolean => columns.some(({ name }) => name.toLowerCase() === own);
  const rowid = ['rowid', '_rowid_', 'oid'].find((own) => !isTaken(own));
  if (rowid === undefined) return undefined;
  const statement = connection.db.prepare(`SELECT ${rowid} FROM ${quoteName(schema)}.${quoteName(table)}`);
  // SQLite reports the column that is an alias of the rowid
  const { column } = statement.columns()[0]!;
  const alias = columns.some(({ name }) => name === column) ? (column ?? undefined) : undefined;
  return { names: [rowid], columns: alias === undefined ? [] : [alias], rowid: alias, computes };
}
