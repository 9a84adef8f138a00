import { quoteName } from '../../shared/sql/names.ts';
import { type Connection, selectRows } from '../connection.ts';
import type { SimpleSelect } from '../sql/simple-select.ts';
import type { Bindings } from '../values/bind.ts';
import { type OrderedSelect, orderedSelect } from './ordered-select.ts';
import { tableKey } from './table-key.ts';

/** The statements of a query of one table that pages by its key. */
export interface Keyset {
  readonly first: string;
  /** with the last key as parameters `$rootbound_key_0` and so on */
  readonly next: string;
  /** number of key columns appended to both */
  readonly keys: number;
  /** index of the query's column that is the key, if it has one */
  readonly keyAt: number | undefined;
  /** whether keys are descending */
  readonly descending: boolean;
  /** whether the table stores every column */
  readonly isStored: boolean;
  /** whether it can restart at any key at no cost, since it contains no other query */
  readonly hasNoSubquery: boolean;
}

/** Returns the query paged by key; undefined if its pages would cost more than the query. */
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

/** Returns the bindings of a statement plus those of a key. */
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

/** Returns whether the ORDER BY of the query is the order of the key. */
function isOrderOf(
  connection: Connection,
  sql: string,
  { by }: OrderedSelect,
  keys: readonly string[],
): boolean {
  if (by === undefined) return true;
  const [key, second] = keys;
  if (key === undefined || second !== undefined || by.toLowerCase() !== key.toLowerCase()) return false;
  // ORDER BY refers to a result column of that name, if there is one
  return connection
    .prepare(sql)
    .columns()
    .every(({ name, column }) => name.toLowerCase() !== by.toLowerCase() || column === key);
}

/** Query plans, one step per line: of the query, of its first page by key, and of the following pages. */
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
    selectRows<{ detail: string }>(connection, `EXPLAIN QUERY PLAN ${text}`, ...values)
      .map(({ detail }) => detail)
      .join('\n');
  return {
    own: plan(sql, bindings),
    paged: plan(first, bindings),
    rest: plan(next, withKey(bindings, Array<null>(keys || 1).fill(null))),
  };
}

/** Returns whether ordering by key needs no sorting and still uses the index of the query. */
function isCheap({ own, paged, rest }: Plans): boolean {
  if (`${paged}\n${rest}`.includes('TEMP B-TREE')) return false;
  return !own.startsWith('SEARCH') || paged.startsWith('SEARCH');
}
