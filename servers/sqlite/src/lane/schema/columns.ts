import { type Connection, trySelectRows } from '../connection.ts';

/** A column of a table or view. */
export interface ColumnFacts {
  readonly name: string;
  /** declared type; empty if none */
  readonly type: string;
  readonly affinity: Affinity;
  readonly not_null?: true;
  /** default value as SQL */
  readonly default?: string;
  /** position within the primary key, from 1 */
  readonly primary_key?: number;
  readonly generated?: 'virtual' | 'stored';
  readonly hidden?: true;
}

export type Affinity = 'integer' | 'text' | 'blob' | 'real' | 'numeric';

interface Row {
  name: string;
  type: string;
  notnull: number;
  dflt_value: string | null;
  pk: number;
  hidden: number;
}

/** Returns the columns of a table or view in order; none of a view that cannot be compiled. */
export function columnsOf(connection: Connection, table: string): ColumnFacts[] {
  const rows = trySelectRows<Row>(
    connection,
    `SELECT name, type, "notnull", dflt_value, pk, hidden FROM pragma_table_xinfo(?, 'main') ORDER BY cid`,
    table,
  );
  return (rows ?? []).map(({ name, type, notnull, dflt_value, pk, hidden }) => ({
    name,
    type,
    affinity: affinityOf(type),
    ...(notnull === 1 && { not_null: true as const }),
    ...(dflt_value !== null && { default: dflt_value }),
    ...(pk > 0 && { primary_key: pk }),
    ...(hidden === 1 && { hidden: true as const }),
    ...(hidden === 2 && { generated: 'virtual' as const }),
    ...(hidden === 3 && { generated: 'stored' as const }),
  }));
}

/**
 * Returns the affinity of a declared type. Source: https://sqlite.org/datatype3.html#determination_of_column_affinity
 */
function affinityOf(type: string): Affinity {
  const declared = type.toUpperCase();
  if (declared.includes('INT')) return 'integer';
  if (/CHAR|CLOB|TEXT/.test(declared)) return 'text';
  if (declared === '' || declared === 'ANY' || declared.includes('BLOB')) return 'blob';
  return /REAL|FLOA|DOUB/.test(declared) ? 'real' : 'numeric';
}
