import type { Connection } from '../lane/connection.ts';
import type { Statement } from '../lane/driver.ts';
import { quoteName } from '../sql/names.ts';
import type { ImportPlan } from './plan.ts';
import type { Row } from './rows.ts';
import { type Mapping, mappingOf, type Target, type TargetColumn } from './target.ts';
import { type Bound, fromBase64, fromJson, textBytesOf, ValueProblem } from './values.ts';

interface Insert {
  /** where in a row each bound value is, and the column that it goes to */
  readonly places: readonly { readonly at: number; readonly column: TargetColumn }[];
  readonly statement: Statement;
}

type Inserting = Pick<ImportPlan, 'format' | 'columns' | 'create' | 'onConflict'>;

/** Binds the values of a row; throws a `ValueProblem` for what cannot be stored. */
export class Inserts {
  readonly #connection: Connection;
  readonly #target: Target;
  readonly #plan: Inserting;
  readonly #mapping: Mapping;
  readonly #check: (sql: string) => void;
  readonly #checked = new Set<string>();
  #keys: readonly string[] | undefined;
  #last: Insert | undefined;

  /** `check` throws for a statement that may not run */
  constructor(connection: Connection, target: Target, plan: Inserting, check: (sql: string) => void) {
    this.#connection = connection;
    this.#target = target;
    this.#plan = plan;
    this.#mapping = mappingOf(plan);
    this.#check = check;
  }

  /** Inserts a row; gives how many rows that has changed, 0 when one was there already. */
  run(row: Row): number {
    const { places, statement } = this.#insertFor(row);
    const values: Bound[] = [];
    const asText = new Set<number>();
    for (const { at, column } of places) {
      const value = row.values[at];
      const bytes = this.#plan.format === 'csv' ? undefined : textBytesOf(value);
      if (bytes !== undefined) asText.add(values.length);
      values.push(bytes ?? this.#bound(value, column));
    }
    const run = asText.size === 0 ? statement : this.#prepare(places, asText);
    return run.run(...values).changes;
  }

  #insertFor({ keys, values }: Row): Insert {
    if (this.#last !== undefined && keys !== undefined && keys === this.#keys) return this.#last;
    const places = keys === undefined ? this.#placesInOrder(values.length) : this.#placesOf(keys);
    const insert = { places, statement: this.#prepare(places, new Set()) };
    this.#keys = keys;
    this.#last = insert;
    return insert;
  }

  #placesOf(keys: readonly string[]): Insert['places'] {
    const { columns, table } = this.#target;
    const places = keys.flatMap((key, at) => {
      const name = this.#mapping(key);
      if (name === undefined) return [];
      const column = columns.find((candidate) => sameName(candidate.name, name));
      if (column === undefined) throw new ValueProblem(`${table} has no column ${name} that takes values`);
      return [{ at, column }];
    });
    if (places.length === 0) throw new ValueProblem('none of its names is in columns');
    return places;
  }

  #placesInOrder(width: number): Insert['places'] {
    const { columns } = this.#target;
    if (this.#plan.columns !== undefined)
      return this.#placesOf(Array.from({ length: width }, (_, index) => `column_${index + 1}`));
    if (width !== columns.length) throw new ValueProblem(`${width} values for ${columns.length} columns`);
    return columns.map((column, at) => ({ at, column }));
  }

  #prepare(places: Insert['places'], asText: ReadonlySet<number>): Statement {
    const names = places.map(({ column }) => quoteName(column.name)).join(', ');
    const values = places.map((_, index) => (asText.has(index) ? 'CAST(? AS TEXT)' : '?')).join(', ');
    const { onConflict } = this.#plan;
    const sql = `INSERT${onConflict === 'replace' ? ' OR REPLACE' : ''} INTO main.${quoteName(this.#target.table)} (${names}) VALUES (${values})`;
    const whole = `${sql}${conflictOf(onConflict, places)}`;
    if (!this.#checked.has(whole)) this.#check(whole);
    this.#checked.add(whole);
    return this.#connection.prepare(whole);
  }

  #bound(value: unknown, { type }: TargetColumn): Bound {
    if (this.#plan.format !== 'csv') return fromJson(value);
    if (value === null) return null;
    const field = value as string; // fields of CSV are text
    return /^blob$/i.test(type) ? fromBase64(field) : field;
  }
}

function conflictOf(onConflict: ImportPlan['onConflict'], places: Insert['places']): string {
  if (onConflict === 'ignore') return ' ON CONFLICT DO NOTHING';
  if (onConflict !== 'update') return '';
  const set = places.map(({ column }) => `${quoteName(column.name)} = excluded.${quoteName(column.name)}`);
  return ` ON CONFLICT DO UPDATE SET ${set.join(', ')}`;
}

/** Names of columns differ only by more than the case of ASCII letters. */
function sameName(one: string, other: string): boolean {
  return one === other || inSmall(one) === inSmall(other);
}

function inSmall(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
