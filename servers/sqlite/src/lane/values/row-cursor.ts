import { cellOf } from '../../shared/values/lines.ts';
import type { ManyRows, RowFeed } from '../../shared/values/page.ts';
import type { ResultColumn } from '../../shared/values/result-column.ts';
import type { Connection } from '../connection.ts';
import type { Cell } from '../formats/cells.ts';
import type { Bindings } from './bind.ts';
import { cellText, cutBlobText, cutText, sizedCell } from './cells.ts';
import { manyRows, REPLACEMENT, type RowOrigin, type RowStatements } from './row-statements.ts';

export interface RowLimits {
  /** longer text and blobs are cut */
  readonly cellBytes: number;
  /** in a longer row all of them are cut further */
  readonly rowBytes: number;
  /** where the rows behind a key are read from; without it rows come one by one */
  readonly afterKey?: (key: string) => RowOrigin;
}

/**
 * The rows of a query as JSON text, one after the other. SQLite writes them as long as they are plain; the first that
 * is not has the query begin again, value by value, at the row where it was: the caller holds a transaction open.
 */
export class RowCursor implements RowFeed {
  readonly #connection: Connection;
  #statements: RowStatements;
  #bindings: Bindings;
  readonly #limits: RowLimits;
  #rows: IterableIterator<unknown> | undefined;
  #isPlain: boolean;
  /** the last row and the one before, or their keys where these are columns of their own */
  #last: string | undefined;
  #before: string | undefined;
  #given = 0;
  #behind: RowLimits['afterKey'];

  constructor(connection: Connection, statements: RowStatements, bindings: Bindings, limits: RowLimits) {
    this.#connection = connection;
    this.#statements = statements;
    this.#bindings = bindings;
    this.#limits = limits;
    this.#isPlain = statements.plain !== undefined;
    this.#behind = limits.afterKey;
  }

  get columns(): readonly ResultColumn[] {
    return this.#statements.columns;
  }

  /** Whether rows have keys. */
  get isByKey(): boolean {
    return this.#statements.keys > 0 || this.#statements.keyAt !== undefined;
  }

  /** The key of the row that came last, as a JSON array. */
  get key(): string | undefined {
    return this.#keyOf(this.#last);
  }

  /** The key of the row that came before that one. */
  get keyBefore(): string | undefined {
    return this.#keyOf(this.#before);
  }

  #keyOf(text: string | undefined): string | undefined {
    const { keyAt } = this.#statements;
    return text === undefined || keyAt === undefined ? text : `[${cellOf(text, keyAt)}]`;
  }

  /** The next row, or undefined behind the last one. */
  next(): string | undefined {
    const row = this.#isPlain ? this.#nextPlain() : this.#nextExact();
    if (row !== undefined && this.#statements.keyAt !== undefined) {
      this.#before = this.#last;
      this.#last = row;
    }
    return row;
  }

  /** Many rows at once, as long as they are plain and short. */
  many(mostRows: number, mostCharacters: number): ManyRows | undefined {
    const { key } = this;
    if (this.#behind === undefined || !this.#isPlain || key === undefined) return undefined;
    const origin = this.#behind(key);
    const found = manyRows(this.#connection, origin, this.#limits.cellBytes);
    if (found === undefined || found.rows > mostRows || found.text.length > mostCharacters) {
      this.#behind = undefined;
      return undefined;
    }
    this.close();
    this.#last = found.last;
    this.#statements = origin.statements;
    this.#bindings = this.#behind(this.key!).bindings;
    this.#rows = undefined;
    this.#given = 0;
    return found;
  }

  #setKey(key: string): void {
    this.#before = this.#last;
    this.#last = key;
  }

  close(): void {
    this.#rows?.return?.();
  }

  #begin(): IterableIterator<unknown> {
    const { plain, sql } = this.#statements;
    if (this.#isPlain)
      return this.#connection
        .prepare(plain!)
        .pluck()
        .iterate(...this.#bindings);
    return this.#connection
      .prepare(this.#statements.exact ?? sql)
      .raw()
      .safeIntegers()
      .iterate(...this.#bindings);
  }

  #nextPlain(): string | undefined {
    let row: string | null | undefined;
    try {
      this.#rows ??= this.#begin();
      row = this.#rows.next().value as string | null | undefined; // what the plain statement selects
    } catch (error) {
      // what is wrong shows again below, where it does not come of the JSON
      if (!(error instanceof Error && 'code' in error)) throw error;
      row = null;
    }
    if (row === undefined) return undefined;
    if (row === null || row.length > this.#limits.cellBytes || row.includes(REPLACEMENT))
      return this.#fallBack();
    this.#given += 1;
    if (this.#statements.keys === 0) return row;
    // JSON text has no line feed of its own
    const end = row.lastIndexOf('\n');
    this.#setKey(row.slice(end + 1));
    return row.slice(0, end);
  }

  #fallBack(): string | undefined {
    this.close();
    this.#statements.plain = undefined;
    this.#isPlain = false;
    this.#rows = this.#begin();
    for (let skipped = 0; skipped < this.#given; skipped += 1) this.#rows.next();
    return this.#nextExact();
  }

  #nextExact(): string | undefined {
    this.#rows ??= this.#begin();
    const { value, done } = this.#rows.next() as IteratorResult<Cell[]>;
    if (done === true) return undefined;
    this.#given += 1;
    const { exact, keys } = this.#statements;
    if (exact === undefined) return `[${value.map((cell) => this.#whole(cell)).join(',')}]`;
    if (keys > 0) this.#setKey(`[${value.slice(-keys).map(cellText).join(',')}]`);
    return this.#fitted(value);
  }

  /** The text of a row, its values cut further until it is as short as a row has to be. */
  #fitted(values: readonly Cell[]): string {
    const { columns } = this.#statements;
    let { cellBytes } = this.#limits;
    for (;;) {
      let text = '[';
      for (let at = 0; at < columns.length; at += 1) {
        if (at > 0) text += ',';
        text += sizedCell(values[2 * at]!, values[2 * at + 1]!, cellBytes);
      }
      text += ']';
      const bytes = Buffer.byteLength(text);
      if (bytes <= this.#limits.rowBytes || cellBytes <= LEAST_CELL) return text;
      cellBytes = Math.max(LEAST_CELL, Math.min(cellBytes / 2, this.#limits.rowBytes / columns.length) | 0);
    }
  }

  /** A value of a statement that SQLite cuts nothing of. */
  #whole(value: Cell): string {
    const { cellBytes } = this.#limits;
    if (typeof value === 'string' && value.length > cellBytes)
      return cutText(value.slice(0, cellBytes), Buffer.byteLength(value));
    if (Buffer.isBuffer(value) && value.length > cellBytes)
      return cutBlobText(value.subarray(0, cellBytes), value.length);
    return cellText(value);
  }
}

/** Values are cut to no fewer bytes. */
const LEAST_CELL = 16;
