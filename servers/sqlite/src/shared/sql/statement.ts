import { type Token, tokensOf } from './lexer.ts';

/** A statement of a text, without surrounding comments and its semicolon. */
export interface Statement {
  readonly text: string;
  /** position of `text` in the text that was split */
  readonly start: number;
  readonly end: number;
  /** its tokens, with positions counted from the beginning of `text` */
  readonly tokens: readonly Token[];
  /** whether EXPLAIN or EXPLAIN QUERY PLAN precedes it */
  readonly explain: 'program' | 'plan' | undefined;
  /** index of its first token after EXPLAIN */
  readonly first: number;
  /** its first keyword after EXPLAIN in upper case; empty if there is none */
  readonly verb: string;
  /** its main keyword: the one after WITH and its tables, else `verb` */
  readonly action: string;
}

/**
 * Splits a script into its statements as SQLite does; the body of a trigger is part of its statement. Empty statements
 * are dropped. Source: https://sqlite.org/lang_createtrigger.html, https://sqlite.org/c3ref/complete.html
 */
export function splitStatements(sql: string): Statement[] {
  const statements: Statement[] = [];
  let own: Token[] = [];
  const finish = (): void => {
    if (own.length > 0) statements.push(statementOf(sql, own));
    own = [];
  };
  for (const token of tokensOf(sql)) {
    if (token.word !== ';') own.push(token);
    else if (isOpenTrigger(own)) own.push(token);
    else finish();
  }
  finish();
  return statements;
}

/** Returns whether an UPDATE or DELETE has a WHERE of its own, outside subqueries. */
export function hasWhere({ tokens, first }: Statement): boolean {
  let depth = 0;
  for (const { word } of tokens.slice(actionAt(tokens, first) ?? first)) {
    if (word === '(') depth += 1;
    else if (word === ')') depth -= 1;
    else if (depth === 0 && word === 'WHERE') return true;
  }
  return false;
}

/** Returns whether a semicolon here is inside the body of a trigger, which ends with `; END`. */
function isOpenTrigger(tokens: readonly Token[]): boolean {
  const first = explainOf(tokens)[1];
  if (tokens[first]?.word !== 'CREATE') return false;
  const next = tokens[first + 1]?.word;
  const kind = next === 'TEMP' || next === 'TEMPORARY' ? tokens[first + 2]?.word : next;
  return kind === 'TRIGGER' && !(tokens.at(-1)?.word === 'END' && tokens.at(-2)?.word === ';');
}

function statementOf(sql: string, own: readonly Token[]): Statement {
  const { start } = own[0]!;
  const { end } = own.at(-1)!;
  const tokens = start === 0 ? own : own.map((token) => moved(token, start));
  const [explain, first] = explainOf(tokens);
  const verb = keyword(tokens[first]);
  const at = actionAt(tokens, first);
  const action = at === undefined ? verb : keyword(tokens[at]);
  return { text: sql.slice(start, end), start, end, tokens, explain, first, verb, action };
}

function moved({ kind, start, end, word }: Token, by: number): Token {
  return { kind, start: start - by, end: end - by, word };
}

function explainOf(tokens: readonly Token[]): [Statement['explain'], number] {
  if (tokens[0]?.word !== 'EXPLAIN') return [undefined, 0];
  return tokens[1]?.word === 'QUERY' && tokens[2]?.word === 'PLAN' ? ['plan', 3] : ['program', 1];
}

function keyword(token: Token | undefined): string {
  return token?.kind === 'word' ? token.word : '';
}

/** Returns the index of the keyword after `WITH a(b) AS (…), …`. */
function actionAt(tokens: readonly Token[], first: number): number | undefined {
  if (tokens[first]?.word !== 'WITH') return undefined;
  let at = first + 1;
  if (tokens[at]?.word === 'RECURSIVE') at += 1;
  for (;;) {
    at += 1;
    if (tokens[at]?.word === '(') at = closing(tokens, at) + 1;
    if (tokens[at]?.word !== 'AS') return undefined;
    at += 1;
    if (tokens[at]?.word === 'NOT') at += 1;
    if (tokens[at]?.word === 'MATERIALIZED') at += 1;
    if (tokens[at]?.word !== '(') return undefined;
    at = closing(tokens, at) + 1;
    if (tokens[at]?.word !== ',') return at < tokens.length ? at : undefined;
    at += 1;
  }
}

/** Returns the index of the closing parenthesis; `tokens.length` if there is none. */
export function closing(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at += 1) {
    const { word } = tokens[at]!;
    if (word === '(') depth += 1;
    else if (word === ')') {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return tokens.length;
}
