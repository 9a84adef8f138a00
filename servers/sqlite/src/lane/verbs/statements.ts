import { selectRows } from '../connection.ts';
import type { Verb } from '../verb.ts';

export interface StatementsArgs {
  /** most bytes of all texts together */
  readonly bytes: number;
}

export interface StatementsFacts {
  readonly statements: readonly string[];
  readonly truncated: boolean;
}

/** Returns the statements of the schema in creation order, as many as fit. */
export const statements: Verb<StatementsArgs, StatementsFacts> = ({ connection }, { bytes }) => {
  const all = selectRows<{ sql: string }>(
    connection,
    'SELECT sql FROM main.sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid',
  );
  const statements: string[] = [];
  let left = bytes;
  for (const { sql } of all) {
    left -= Buffer.byteLength(JSON.stringify(sql)) + 1;
    if (left < 0) break;
    statements.push(sql);
  }
  return { statements, truncated: statements.length < all.length };
};
