import { type Token, tokensOf } from '../../shared/sql/lexer.ts';
import { nameOf } from '../../shared/sql/names.ts';
import { closing } from '../../shared/sql/statement.ts';

/** Returns the conditions of the CHECK constraints in a table's SQL. */
export function checksOf(sql: string): string[] {
  const tokens = tokensOf(sql);
  return tokens.flatMap((token, at) => {
    if (token.word !== 'CHECK' || tokens[at + 1]?.word !== '(') return [];
    return [between(sql, tokens, at + 1, closing(tokens, at + 1))];
  });
}

/** Returns the condition of a partial index; undefined for other indexes. */
export function conditionOf(sql: string): string | undefined {
  const tokens = tokensOf(sql);
  let depth = 0;
  for (const [at, token] of tokens.entries()) {
    if (token.word === '(') depth++;
    if (token.word === ')') depth--;
    if (depth === 0 && token.word === 'WHERE') return between(sql, tokens, at, tokens.length);
  }
  return undefined;
}

/** Returns the terms of an index as in its SQL: names or expressions, with collation and order. */
export function termsOf(sql: string): string[] {
  const tokens = tokensOf(sql);
  const on = tokens.findIndex((token, at) => token.word === 'ON' && at > 2);
  return on === -1
    ? []
    : listAt(
        sql,
        tokens,
        tokens.findIndex(({ word }, at) => at > on && word === '('),
      );
}

/** Returns the module of a virtual table and its arguments. */
export function moduleOf(sql: string): { module: string; options: string[] } | undefined {
  const tokens = tokensOf(sql);
  const using = tokens.findIndex((token) => token.word === 'USING');
  const module = using === -1 ? undefined : nameOf(sql, tokens[using + 1]);
  if (module === undefined) return undefined;
  const open = using + 2;
  return {
    module: module.toLowerCase(),
    options: tokens[open]?.word === '(' ? listAt(sql, tokens, open) : [],
  };
}

function listAt(sql: string, tokens: readonly Token[], open: number): string[] {
  if (open === -1) return [];
  const end = closing(tokens, open);
  const items: string[] = [];
  let from = open;
  let depth = 0;
  for (let at = open; at < end; at++) {
    if (tokens[at]!.word === '(') depth++;
    if (tokens[at]!.word === ')') depth--;
    if (depth !== 1 || tokens[at]!.word !== ',') continue;
    items.push(between(sql, tokens, from, at));
    from = at;
  }
  items.push(between(sql, tokens, from, end));
  return items.filter((item) => item !== '');
}

/** Returns the SQL between two tokens. */
function between(sql: string, tokens: readonly Token[], from: number, to: number): string {
  return sql.slice(tokens[from]!.end, tokens[to]?.start ?? sql.length).trim();
}

/** Returns the table options after the column list. */
export function optionsOf(sql: string): { withoutRowid: boolean; strict: boolean } {
  const tokens = tokensOf(sql);
  const open = tokens.findIndex(({ word }) => word === '(');
  const after = open === -1 ? [] : tokens.slice(closing(tokens, open) + 1);
  return {
    withoutRowid: after.some((token, at) => token.word === 'WITHOUT' && after[at + 1]?.word === 'ROWID'),
    strict: after.some((token) => token.word === 'STRICT'),
  };
}
