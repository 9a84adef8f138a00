import type { Complete, Completion } from '@rootbound/protocol';
import { completeDatabase } from '../completing/databases.ts';
import { completeTable, keysFrom, suggested } from '../completing/suggestions.ts';
import type { Workspace } from '../workspace.ts';
import { decode, parseSqliteUri, toKeyText, toSqliteUri } from './uri.ts';

// values of these templates are percent-encoded, since `{+name}` does not encode them

const START = 'sqlite:///';

/** Suggests paths of databases, without the slash that the template contains. */
export const completeDatabasePath: Complete<Workspace> = async (value, context, resolved) => {
  const begun = wholeEscapes(value);
  const typed = begun === '' ? '' : databaseFrom(begun);
  if (typed === undefined) return [];
  const found = await completeDatabase(typed, context, resolved);
  return mapped(found, (path) => toSqliteUri(path).slice(START.length));
};

/** Suggests names of tables and views. */
export const completeTableName: Complete<Workspace> = async (value, context, { database }) => {
  const typed = decode(wholeEscapes(value));
  const path = databaseFrom(database);
  if (typed === undefined || path === undefined) return [];
  return mapped(await completeTable(typed, context, { database: path }), encodeURIComponent);
};

/** Suggests keys of the given table; values of several columns are separated by commas. */
export const completeKeyText: Complete<Workspace> = async (value, context, { database, table = '' }) => {
  const typed = wholeEscapes(value).split(',').map(decode);
  const name = decode(table);
  const path = databaseFrom(database);
  if (path === undefined || name === undefined || !typed.every((each) => each !== undefined)) return [];
  const keys = await keysFrom(context, { database: path, table: name, typed });
  return suggested(keys.map(toKeyText));
};

const lastOfUtf8 = /%(?:[CD][0-9A-F]|E[0-9A-F](?:%[89AB][0-9A-F])?|F[0-7](?:%[89AB][0-9A-F]){0,2})$/i;

/** Returns the typed value without an incomplete escape at its end. */
function wholeEscapes(value: string): string {
  return value.replace(/%[0-9A-F]?$/i, '').replace(lastOfUtf8, '');
}

function databaseFrom(encoded: string | undefined): string | undefined {
  const parsed = encoded === undefined ? undefined : parseSqliteUri(START + encoded);
  return parsed !== undefined && 'target' in parsed && parsed.target.kind === 'database'
    ? parsed.database
    : undefined;
}

function mapped(completion: Completion, map: (value: string) => string): Completion {
  return isList(completion) ? completion.map(map) : { ...completion, values: completion.values.map(map) };
}

function isList(completion: Completion): completion is readonly string[] {
  return Array.isArray(completion);
}
