import { defined } from '@rootbound/kit/primitives';
import { nameOf } from './sql/names.ts';
import { hasWhere, type Statement } from './sql/statement.ts';

/** A checked statement and the facts that its text shows. */
export interface PlannedStatement {
  readonly sql: string;
  /** its main keyword, after WITH if there is one */
  readonly action: string;
  /** `UPDATE` or `DELETE` without WHERE, REPLACE, an UPSERT */
  readonly allRows?: true;
  readonly replaces?: true;
  readonly upserts?: true;
  /** drops a part of the schema */
  readonly drops?: true;
  /** the table that a DROP TABLE names */
  readonly dropped?: string;
  /** its first line, from 1 */
  readonly line?: number;
}

const definitions = new Set(['CREATE', 'DROP', 'ALTER', 'ANALYZE', 'REINDEX']);

/** Returns the plan of a statement for a lane. */
export function planOf(statement: Statement, line?: number): PlannedStatement {
  const { text: sql, action, tokens } = statement;
  const dropped = droppedOf(statement);
  const words = new Set(tokens.map(({ word }) => word));
  const has = (...wanted: string[]): boolean => wanted.every((word) => words.has(word));
  return {
    sql,
    action,
    ...(isOfAllRows(statement) && { allRows: true }),
    ...(has('REPLACE') && { replaces: true }),
    ...(has('CONFLICT', 'DO') && { upserts: true }),
    ...((action === 'DROP' || (action === 'ALTER' && has('DROP'))) && { drops: true }),
    ...defined({ dropped, line }),
  };
}

/** Returns whether a statement changes or deletes every row of its table. */
export function isOfAllRows(statement: Statement): boolean {
  return ['UPDATE', 'DELETE'].includes(statement.action) && !hasWhere(statement);
}

/** Returns whether a statement changes the schema. */
export function defines({ action }: PlannedStatement): boolean {
  return definitions.has(action);
}

function droppedOf({ text, tokens, action }: Statement): string | undefined {
  if (action !== 'DROP' || tokens[1]?.word !== 'TABLE') return undefined;
  let at = tokens[2]?.word === 'IF' ? 4 : 2;
  if (tokens[at + 1]?.word === '.') at += 2;
  const name = tokens[at];
  return name && nameOf(text, name);
}
