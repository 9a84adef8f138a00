import type { Token } from '../../shared/sql/lexer.ts';
import { nameOf } from '../../shared/sql/names.ts';
import { closing, splitStatements } from '../../shared/sql/statement.ts';

/** A part of a text, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The parts of `SELECT columns FROM schema.table alias WHERE condition`. */
export interface SimpleSelect {
  /** the statement alone; spans count from its beginning */
  readonly text: string;
  readonly columns: Span;
  readonly schema: string | undefined;
  readonly table: string;
  /** the table as written, with schema and alias */
  readonly from: Span;
  /** the alias of the table */
  readonly alias: string | undefined;
  /** the condition without WHERE */
  readonly where: Span | undefined;
}

/**
 * Parses a query of one table that returns one row for each row of the table; returns undefined for others, and in
 * doubt.
 */
export function simpleSelect(sql: string): SimpleSelect | undefined {
  const [statement, second] = splitStatements(sql);
  if (statement === undefined || second !== undefined) return undefined;
  const { text, tokens, explain, verb } = statement;
  if (explain !== undefined || verb !== 'SELECT') return undefined;
  const from = tokens.findIndex(({ word }) => word === 'FROM');
  const columns = tokens.slice(1, from);
  if (from < 2 || !areOfOneRow(columns)) return undefined;
  const source = tableAt(text, tokens, from + 1);
  if (source === undefined) return undefined;
  const { end: after, ...named } = source;
  const condition = tokens.slice(after + 1);
  if (after < tokens.length && (tokens[after]!.word !== 'WHERE' || !isCondition(condition))) return undefined;
  return {
    text,
    ...named,
    columns: spanOf(columns),
    from: spanOf(tokens.slice(from + 1, after)),
    where: after < tokens.length ? spanOf(condition) : undefined,
  };
}

interface Source {
  readonly schema: string | undefined;
  readonly table: string;
  readonly alias: string | undefined;
  /** index of the token after it */
  readonly end: number;
}

function tableAt(text: string, tokens: readonly Token[], at: number): Source | undefined {
  const name = (index: number): string | undefined => nameOf(text, tokens[index]);
  const dotted = tokens[at + 1]?.word === '.';
  const last = dotted ? at + 2 : at;
  const table = name(last);
  if (table === undefined || (dotted && name(at) === undefined)) return undefined;
  const spoken = tokens[last + 1]?.word === 'AS';
  const next = tokens[last + 1];
  const unspoken = next !== undefined && next.word !== 'WHERE' && name(last + 1) !== undefined;
  const aliased = spoken ? last + 2 : unspoken ? last + 1 : undefined;
  const alias = aliased === undefined ? undefined : name(aliased);
  if (spoken && alias === undefined) return undefined;
  if (unspoken && !spoken && notAliases.has(next.word)) return undefined;
  return { schema: dotted ? name(at) : undefined, table, alias, end: (aliased ?? last) + 1 };
}

const notAliases = new Set(
  'NATURAL LEFT RIGHT FULL OUTER INNER CROSS JOIN ON USING INDEXED NOT GROUP ORDER HAVING LIMIT UNION EXCEPT INTERSECT WINDOW'.split(
    ' ',
  ),
);

/** Words that may precede a parenthesis and are not an aggregate, with any number of arguments. */
const beforeParenthesis = new Set(
  (
    'IN AND OR NOT IS LIKE GLOB BETWEEN CASE WHEN THEN ELSE CAST ABS CEIL CEILING CHAR COALESCE CONCAT CONCAT_WS DATE ' +
    'DATETIME FLOOR FORMAT HEX IFNULL IIF INSTR JSON JSON_ARRAY JSON_ARRAY_LENGTH JSON_EXTRACT JSON_OBJECT JSON_QUOTE ' +
    'JSON_TYPE JSON_VALID JULIANDAY LENGTH LOWER LTRIM NULLIF OCTET_LENGTH PRINTF QUOTE REPLACE ROUND RTRIM SIGN ' +
    'STRFTIME SUBSTR SUBSTRING TIME TRIM TRUNC TYPEOF UNHEX UNICODE UNIXEPOCH UPPER'
  ).split(' '),
);

function areOfOneRow(columns: readonly Token[]): boolean {
  return columns.every(({ kind, word }, index) => {
    if (['SELECT', 'DISTINCT', 'ALL', 'OVER', 'FILTER'].includes(word) || kind === 'illegal') return false;
    if (word !== '(' || index === 0) return true;
    const before = columns[index - 1]!;
    return before.kind === 'operator' ? before.word !== ')' : beforeParenthesis.has(before.word);
  });
}

const endsCondition = new Set('GROUP HAVING ORDER LIMIT UNION EXCEPT INTERSECT WINDOW'.split(' '));

function isCondition(tokens: readonly Token[]): boolean {
  for (let at = 0; at < tokens.length; at += 1) {
    const { kind, word } = tokens[at]!;
    if (kind === 'illegal' || endsCondition.has(word) || word === ',' || word === ')' || word === ';')
      return false;
    if (word === '(') at = closing(tokens, at);
    if (at === tokens.length) return false;
  }
  return tokens.length > 0;
}

function spanOf(tokens: readonly Token[]): Span {
  return { start: tokens[0]!.start, end: tokens.at(-1)!.end };
}
