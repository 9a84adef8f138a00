import { quoteName } from '../../shared/sql/names.ts';
import type { Connection } from '../connection.ts';
import type { SimpleSelect } from '../sql/simple-select.ts';
import type { Bindings } from '../values/bind.ts';
import { type OrderedSelect, orderedSelect } from './ordered-select.ts';
import { tableKey } from './table-key.ts';

/** A query of one table, in the order of its key, and from a key on. */
export interface Keyset {
  readonly first: string;
  /** needs the key that was last, as `$rootbound_key_0` and so on */
  readonly next: string;
  /** how many columns of both are added for the key, at their end */
  readonly keys: number;
  /** the number of the column that is the key, where the query has it already */
  readonly keyAt: number | undefined;
  /** whether keys fall */
  readonly descending: boolean;
  /** whether every column is one that the table stores */
  readonly isStored: boolean;
  /** whether it can be begun again at any key for nothing: there is no other query within it */
  readonly hasNoSubquery: boolean;
}

/** The same query by key, where the pages of that cost alike; undefined for all others. */
export function keysetOf(connection: Connection, sql: string, bindings: Bindings): Keyset | undefined {
  const ordered = orderedSelect(sql);
  if (ordered === undefined) return undefined;
  const key = tableKey(connection, ordered.select);
  if (key === undefined || !isOrderOf(connection, sql, ordered, key.columns)) return undefined;
  const { select, descending } = ordered;
  const name = quoteName(select.alias ?? select.table);
  const columns = key.names.map((column) => `${name}.${quoteName(column)}`);
  const direction = descending ? ' DESC' : '';
  const order = `ORDER BY ${columns.map((column) => `${column}${direction}`).join(', ')}`;
  const values = columns.map((_, index) => `$${keyName(index)}`);
  const beyond = `(${columns.join(', ')}) ${descending ? '<' : '>'} (${values.join(', ')})`;
  const own = connection.prepare(sql).columns();
  const at =
    key.rowid === undefined
      ? -1
      : own.findIndex(({ table, column }) => table !== null && column === key.rowid);
  const added = at === -1 ? columns : [];
  const keyset: Omit<Keyset, 'hasNoSubquery'> = {
    first: build(select, added, undefined, order),
    next: build(select, added, beyond, order),
    keys: added.length,
    keyAt: at === -1 ? undefined : at,
    descending,
    isStored: !key.computes && own.every(({ table, column }) => table !== null && column !== null),
  };
  const plans = plansOf(connection, sql, keyset, bindings);
  return isCheap(plans) ? { ...keyset, hasNoSubquery: !plans.rest.includes('\n') } : undefined;
}

/** The values of a statement's parameters, and of a key. */
export function withKey(bindings: Bindings, key: readonly unknown[]): Bindings {
  const named = Object.fromEntries(key.map((value, index) => [keyName(index), value]));
  const last = bindings.at(-1);
  const isNamed = last !== null && typeof last === 'object' && !Buffer.isBuffer(last);
  return isNamed ? [...bindings.slice(0, -1), { ...last, ...named }] : [...bindings, named];
}

function keyName(index: number): string {
  return `rootbound_key_${index}`;
}

function build(
  { text, columns, from, where }: SimpleSelect,
  keys: readonly string[],
  beyond: string | undefined,
  order: string,
): string {
  const own = where === undefined ? [] : [`(${text.slice(where.start, where.end)}\n)`];
  const conditions = [...own, ...(beyond === undefined ? [] : [beyond])];
  const filter = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
  const selectList = text.slice(columns.start, columns.end);
  return `SELECT ${selectList}\n${keys.map((key) => `, ${key}`).join('')} FROM ${text.slice(from.start, from.end)}\n${filter} ${order}`;
}

/** Whether the order that the query asks for is that of the key. */
function isOrderOf(
  connection: Connection,
  sql: string,
  { by }: OrderedSelect,
  keys: readonly string[],
): boolean {
  if (by === undefined) return true;
  const [key, second] = keys;
  if (key === undefined || second !== undefined || by.toLowerCase() !== key.toLowerCase()) return false;
  // the order goes by a column of the result where one has that name
  return connection
    .prepare(sql)
    .columns()
    .every(({ name, column }) => name.toLowerCase() !== by.toLowerCase() || column === key);
}

/** SQLite's plans, a step each line: of a query, of its pages by key, and of those behind one. */
interface Plans {
  readonly own: string;
  readonly paged: string;
  readonly rest: string;
}

function plansOf(
  connection: Connection,
  sql: string,
  { first, next, keys }: Pick<Keyset, 'first' | 'next' | 'keys'>,
  bindings: Bindings,
): Plans {
  const plan = (text: string, values: Bindings): string =>
    (connection.db.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...values) as { detail: string }[])
      .map(({ detail }) => detail)
      .join('\n');
  return {
    own: plan(sql, bindings),
    paged: plan(first, bindings),
    rest: plan(next, withKey(bindings, Array<null>(keys || 1).fill(null))),
  };
}

/** Whether the key's order neither needs sorting nor keeps an index from being used. */
function isCheap({ own, paged, rest }: Plans): boolean {
  if (`${paged}\n${rest}`.includes('TEMP B-TREE')) return false;
  return !own.startsWith('SEARCH') || paged.startsWith('SEARCH');
}
