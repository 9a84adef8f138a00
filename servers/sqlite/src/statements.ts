import { LruMap } from '@rootbound/kit/primitives';
import { ToolError } from '@rootbound/protocol';
import { type Allowed, refusalOf } from './shared/sql/allowed.ts';
import { type Statement, splitStatements } from './shared/sql/statement.ts';

const MOST_KEPT = 500;
/** Longer texts are not cached: checking them is cheap compared with running them. */
const LONGEST_KEPT = 20_000;
const passed = new LruMap<string, Statement>(MOST_KEPT);

/**
 * Returns the one statement of a text if a tool of this kind may send it to a lane; throws otherwise. A refused text is
 * never prepared, since pragmas take effect when prepared. Call it in the tool before `lanes.run`: `const { text,
 * action } = checkStatement(query, 'read');`
 */
export function checkStatement(sql: string, allowed: Allowed): Statement {
  const key = `${allowed} ${sql}`;
  const known = passed.get(key);
  if (known !== undefined) return known;
  assertWhole(sql);
  const [statement, second] = splitStatements(sql);
  if (statement === undefined) throw emptyStatement();
  assertRuns(statement, allowed);
  if (second !== undefined) {
    throw new ToolError(
      `only one statement is allowed; a second one begins at character ${second.start + 1}`,
      {
        code: 'multiple-statements',
        hint: 'use run_script, which runs several as one transaction',
      },
    );
  }
  if (key.length <= LONGEST_KEPT) passed.set(key, statement);
  return statement;
}

/** Returns the statements of a script in order if a tool may send all of them to a lane; throws otherwise. */
export function checkScript(sql: string): Statement[] {
  assertWhole(sql);
  const statements = splitStatements(sql);
  if (statements.length === 0) throw emptyStatement();
  for (const statement of statements) assertRuns(statement, 'script');
  return statements;
}

function assertRuns(statement: Statement, allowed: Allowed): void {
  const refusal = refusalOf(statement, allowed);
  if (refusal === undefined) return;
  throw new ToolError(refusal.message, { code: 'refused', hint: refusal.hint });
}

function assertWhole(sql: string): void {
  const at = sql.indexOf('\0');
  if (at === -1) return;
  throw new ToolError(`the SQL has a NUL at character ${at + 1}, where SQLite would end it`, {
    code: 'refused',
    hint: 'pass the value in params',
  });
}

function emptyStatement(): ToolError {
  return new ToolError('the SQL contains no statement', { code: 'empty-statement' });
}
