import { fromFileUri, toFileUri } from '@rootbound/kit/boundary';
import { defined } from '@rootbound/kit/primitives';

/** The part of a database that a URI names. */
export type Target =
  | { readonly kind: 'database' }
  | { readonly kind: 'schema' }
  | { readonly kind: 'table'; readonly table: string }
  /** a page of rows; the first one has no cursor */
  | { readonly kind: 'rows'; readonly table: string; readonly cursor?: string }
  /** a row by the values of its key, as text */
  | { readonly kind: 'row'; readonly table: string; readonly key: readonly string[] };

/** The resource that a URI names. */
export type SqliteUri =
  | { readonly database: string; readonly target: Target }
  /** the whole result of a query, by its handle */
  | { readonly result: string };

// in the path of a database "?" is escaped, so the first one ends it
const parts = /^sqlite:\/\/([^?#]*)(?:\?(.*))?$/s;
const resultOf = /^sqlite:result\/([A-Za-z0-9_-]+)$/;

/**
 * Returns the URI of a database or of a part of it: the path as in a `file:` URI, the part as its query.
 * @example
 * toSqliteUri('/home/ann/a b.db', { kind: 'row', table: 'item', key: ['7'] });
 * // 'sqlite:///home/ann/a%20b.db?table=item&key=7'
 */
export function toSqliteUri(database: string, target: Target = { kind: 'database' }): string {
  const own = `sqlite:${toFileUri(database).slice('file:'.length)}`;
  const query = queryOf(target);
  return query === '' ? own : `${own}?${query}`;
}

/** Returns the URI of a query's whole result. */
export function toResultUri(handle: string): string {
  return `sqlite:result/${handle}`;
}

/**
 * Parses a URI; returns undefined if it names no resource of this server. Each resource has one URI, apart from
 * unnecessary escapes.
 */
export function parseSqliteUri(uri: string): SqliteUri | undefined {
  const [, result] = resultOf.exec(uri) ?? [];
  if (result !== undefined) return { result };
  const [, path, query] = parts.exec(uri) ?? [];
  const database = path === undefined ? undefined : fromFileUri(`file://${path}`);
  const target = query === undefined ? ({ kind: 'database' } as const) : targetOf(query);
  return database === undefined || target === undefined ? undefined : { database, target };
}

function queryOf(target: Target): string {
  if (target.kind === 'database') return '';
  if (target.kind === 'schema') return 'schema';
  const table = `table=${encodeURIComponent(target.table.toWellFormed())}`;
  if (target.kind === 'table') return table;
  if (target.kind === 'row') return `${table}&key=${toKeyText(target.key)}`;
  return target.cursor === undefined ? `${table}&rows` : `${table}&rows=${target.cursor}`;
}

const query = /^table=([^&]+)(?:&(?:(rows)(?:=([A-Za-z0-9_-]+))?|key=([^&]*)))?$/;

function targetOf(text: string): Target | undefined {
  if (text === 'schema') return { kind: 'schema' };
  const [, encoded = '', rows, cursor, keyText] = query.exec(text) ?? [];
  const table = decode(encoded);
  if (table === undefined || table === '') return undefined;
  if (rows !== undefined) return { kind: 'rows', table, ...defined({ cursor }) };
  if (keyText === undefined) return { kind: 'table', table };
  const key = fromKeyText(keyText);
  return key === undefined ? undefined : { kind: 'row', table, key };
}

/** Returns the values of a key separated by commas. */
export function toKeyText(key: readonly string[]): string {
  return key.map((value) => encodeURIComponent(value.toWellFormed())).join(',');
}

function fromKeyText(text: string): string[] | undefined {
  const key = text.split(',').map(decode);
  return key.every((value) => value !== undefined) ? key : undefined;
}

/** Decodes a value of a query; returns undefined for a broken escape, and for a NUL. */
export function decode(encoded: string): string | undefined {
  try {
    const text = decodeURIComponent(encoded);
    return text.includes('\0') ? undefined : text;
  } catch {
    // an invalid escape, or bytes that are not UTF-8
    return undefined;
  }
}
