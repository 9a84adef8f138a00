import { type Token, tokensOf } from './lexer.ts';

/** One statement of a text, without the comments around it and the semicolon that ends it. */
export interface Statement {
  readonly text: string;
  /** where `text` is in the text that it was split from */
  readonly start: number;
  readonly end: number;
  /** its tokens, whose places count from the beginning of `text` */
  readonly tokens: readonly Token[];
  /** what EXPLAIN before it asks for */
  readonly explain: 'program' | 'plan' | undefined;
  /** where the statement proper begins among the tokens, after EXPLAIN */
  readonly first: number;
  /** its first keyword after EXPLAIN, in capitals; empty when it begins with none */
  readonly verb: string;
  /** what it does in the end: the keyword after WITH and its tables, else `verb` */
  readonly action: string;
}

/**
 * The statements of a script, in order, each as SQLite takes it from there: a trigger's body is part of its statement.
 * Empty ones are left out. Source: https://sqlite.org/lang_createtrigger.html, https://sqlite.org/c3ref/complete.html
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

/** Whether an UPDATE or DELETE has a WHERE of its own, rather than one of a query within it. */
export function hasWhere({ tokens, first }: Statement): boolean {
  let depth = 0;
  for (const { word } of tokens.slice(actionAt(tokens, first) ?? first)) {
    if (word === '(') depth += 1;
    else if (word === ')') depth -= 1;
    else if (depth === 0 && word === 'WHERE') return true;
  }
  return false;
}

/** Whether a semicolon here is within the body of a trigger, which END ends after another one. */
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

/** Where the keyword after `WITH a(b) AS (…), …` is. */
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

/** Where the parenthesis is that closes the one here; beyond the end when none does. */
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
