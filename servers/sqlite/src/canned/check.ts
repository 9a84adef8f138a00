import { ToolError } from '@rootbound/protocol';
import { isDay } from '../calendar.ts';
import { parametersOf } from '../shared/sql/parameters.ts';
import { checkStatement } from '../statements.ts';
import type { CannedParameter, CannedQuery } from './definition.ts';

/** Arguments of every canned query besides its own parameters. */
export const ownArguments: readonly string[] = ['database', 'cursor', 'timeout_ms'];

/** Throws a TypeError if a query contradicts itself, another query or a tool of the server. */
export function checkQueries(queries: readonly CannedQuery[], taken: ReadonlySet<string>): void {
  const names = new Set<string>();
  for (const query of queries) {
    const { name } = query;
    if (taken.has(name))
      throw new TypeError(`${name}.name: is the name of a tool of this server: choose another`);
    if (names.has(name)) throw new TypeError(`${name}.name: is used twice: rename one of the queries`);
    names.add(name);
    checkSql(query);
    for (const [parameter, definition] of Object.entries(query.parameters))
      checkParameter(`${name}.parameters.${parameter}`, parameter, definition);
  }
}

function checkSql({ name, sql, write, parameters }: CannedQuery): void {
  const { text, tokens } = statementOf(name, sql, write);
  const written = parametersOf(text, tokens);
  if (written.includes(undefined)) throw new TypeError(`${name}.sql: contains an unnamed ?: write :name`);
  const names = written.map((one = '') => one.slice(1));
  const undeclared = names.find((one) => !Object.hasOwn(parameters, one));
  if (undeclared !== undefined)
    throw new TypeError(`${name}.parameters: ${undeclared} is missing, which the SQL uses: declare it`);
  const unused = Object.keys(parameters).find((one) => !names.includes(one));
  if (unused !== undefined)
    throw new TypeError(
      `${name}.parameters.${unused}: is not used in the SQL: use :${unused} there, or remove it`,
    );
}

function statementOf(name: string, sql: string, write: boolean): ReturnType<typeof checkStatement> {
  try {
    return checkStatement(sql, write ? 'write' : 'read');
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const hint = error.message.endsWith('changes the database')
      ? 'set "write": true if it should'
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
    throw new TypeError(`${where}: is the name of an argument that every query has: choose another`);
  if ((minimum !== undefined || maximum !== undefined) && kinds[type] !== 'number')
    throw new TypeError(`${where}: minimum and maximum are for integer and number`);
  if (minimum !== undefined && maximum !== undefined && minimum > maximum)
    throw new TypeError(`${where}.minimum: is above maximum`);
  const wrong = choices?.find((choice) => !fits(choice, definition));
  if (wrong !== undefined)
    throw new TypeError(`${where}.enum: ${JSON.stringify(wrong)} is not of type ${type}`);
  if (choices !== undefined && type === 'boolean')
    throw new TypeError(`${where}.enum: not allowed for boolean: remove it`);
  if (usual === undefined || usual === null) return;
  if (!fits(usual, definition) || (choices !== undefined && !choices.includes(usual)))
    throw new TypeError(`${where}.default: ${JSON.stringify(usual)} is not an allowed value`);
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
