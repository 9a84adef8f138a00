import { type Connection, selectRows } from '../connection.ts';

/** A foreign key. */
export interface ForeignKey {
  /** the child table */
  readonly from: string;
  readonly columns: readonly string[];
  /** the parent table */
  readonly to: string;
  /** absent if it is the primary key */
  readonly to_columns?: readonly string[];
  /** absent if NO ACTION */
  readonly on_update?: string;
  readonly on_delete?: string;
}

interface Row {
  child: string;
  id: number;
  parent: string;
  from: string;
  to: string | null;
  on_update: string;
  on_delete: string;
}

const selected = 'f.id, f."table" AS parent, f."from", f."to", f.on_update, f.on_delete';

/** Returns the foreign keys of a table. */
export function foreignKeysOf(connection: Connection, table: string): ForeignKey[] {
  return grouped(
    selectRows<Row>(
      connection,
      `SELECT ? AS child, ${selected} FROM pragma_foreign_key_list(?, 'main') AS f ORDER BY f.id, f.seq`,
      table,
      table,
    ),
  );
}

/** Returns the foreign keys of all tables that reference a table. */
export function referencesTo(connection: Connection, table: string): ForeignKey[] {
  return grouped(
    selectRows<Row>(
      connection,
      `SELECT t.name AS child, ${selected}
       FROM main.sqlite_schema AS t, pragma_foreign_key_list(t.name, 'main') AS f
       WHERE t.type = 'table' AND f."table" = ? COLLATE NOCASE
       ORDER BY t.name, f.id, f.seq`,
      table,
    ),
  );
}

function grouped(rows: readonly Row[]): ForeignKey[] {
  const keys = new Map<string, Row[]>();
  for (const row of rows) {
    const key = `${row.id}:${row.child}`;
    const parts = keys.get(key);
    if (parts === undefined) keys.set(key, [row]);
    else parts.push(row);
  }
  return [...keys.values()].map((parts) => {
    const { child, parent, on_update, on_delete } = parts[0]!;
    const targets = parts.flatMap(({ to }) => (to === null ? [] : [to]));
    return {
      from: child,
      columns: parts.map(({ from }) => from),
      to: parent,
      ...(targets.length > 0 && { to_columns: targets }),
      ...(on_update !== 'NO ACTION' && { on_update }),
      ...(on_delete !== 'NO ACTION' && { on_delete }),
    };
  });
}
