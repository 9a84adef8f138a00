import type { Token } from '../../shared/sql/lexer.ts';
import type { Statement } from '../../shared/sql/statement.ts';
import { undoubled } from '../formats/doubled.ts';
import { isInt64 } from '../formats/numbers.ts';
import type { Bound } from './values.ts';

/** An INSERT with its literals replaced by parameters, so that following rows reuse the statement. */
export interface LiteralInsert {
  readonly sql: string;
  readonly values: readonly Bound[];
}

/** Parses `INSERT INTO t VALUES (1, 'a', NULL)`; returns undefined unless it inserts one row of literals. */
export function literalInsert({ verb, text, tokens }: Statement): LiteralInsert | undefined {
  if (verb !== 'INSERT') return undefined;
  const at = tokens.findIndex(({ word }) => word === 'VALUES');
  if (at === -1 || tokens[at + 1]?.word !== '(' || tokens.at(-1)?.word !== ')') return undefined;
  const values: Bound[] = [];
  for (let next = at + 2; ; next += 1) {
    const negative = tokens[next]?.word === '-';
    if (negative) next += 1;
    const token = tokens[next];
    const value = token === undefined ? undefined : literalOf(text, token, negative);
    if (value === undefined) return undefined;
    values.push(value);
    next += 1;
    if (next === tokens.length - 1) break;
    if (tokens[next]?.word !== ',') return undefined;
  }
  return { sql: `${text.slice(0, tokens[at + 1]!.end)}${values.map(() => '?').join(',')})`, values };
}

function literalOf(text: string, { kind, start, end, word }: Token, negative: boolean): Bound | undefined {
  if (kind === 'number') return numberOf(text.slice(start, end), negative);
  if (negative) return undefined;
  if (word === 'NULL') return null;
  if (kind === 'string') return undoubled(text.slice(start + 1, end - 1), "'");
  return kind === 'blob' ? Buffer.from(text.slice(start + 2, end - 1), 'hex') : undefined;
}

/** Parses a plain decimal number; SQLite parses other spellings. */
function numberOf(digits: string, negative: boolean): Bound | undefined {
  if (/^\d+$/.test(digits)) {
    const whole = negative ? -BigInt(digits) : BigInt(digits);
    return isInt64(whole) ? whole : undefined;
  }
  if (!/^\d+(?:\.\d*)?(?:[eE][+-]?\d+)?$/.test(digits)) return undefined;
  const real = Number(digits);
  return negative ? -real : real;
}
