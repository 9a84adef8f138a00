import { ToolError } from '@rootbound/protocol';
import { type Allowed, refusalOf } from './shared/sql/allowed.ts';
import { type Statement, splitStatements } from './shared/sql/statement.ts';

const MOST_KEPT = 500;
/** Of longer texts each check is small beside running them. */
const LONGEST_KEPT = 20_000;
const passed = new Map<string, Statement>();

/**
 * The one statement of a text that a tool may send to a lane; what is refused has never been near a prepare, where
 * pragmas already have their effect. Call it in the tool, before `lanes.run`:
 * `const { text, action } = checkStatement(query, 'read');`
 */
export function checkStatement(sql: string, allowed: Allowed): Statement {
  const key = `${allowed} ${sql}`;
  const known = passed.get(key);
  if (known !== undefined) {
    passed.delete(key);
    passed.set(key, known);
    return known;
  }
  assertWhole(sql);
  const [statement, second] = splitStatements(sql);
  if (statement === undefined) throw emptyStatement();
  assertRuns(statement, allowed);
  if (second !== undefined) {
    throw new ToolError(`one statement at a time; a second one begins at character ${second.start + 1}`, {
      code: 'multiple-statements',
      hint: 'run_script runs several in order, as one transaction',
    });
  }
  if (key.length <= LONGEST_KEPT) passed.set(key, statement);
  if (passed.size > MOST_KEPT) passed.delete(passed.keys().next().value!);
  return statement;
}

/** The statements of a script, each of which a tool may send to a lane, in order. */
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
  throw new ToolError(`the SQL has a NUL at character ${at + 1}, where it would end`, {
    code: 'refused',
    hint: 'give the value in params',
  });
}

function emptyStatement(): ToolError {
  return new ToolError('the SQL holds no statement', { code: 'empty-statement' });
}
