import type { ResultColumn } from '../../shared/values/result-column.ts';

/** A query whose last columns may be keys that are not part of the result. */
export interface RowSource {
  readonly sql: string;
  readonly columns: readonly ResultColumn[];
  /** number of key columns after `columns` */
  readonly keys: number;
  /** whether the one table that is queried stores all columns, so that SQLite may flatten the subquery */
  readonly isStored: boolean;
}

/** Returns SQL with one column: the row as JSON text, or NULL for a row that SQLite would not write exactly. */
export function plainSql(source: RowSource): string {
  return selectFrom(source, plainText(source), !source.isStored);
}

/** Most rows that `manySql` returns at once, and bytes of the longest, so that little memory is used. */
const MANY_ROWS = 256;
export const MANY_LONGEST = 1024;

/**
 * Returns SQL that reads the next rows of a query whose column `keyAt` is an ascending or descending key, as one row:
 * the JSON texts joined by commas, how many there are, how many of them are plain and short, and the last one. Bare
 * columns are those of the row with the maximum. Source: https://sqlite.org/lang_select.html#bareagg
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
 * Returns SQL with two columns for each of the query: the value (text as bytes) cut to `mostBytes`, and the length of
 * the whole, for a blob below 0 (-1 if empty). Keys follow unchanged.
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
/** Name of the common table expression; a query that uses the name would be taken as recursive. */
const ROWS = 'rootbound_rows';

function selectFrom(source: RowSource, select: string, isApart = true): string {
  const names = [...source.columns.map((_, index) => `c${index}`), ...keyNames(source)];
  if (isApart) return overRows(source.sql, names, select);
  return `WITH ${ROWS}(${names.join()}) AS (${source.sql}\n) SELECT ${select} FROM ${ROWS}`;
}

/**
 * Returns SQL over the rows of a query whose columns get these names. The limit prevents flattening, after which each
 * use of a column would compute it again and JSON values would keep their subtype. Source:
 * https://sqlite.org/optoverview.html#flattening (rule 19)
 */
export function overRows(sql: string, names: readonly string[], select: string): string {
  return `WITH ${ROWS}(${names.join()}) AS (SELECT * FROM (${sql}\n) LIMIT -1) SELECT ${select} FROM ${ROWS} WHERE 1`;
}

function keyNames({ keys }: RowSource): string[] {
  return Array.from({ length: keys }, (_, index) => `k${index}`);
}

/**
 * Returns a condition for a blob, or a number beyond 2^53 - 1 or infinite, which JSON readers would round. Without
 * affinity, numbers sort before text and text before blobs. Source: https://sqlite.org/datatype3.html#sort_order
 */
function isInexact(value: string): string {
  const most = Number.MAX_SAFE_INTEGER;
  return `(${value} NOT BETWEEN -${most} AND ${most} AND (${value} < '' OR ${isBlob(value)}))`;
}

/** Returns a condition for a blob, which SQLite could take as JSONB. Source: https://sqlite.org/json1.html#jsonbx */
function isBlob(value: string): string {
  return `${value} >= x''`;
}

/**
 * Returns whether a column has TEXT affinity and so holds no numbers. Source:
 * https://sqlite.org/datatype3.html#determination_of_column_affinity
 */
function holdsText({ table, type }: ResultColumn): boolean {
  return table !== undefined && type !== undefined && /CHAR|CLOB|TEXT/i.test(type) && !/INT/i.test(type);
}
