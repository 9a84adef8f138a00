import type { ResultColumn } from '../../shared/values/result-column.ts';

/** A query, of whose columns the last ones may be keys that a result does not show. */
export interface RowSource {
  readonly sql: string;
  readonly columns: readonly ResultColumn[];
  /** how many columns follow those */
  readonly keys: number;
  /** whether it is a query of one table whose columns are all stored there, so that SQLite may merge it into ours */
  readonly isStored: boolean;
}

/** A statement whose rows have one column: JSON text, or NULL for a row that SQLite would not write exactly. */
export function plainSql(source: RowSource): string {
  return selectFrom(source, plainText(source), !source.isStored);
}

/** How many rows `manySql` gives at once, and the longest of them, bytes: what it holds stays small. */
const MANY_ROWS = 256;
export const MANY_LONGEST = 1024;

/**
 * A statement of one row for the next of a query whose column of this number is a key that rises or falls: the rows as
 * JSON texts with commas between, how many there are, how many of them are plain and short, and the last one. Bare
 * columns are those of the row that has the maximum. Source: https://sqlite.org/lang_select.html#bareagg
 */
export function manySql(source: RowSource, keyAt: number, descending: boolean): string {
  const rows = selectFrom(source, `${plainText(source)} AS t, c${keyAt} AS k`, !source.isStored);
  const short = `CASE WHEN octet_length(t) <= ${MANY_LONGEST} THEN t END`;
  const last = descending ? 'min(k)' : 'max(k)';
  return `SELECT group_concat(${short}), count(*), count(${short}), t, ${last} FROM (${rows} LIMIT ${MANY_ROWS})`;
}

function plainText(source: RowSource): string {
  const visible = source.columns.map((_, index) => `c${index}`);
  const risky = [
    ...source.columns.map((column, index) => (holdsText(column) ? isBlob : isInexact)(`+c${index}`)),
    ...keyNames(source).map((name) => isInexact(`+${name}`)),
  ];
  const row = `json_array(${visible.join()})`;
  const all = source.keys === 0 ? row : `${row} || char(10) || json_array(${keyNames(source).join()})`;
  return risky.length === 0 ? all : `CASE WHEN ${risky.join(' OR ')} THEN NULL ELSE ${all} END`;
}

/**
 * A statement whose rows have two columns for each of the query: the value, text as its bytes, both cut to so many of
 * them; and the bytes of the whole, less than 0 (-1 for none) where it is a blob. Keys follow as they are.
 */
export function exactSql(source: RowSource, mostBytes: number, isUtf8: boolean): string {
  const most = Math.min(mostBytes, MOST_VALUE);
  const values = source.columns.flatMap((_, index) => {
    const c = `c${index}`;
    const text = isUtf8
      ? `substr(CAST(${c} AS BLOB), 1, ${most})`
      : `CASE WHEN octet_length(${c}) > ${most} THEN substr(${c}, 1, ${Math.ceil(most / 4)}) ELSE ${c} END`;
    return [
      `CASE typeof(${c}) WHEN 'text' THEN ${text} WHEN 'blob' THEN substr(${c}, 1, ${most}) ELSE ${c} END`,
      `CASE typeof(${c}) WHEN 'text' THEN octet_length(${c}) WHEN 'blob' THEN -1 - octet_length(${c}) END`,
    ];
  });
  return selectFrom(source, [...values, ...keyNames(source)].join());
}

const MOST_VALUE = 2 ** 31 - 1;
/** No table is called like this: the query would be taken for one that refers to itself. */
const ROWS = 'rootbound_rows';

function selectFrom(source: RowSource, select: string, isApart = true): string {
  const names = [...source.columns.map((_, index) => `c${index}`), ...keyNames(source)];
  if (isApart) return overRows(source.sql, names, select);
  return `WITH ${ROWS}(${names.join()}) AS (${source.sql}\n) SELECT ${select} FROM ${ROWS}`;
}

/**
 * A statement over the rows of a query whose columns get these names. The limit keeps SQLite from merging the query into
 * it, where each use of a column would compute it again and a value would still be known as JSON.
 * Source: https://sqlite.org/optoverview.html#flattening (rule 19)
 */
export function overRows(sql: string, names: readonly string[], select: string): string {
  return `WITH ${ROWS}(${names.join()}) AS (SELECT * FROM (${sql}\n) LIMIT -1) SELECT ${select} FROM ${ROWS} WHERE 1`;
}

function keyNames({ keys }: RowSource): string[] {
  return Array.from({ length: keys }, (_, index) => `k${index}`);
}

/**
 * A blob, or a number that JSON readers would round, or infinity: any beyond 2^53 - 1. Without an affinity numbers come
 * before text and text before blobs. Source: https://sqlite.org/datatype3.html#sort_order
 */
function isInexact(value: string): string {
  const most = Number.MAX_SAFE_INTEGER;
  return `(${value} NOT BETWEEN -${most} AND ${most} AND (${value} < '' OR ${isBlob(value)}))`;
}

/** A blob, which is no JSON, although SQLite takes some for JSON in its binary form. Source: https://sqlite.org/json1.html#jsonbx */
function isBlob(value: string): string {
  return `${value} >= x''`;
}

/** Whether a column of a table has TEXT affinity, and so never a number. Source: https://sqlite.org/datatype3.html#determination_of_column_affinity */
function holdsText({ table, type }: ResultColumn): boolean {
  return table !== undefined && type !== undefined && /CHAR|CLOB|TEXT/i.test(type) && !/INT/i.test(type);
}
