import { LaneError } from '../../shared/error.ts';
import { tokensOf } from '../../shared/sql/lexer.ts';
import { type Statement, splitStatements } from '../../shared/sql/statement.ts';
import type { Pull } from './text.ts';
import { linesIn, TextWindow } from './window.ts';

export interface SqlRecord {
  /** line of its beginning, from 1 */
  readonly line: number;
  readonly statement: Statement;
}

/** Yields the statements of a script. */
export function* readSql(pull: Pull<string>): Generator<SqlRecord> {
  const window = new TextWindow(pull);
  let line = 1;
  let from = 0;
  for (;;) {
    window.advance(from, line - window.line);
    const { text, ended } = window;
    assertNoNul(text, line);
    const statements = splitStatements(text);
    // the last statement is complete only with its semicolon
    const last = statements.at(-1);
    if (last !== undefined && !ended && !isFinished(text, last.end)) statements.pop();
    let at = 0;
    for (const statement of statements) {
      line += linesIn(text, at, statement.start);
      at = statement.start;
      yield { line, statement };
      line += linesIn(text, at, statement.end);
      at = statement.end;
    }
    from = at;
    if (ended) return;
  }
}

function isFinished(text: string, end: number): boolean {
  return tokensOf(text.slice(end))[0]?.word === ';';
}

function assertNoNul(text: string, line: number): void {
  const at = text.indexOf('\0');
  if (at === -1) return;
  throw new LaneError(`line ${line + linesIn(text, 0, at)}: a NUL, at which SQLite would end the statement`, {
    code: 'malformed',
    hint: 'write it as char(0) in SQL; or set encoding to that of the file',
  });
}
