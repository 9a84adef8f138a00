import { ToolError } from '@rootbound/protocol';
import { isDay } from '../calendar.ts';
import { parametersOf } from '../shared/sql/parameters.ts';
import { checkStatement } from '../statements.ts';
import type { CannedParameter, CannedQuery } from './definition.ts';

/** Arguments that every canned query has besides its own. */
export const ownArguments: readonly string[] = ['database', 'cursor', 'timeout_ms'];

/** Throws a TypeError where a query contradicts itself, its neighbours or the tools that are there. */
export function checkQueries(queries: readonly CannedQuery[], taken: ReadonlySet<string>): void {
  const names = new Set<string>();
  for (const query of queries) {
    const { name } = query;
    if (taken.has(name)) throw new TypeError(`${name}.name: is a tool of this server: choose another`);
    if (names.has(name)) throw new TypeError(`${name}.name: is there twice: choose another for one`);
    names.add(name);
    checkSql(query);
    for (const [parameter, definition] of Object.entries(query.parameters))
      checkParameter(`${name}.parameters.${parameter}`, parameter, definition);
  }
}

function checkSql({ name, sql, write, parameters }: CannedQuery): void {
  const { text, tokens } = statementOf(name, sql, write);
  const written = parametersOf(text, tokens);
  if (written.includes(undefined)) throw new TypeError(`${name}.sql: has a bare ?: write :name`);
  const names = written.map((one = '') => one.slice(1));
  const undeclared = names.find((one) => !Object.hasOwn(parameters, one));
  if (undeclared !== undefined)
    throw new TypeError(`${name}.parameters: lacks ${undeclared}, which the SQL uses: declare it`);
  const unused = Object.keys(parameters).find((one) => !names.includes(one));
  if (unused !== undefined)
    throw new TypeError(
      `${name}.parameters.${unused}: is not in the SQL: write :${unused} there, or leave it out`,
    );
}

function statementOf(name: string, sql: string, write: boolean): ReturnType<typeof checkStatement> {
  try {
    return checkStatement(sql, write ? 'write' : 'read');
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const hint = error.message.endsWith('changes the database')
      ? 'say "write": true where it is meant to'
      : error.hint;
    throw new TypeError(`${name}.sql: ${error.message}${hint === undefined ? '' : `: ${hint}`}`, {
      cause: error,
    });
  }
}

const kinds = {
  string: 'string',
  date: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
} as const;

function checkParameter(where: string, parameter: string, definition: CannedParameter): void {
  const { type, enum: choices, default: usual, minimum, maximum } = definition;
  if (ownArguments.includes(parameter))
    throw new TypeError(`${where}: is an argument of every query: choose another name`);
  if ((minimum !== undefined || maximum !== undefined) && kinds[type] !== 'number')
    throw new TypeError(`${where}: minimum and maximum are for integer and number`);
  if (minimum !== undefined && maximum !== undefined && minimum > maximum)
    throw new TypeError(`${where}.minimum: is above maximum`);
  const wrong = choices?.find((choice) => !fits(choice, definition));
  if (wrong !== undefined) throw new TypeError(`${where}.enum: ${JSON.stringify(wrong)} is no ${type}`);
  if (choices !== undefined && type === 'boolean')
    throw new TypeError(`${where}.enum: a boolean has no choices: leave it out`);
  if (usual === undefined || usual === null) return;
  if (!fits(usual, definition) || (choices !== undefined && !choices.includes(usual)))
    throw new TypeError(`${where}.default: ${JSON.stringify(usual)} is not a value that it takes`);
}

function fits(
  value: string | number | boolean,
  { type, minimum = -Infinity, maximum = Infinity }: CannedParameter,
): boolean {
  if (typeof value !== kinds[type]) return false;
  if (type === 'integer' && !Number.isSafeInteger(value)) return false;
  if (type === 'date') return isDay(String(value));
  return typeof value !== 'number' || (value >= minimum && value <= maximum);
}
