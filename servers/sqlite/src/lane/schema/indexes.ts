import { defined } from '@rootbound/kit/primitives';
import { type Connection, selectRows } from '../connection.ts';
import { conditionOf, termsOf } from './clauses.ts';

/** An index of a table. */
export interface IndexFacts {
  readonly name: string;
  readonly unique: boolean;
  /** how it was created: by CREATE INDEX or by a constraint */
  readonly origin: 'index' | 'unique' | 'primary-key';
  readonly columns: readonly IndexColumn[];
  /** the condition of a partial index */
  readonly where?: string;
}

export interface IndexColumn {
  readonly name?: string;
  readonly expression?: string;
  readonly descending?: true;
  /** absent if BINARY */
  readonly collation?: string;
}

const origins: Readonly<Record<string, IndexFacts['origin']>> = {
  c: 'index',
  u: 'unique',
  pk: 'primary-key',
};

/** Returns the indexes of a table. */
export function indexesOf(connection: Connection, table: string): IndexFacts[] {
  const rows = selectRows<{ name: string; unique: number; origin: string; sql: string | null }>(
    connection,
    `SELECT i.name, i."unique", i.origin, s.sql FROM pragma_index_list(?, 'main') AS i
     LEFT JOIN main.sqlite_schema AS s ON s.type = 'index' AND s.name = i.name ORDER BY i.name`,
    table,
  );
  return rows.map(({ name, unique, origin, sql }) => {
    const where = sql === null ? undefined : conditionOf(sql);
    return {
      name,
      unique: unique === 1,
      origin: origins[origin] ?? 'index',
      columns: columnsOfIndex(connection, name, sql === null ? [] : termsOf(sql)),
      ...defined({ where }),
    };
  });
}

function columnsOfIndex(connection: Connection, index: string, terms: readonly string[]): IndexColumn[] {
  const rows = selectRows<{ seqno: number; cid: number; name: string | null; desc: number; coll: string }>(
    connection,
    `SELECT seqno, cid, name, "desc", coll FROM pragma_index_xinfo(?, 'main') WHERE key = 1 ORDER BY seqno`,
    index,
  );
  return rows.map(({ seqno, cid, name, desc, coll }) => ({
    ...(name !== null && { name }),
    ...(name === null && cid === -2 && { expression: terms[seqno] ?? '' }),
    ...(name === null && cid === -1 && { name: 'rowid' }),
    ...(desc === 1 && { descending: true as const }),
    ...(coll !== 'BINARY' && { collation: coll }),
  }));
}
