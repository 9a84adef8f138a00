import { LaneError } from '../../shared/error.ts';
import type { ColumnType, ImportPlan, Types } from '../../shared/import-plan.ts';
import type { Connection } from '../connection.ts';
import { JsonFacts, TextFacts } from './column-facts.ts';
import { uniqueNames } from './columns.ts';
import type { Mapping } from './mapping.ts';
import type { ColumnNotes } from './result.ts';
import type { Row } from './rows.ts';
import { createTable, type Target, type TargetColumn } from './target.ts';
import { kindOf } from './values.ts';

/** Most columns of a table in SQLite. */
const MOST_COLUMNS = 2_000;

/** Derives the columns of a new table from all rows of a file. */
export class NewTable {
  readonly #mapping: Mapping;
  readonly #isText: boolean;
  /** undefined for a column whose type the caller gave */
  readonly #facts = new Map<string, TextFacts | JsonFacts | undefined>();
  #made: Types = [];
  #names: readonly string[] = [];
  #columns: ReadonlyMap<string, TargetColumn> = new Map();

  constructor(mapping: Mapping, { format }: Pick<ImportPlan, 'format'>) {
    this.#mapping = mapping;
    this.#isText = format === 'csv';
  }

  /** Adds a row and returns whether the created table no longer fits. */
  observe({ keys, values, problem, line }: Row): boolean {
    if (problem !== undefined) return false;
    let isOther = false;
    for (const [at, value] of values.entries()) {
      const key = keys?.[at] ?? `column_${at + 1}`;
      const facts = this.#factsOf(key);
      if (facts === undefined) {
        isOther ||= this.#facts.has(key) && !this.#columns.has(key);
        continue;
      }
      if (value === null) isOther ||= !this.#columns.has(key);
      else if (facts instanceof TextFacts)
        isOther = facts.add(value as string, line) || isOther; // CSV fields are text
      else {
        const kind = kindOf(value);
        if (kind !== undefined) isOther = facts.add(kind, line) || isOther;
      }
    }
    return isOther && !this.fits;
  }

  /** Creates the table with the types so far, or with those of a previous read. */
  create({ db }: Connection, table: string, knownTypes: Types | undefined): Target {
    for (const key of this.#mapping.known) this.#factsOf(key);
    this.#made = knownTypes ?? this.types;
    const wanted = this.#made.map(([key, type]) => ({ key, type, ...this.#mapping.of(key) }));
    this.#names = uniqueNames(wanted.map(({ name, key }) => name ?? key));
    const target = createTable(
      db,
      table,
      wanted.map(({ type }, at) => ({ name: this.#names[at]!, type })),
    );
    this.#columns = new Map(this.#made.map(([key], at) => [key, target.columns[at]!]));
    return target;
  }

  /** Returns the table's column for a column of the file. */
  columnOf(key: string): TargetColumn | undefined {
    return this.#columns.get(key);
  }

  /** Returns whether the type of a column was derived so that it preserves every cell. */
  isInferred(key: string): boolean {
    return this.#facts.get(key) instanceof TextFacts;
  }

  get types(): Types {
    return [...this.#facts].map(([key, facts]) => [
      key,
      this.#mapping.of(key)?.type ?? facts?.type ?? ('TEXT' satisfies ColumnType),
    ]);
  }

  /** Whether the created table has the columns and types of all rows so far. */
  get fits(): boolean {
    const { types } = this;
    const made = new Map(this.#made);
    return types.length <= made.size && types.every(([key, type]) => made.get(key) === type);
  }

  get notes(): ColumnNotes {
    const columns = this.#made.map(([key, type], at) => {
      const name = this.#names[at]!;
      return { name, type, ...(name !== key && { from: key }) };
    });
    const kept = this.#each((facts, column) => {
      const { textCause } = facts;
      const [line, value] = [textCause?.cell.line, textCause?.cell.value.slice(0, MOST_CHARACTERS)];
      return textCause === undefined ? undefined : { column, line: line!, value: value!, ask: textCause.ask };
    });
    const zeros = this.#each(({ lostDecimals: decimals }, column) =>
      decimals === undefined ? undefined : { column, decimals },
    );
    const renamed = columns.filter(({ from }) => from !== undefined && this.#mapping.of(from)?.name === from);
    return {
      columns,
      ...(renamed.length > 0 && { renamed: renamed.map(({ from, name }) => ({ from: from!, to: name })) }), // `from` is defined for these
      ...(kept.length > 0 && { kept_as_text: kept }),
      ...(zeros.length > 0 && { zeros_dropped: zeros }),
    };
  }

  #each<T>(noteOf: (facts: TextFacts | JsonFacts, column: string) => T | undefined): T[] {
    return this.#made.flatMap(([key], at) => {
      const facts = this.#facts.get(key);
      const note = facts && noteOf(facts, this.#names[at]!);
      return note === undefined ? [] : [note];
    });
  }

  #factsOf(key: string): TextFacts | JsonFacts | undefined {
    const known = this.#facts.get(key);
    if (known !== undefined || this.#facts.has(key)) return known;
    const column = this.#mapping.of(key);
    if (column === undefined) return undefined;
    if (this.#facts.size === MOST_COLUMNS)
      throw new LaneError(`the rows have more than ${MOST_COLUMNS} names, the most columns of a table`, {
        code: 'malformed',
        hint: 'name the columns to import in columns',
      });
    const facts = column.type !== undefined ? undefined : this.#isText ? new TextFacts() : new JsonFacts();
    this.#facts.set(key, facts);
    return facts;
  }
}

const MOST_CHARACTERS = 60;
