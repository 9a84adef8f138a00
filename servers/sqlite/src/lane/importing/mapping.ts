import { LaneError } from '../../shared/error.ts';
import type { ImportPlan } from '../../shared/import-plan.ts';
import { foldName, sameName } from '../../shared/sql/names.ts';
import { type Header, inHeader, list, notInFile, type RequestedColumn, requestedColumns } from './columns.ts';
import type { ColumnNotes } from './result.ts';
import type { Row } from './rows.ts';
import type { Target } from './target.ts';

/** Most names of columns that are not imported. */
const MOST_LEFT_OUT = 50;

type Naming = Pick<ImportPlan, 'columns' | 'create' | 'header'>;

/** Maps columns of the file to columns of the table, by the names that the caller gave or by equal names. */
export class Mapping {
  readonly #target: Target | undefined;
  #wanted: ReadonlyMap<string, RequestedColumn> | undefined;
  #header: Header | undefined;
  readonly #missing: Set<string>;
  readonly #leftOut = new Set<string>();
  /** whether the file has a header */
  readonly #isNamed: boolean;
  #lastKeys: readonly string[] | undefined;
  #rows = 0;

  /** `target` is the existing table, undefined if it is to be created */
  constructor({ columns, create, header }: Naming, target: Target | undefined) {
    this.#target = target;
    this.#isNamed = header;
    this.#wanted = columns && requestedColumns(columns, create);
    this.#missing = new Set(this.#wanted?.keys());
    if (this.#wanted !== undefined) this.#assertTaken([...this.#wanted.values()].map(({ name }) => name));
  }

  /** Sets the header of a file that has one; called before its rows. */
  set header(header: Header) {
    this.#header = header;
    if (this.#wanted !== undefined) {
      this.#wanted = inHeader(this.#wanted, header);
      for (const name of header.names) if (!this.#wanted.has(name)) this.#leftOut.add(name);
    } else if (this.#isNamed) this.#assertTaken(header.names);
    this.#missing.clear();
  }

  /** Notes the names of a row of a file without header. */
  observe({ keys, values, problem }: Row): void {
    if (problem === undefined) this.#rows += 1;
    if (this.#header !== undefined || this.#wanted === undefined || problem !== undefined) return;
    if (keys !== undefined && keys === this.#lastKeys) return;
    this.#lastKeys = keys;
    for (const key of keys ?? values.map((_, at) => `column_${at + 1}`)) {
      this.#missing.delete(key);
      if (!this.#wanted.has(key) && this.#leftOut.size < MOST_LEFT_OUT) this.#leftOut.add(key);
    }
  }

  /** Throws if `columns` names a column that no row has. */
  assertAllFound(): void {
    if (this.#missing.size > 0 && this.#rows > 0)
      throw notInFile(
        [...this.#missing],
        [...this.#wanted!.keys(), ...this.#leftOut].filter((key) => !this.#missing.has(key)),
      ); // missing names are among the requested ones
  }

  /** Returns the column for a column of the file; undefined if it is not imported. */
  of(key: string): RequestedColumn | undefined {
    return this.#wanted === undefined ? { name: key } : this.#wanted.get(key);
  }

  /** Whether values without names go to the table's columns in order. */
  get isByOrder(): boolean {
    return this.#wanted === undefined;
  }

  /** column names known before the first row: those of the header, or those that the caller named */
  get known(): readonly string[] {
    if (this.#header !== undefined) return this.#header.names;
    return this.#rows === 0 ? [...(this.#wanted?.keys() ?? [])] : [];
  }

  get notes(): ColumnNotes {
    const renamed = this.#header?.renamed ?? [];
    return {
      ...(renamed.length > 0 && { renamed: [...renamed] }),
      ...(this.#leftOut.size > 0 && { not_imported: [...this.#leftOut] }),
    };
  }

  #assertTaken(names: readonly string[]): void {
    if (this.#target === undefined) return;
    const { table, columns } = this.#target;
    const taken = new Set(columns.map(({ name }) => foldName(name)));
    const missing = names.filter((name) => !taken.has(foldName(name)));
    if (missing.length === 0) return;
    const renamed = (this.#header?.renamed ?? []).filter(({ to }) =>
      missing.some((name) => sameName(name, to)),
    );
    const because = renamed.map(
      ({ from, to }) => `${to} was renamed from ${JSON.stringify(from)} in the header; `,
    );
    throw new LaneError(`${table} has no column ${list(missing)} that takes values`, {
      code: 'no-such-column',
      hint: `${because.join('')}it has ${list(columns.map(({ name }) => name))}; set columns to {column of the file: column of the table}; others are not imported`,
    });
  }
}
