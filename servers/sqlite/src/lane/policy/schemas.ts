import type { Connection } from '../connection.ts';
import { readContents, type SchemaContents, schemasOf } from './schema-contents.ts';
import type { VirtualTable } from './virtual.ts';

/** Resolves tables by schema number and root page. */
export class Schemas {
  readonly #connection: Connection;
  readonly main: SchemaContents;
  readonly #others = new Map<string, SchemaContents>();
  #names: ReadonlyMap<number, string> | undefined;

  constructor(connection: Connection, main: SchemaContents) {
    this.#connection = connection;
    this.main = main;
  }

  /** whether a schema other than main was resolved */
  get usedOthers(): boolean {
    return this.#names !== undefined;
  }

  name(number: number): string {
    if (number === 0) return 'main';
    this.#names ??= schemasOf(this.#connection);
    return this.#names.get(number) ?? String(number);
  }

  table(number: number, page: number): string {
    if (number === 0) return this.main.tableAt.get(page) ?? `page ${page}`;
    const schema = this.name(number);
    return `${schema}.${this.#holdings(schema).tableAt.get(page) ?? `page ${page}`}`;
  }

  /** Returns the virtual tables of main and of the attached schemas that the statement uses. */
  virtual(): VirtualTable[] {
    const own = this.main.virtual.map((table) => ({ schema: 'main', table }));
    const attached = [...(this.#names?.values() ?? [])].filter(
      (schema) => schema !== 'main' && schema !== 'temp',
    );
    return own.concat(
      attached.flatMap((schema) => this.#holdings(schema).virtual.map((table) => ({ schema, table }))),
    );
  }

  #holdings(schema: string): SchemaContents {
    let holdings = this.#others.get(schema);
    if (holdings === undefined) {
      holdings = readContents(this.#connection, schema);
      this.#others.set(schema, holdings);
    }
    return holdings;
  }
}
