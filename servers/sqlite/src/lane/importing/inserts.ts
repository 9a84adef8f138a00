import type { ImportPlan } from '../../shared/import-plan.ts';
import { quoteName } from '../../shared/sql/names.ts';
import type { Connection } from '../connection.ts';
import type { Statement } from '../driver.ts';
import { isIntegerText } from '../formats/numbers.ts';
import { toNumber } from './affinity.ts';
import { type AlteredValues, alteredField, alteredJson, applyAffinity } from './altered.ts';
import { list } from './columns.ts';
import type { Row } from './rows.ts';
import type { Target, TargetColumn } from './target.ts';
import { type Bound, fromBase64, fromJson, textBytesOf, ValueProblem } from './values.ts';

/** A value's index in a row and the column that stores it. */
interface BoundColumn {
  readonly at: number;
  readonly key: string;
  readonly column: TargetColumn;
  /** whether the column preserves every cell */
  readonly isExact: boolean;
}

interface Insert {
  readonly places: readonly BoundColumn[];
  readonly statement: Statement;
}

/** The assignment of a file's columns to the columns of the table. */
export interface TargetColumns {
  /** returns the column for a column of the file; undefined if it is not imported */
  columnOf(key: string): TargetColumn | undefined;
  /** returns whether the type of a column was derived so that it preserves every cell */
  isInferred(key: string): boolean;
  /** whether values without names go to the table's columns in order */
  readonly isByOrder: boolean;
}

type Inserting = Pick<ImportPlan, 'format' | 'onConflict'>;

/** Inserts rows; throws a `ValueProblem` for a value that cannot be stored. */
export class Inserts {
  readonly #connection: Connection;
  readonly #target: Target;
  readonly #places: TargetColumns;
  readonly #plan: Inserting;
  readonly #altered: AlteredValues;
  readonly #check: (sql: string) => void;
  readonly #checked = new Set<string>();
  readonly #used = new Map<string, BoundColumn>();
  #keys: readonly string[] | undefined;
  #last: Insert | undefined;

  /** `check` throws for a statement that is not allowed */
  constructor(
    connection: Connection,
    target: Target,
    places: TargetColumns,
    plan: Inserting & { readonly altered: AlteredValues; readonly check: (sql: string) => void },
  ) {
    this.#connection = connection;
    this.#target = target;
    this.#places = places;
    this.#plan = plan;
    this.#altered = plan.altered;
    this.#check = plan.check;
  }

  /** Inserts a row and returns the number of changed rows: 0 for an ignored duplicate. */
  run(row: Row): number {
    const { places, statement } = this.#insertFor(row);
    const { values, asText } = this.#valuesOf(row, places);
    const run = asText === undefined ? statement : this.#prepare(places, asText);
    const { changes } = run.run(...values);
    if (changes > 0) this.#note(row, places, values);
    return changes;
  }

  /** Returns the values of a row as stored, by column name. */
  stored(row: Row): Record<string, Bound> {
    const { places } = this.#insertFor(row);
    const { values } = this.#valuesOf(row, places);
    return Object.fromEntries(places.map(({ column }, at) => [column.name, storedIn(column, values[at]!)]));
  }

  /** The columns of the table that received values, and their names in the file. */
  get used(): { name: string; type: string; from?: string }[] {
    return [...this.#used.values()].map(({ key, column: { name, type } }) => ({
      name,
      type,
      ...(name !== key && { from: key }),
    }));
  }

  #valuesOf(row: Row, places: readonly BoundColumn[]): { values: Bound[]; asText?: Set<number> } {
    const values: Bound[] = [];
    let asText: Set<number> | undefined;
    const isText = this.#plan.format === 'csv';
    for (const { at, column } of places) {
      const value = row.values[at];
      if (isText)
        values.push(fieldIn(column, value as string | null)); // fields of CSV are text
      else {
        const bytes = textBytesOf(value);
        if (bytes !== undefined) {
          asText ??= new Set();
          asText.add(values.length);
        }
        values.push(bytes ?? fromJson(value, column.affinity));
      }
    }
    return asText === undefined ? { values } : { values, asText };
  }

  #note(row: Row, places: readonly BoundColumn[], values: readonly Bound[]): void {
    const isText = this.#plan.format === 'csv';
    for (let index = 0; index < places.length; index += 1) {
      const { at, column, isExact } = places[index]!;
      const value = row.values[at];
      if (isExact || value === null) continue;
      const kept = applyAffinity(column.affinity, values[index]!);
      const altered = isText
        ? alteredField(value as string, kept) // fields of CSV are text
        : alteredJson(value, kept, column.affinity === 'TEXT');
      if (altered !== undefined) this.#altered.add(column.name, row.line, altered);
    }
  }

  #insertFor({ keys, values }: Row): Insert {
    if (this.#last !== undefined && keys !== undefined && keys === this.#keys) return this.#last;
    const places = keys === undefined ? this.#placesInOrder(values.length) : this.#placesOf(keys);
    const insert = { places, statement: this.#prepare(places, new Set()) };
    for (const place of places) this.#used.set(place.column.name, place);
    this.#keys = keys;
    this.#last = insert;
    return insert;
  }

  #placesOf(keys: readonly string[]): BoundColumn[] {
    const places = keys.flatMap((key, at) => {
      const column = this.#places.columnOf(key);
      return column === undefined ? [] : [this.#place(key, at, column)];
    });
    if (places.length === 0) throw new ValueProblem(`none of its names is in columns: ${list(keys)}`);
    return places;
  }

  #placesInOrder(width: number): BoundColumn[] {
    const { columns } = this.#target;
    const keys = Array.from({ length: width }, (_, index) => `column_${index + 1}`);
    if (!this.#places.isByOrder) return this.#placesOf(keys);
    if (width !== columns.length)
      throw new ValueProblem(`wrong number of values: ${width} instead of ${columns.length}`);
    return columns.map((column, at) => this.#place(keys[at]!, at, column));
  }

  #place(key: string, at: number, column: TargetColumn): BoundColumn {
    const isExact = this.#plan.format === 'csv' && (this.#places.isInferred(key) || !isNumbers(column));
    return { key, at, column, isExact };
  }

  #prepare(places: readonly BoundColumn[], asText: ReadonlySet<number>): Statement {
    const names = places.map(({ column }) => quoteName(column.name)).join(', ');
    const values = places.map((_, index) => (asText.has(index) ? 'CAST(? AS TEXT)' : '?')).join(', ');
    const { onConflict } = this.#plan;
    const sql = `INSERT${onConflict === 'replace' ? ' OR REPLACE' : ''} INTO main.${quoteName(this.#target.table)} (${names}) VALUES (${values})`;
    const whole = `${sql}${conflictOf(onConflict, places)}`;
    if (!this.#checked.has(whole)) this.#check(whole);
    this.#checked.add(whole);
    return this.#connection.prepare(whole);
  }
}

function storedIn(column: TargetColumn, bound: Bound): Bound {
  // integers of CSV are bound as text
  if (typeof bound === 'string' && isNumbers(column) && isIntegerText(bound)) return BigInt(bound);
  return applyAffinity(column.affinity, bound);
}

function isNumbers({ affinity }: TargetColumn): boolean {
  return affinity !== 'TEXT' && affinity !== 'NONE';
}

/** Returns the value to bind for a CSV field. */
function fieldIn({ type, affinity }: TargetColumn, field: string | null): Bound {
  if (field === null) return null;
  if (affinity === 'TEXT') return field;
  if (affinity === 'NONE') return /^blob$/i.test(type) ? fromBase64(field) : field;
  // SQLite converts these digits to the same INTEGER
  if (affinity !== 'REAL' && isIntegerText(field)) return field;
  return toNumber(field, affinity);
}

function conflictOf(onConflict: ImportPlan['onConflict'], places: readonly BoundColumn[]): string {
  if (onConflict === 'ignore') return ' ON CONFLICT DO NOTHING';
  if (onConflict !== 'update') return '';
  const set = places.map(({ column }) => `${quoteName(column.name)} = excluded.${quoteName(column.name)}`);
  return ` ON CONFLICT DO UPDATE SET ${set.join(', ')}`;
}
