import { LaneError } from '../error.ts';
import { type Token, tokensOf } from './lexer.ts';

/** The parameters of a statement by number, from 1: the name with its prefix, such as `:id` and `?3`, or undefined for `?`. */
export type Parameters = readonly (string | undefined)[];

/** Values of a statement's parameters as JSON: an array by position, or an object by name, with or without prefix. */
export type Params = readonly unknown[] | Readonly<Record<string, unknown>>;

/** Returns the parameters of a statement, numbered as in SQLite. Source: https://sqlite.org/lang_expr.html#varparam */
export function parametersOf(sql: string, tokens: readonly Token[] = tokensOf(sql)): Parameters {
  const parameters: (string | undefined)[] = [];
  for (const { kind, start, end } of tokens) {
    if (kind !== 'variable') continue;
    const written = sql.slice(start, end);
    if (written === '?') parameters.push(undefined);
    else if (written.startsWith('?')) place(parameters, written);
    else if (!parameters.includes(written)) parameters.push(written);
  }
  return parameters;
}

/** The largest parameter number. */
const MOST_PARAMETERS = 32_766;

function place(parameters: (string | undefined)[], written: string): void {
  const number = Number(written.slice(1));
  if (number < 1 || number > MOST_PARAMETERS)
    throw new LaneError(`${written} is out of range`, {
      code: 'parameters',
      hint: `number parameters from 1 to ${MOST_PARAMETERS}`,
    });
  // unused numbers in between are parameters as well
  while (parameters.length < number) parameters.push(undefined);
  parameters[number - 1] ??= written;
}
