import { codeOf } from '../../shared/error.ts';
import { cellOf } from '../../shared/values/lines.ts';
import type { ManyRows, RowFeed } from '../../shared/values/page.ts';
import type { ResultColumn } from '../../shared/values/result-column.ts';
import type { Connection } from '../connection.ts';
import type { Cell } from '../formats/cells.ts';
import type { Bindings } from './bind.ts';
import { cellText, cutBlobText, cutText, sizedCell } from './cells.ts';
import { manyRows, REPLACEMENT, type RowOrigin, type RowStatements } from './row-statements.ts';

export interface RowLimits {
  /** longer text and blobs are truncated */
  readonly cellBytes: number;
  /** in a longer row all values are truncated further */
  readonly rowBytes: number;
  /** returns the statements for the rows after a key; without it rows are read one by one */
  readonly afterKey?: (key: string) => RowOrigin;
}

/**
 * The rows of a query as JSON texts. SQLite writes them while they are plain; at the first other row the query restarts
 * at that row and reads value by value, so the caller holds a transaction open.
 */
export class RowCursor implements RowFeed {
  readonly #connection: Connection;
  #statements: RowStatements;
  #bindings: Bindings;
  readonly #limits: RowLimits;
  #rows: IterableIterator<unknown> | undefined;
  #isPlain: boolean;
  /** the last row and the one before, or their keys if these are columns of their own */
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

  /** The key of the last row, as a JSON array. */
  get key(): string | undefined {
    return this.#keyOf(this.#last);
  }

  /** The key of the row before the last one. */
  get keyBefore(): string | undefined {
    return this.#keyOf(this.#before);
  }

  #keyOf(text: string | undefined): string | undefined {
    const { keyAt } = this.#statements;
    return text === undefined || keyAt === undefined ? text : `[${cellOf(text, keyAt)}]`;
  }

  /** Returns the next row; undefined at the end. */
  next(): string | undefined {
    const row = this.#isPlain ? this.#nextPlain() : this.#nextExact();
    if (row !== undefined && this.#statements.keyAt !== undefined) {
      this.#before = this.#last;
      this.#last = row;
    }
    return row;
  }

  /** Returns many rows at once; undefined if one is not plain or is long. */
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
      row = this.#rows.next().value as string | null | undefined; // the column of the plain statement
    } catch (error) {
      // an error that is not caused by the JSON is thrown again below
      if (codeOf(error) === undefined) throw error;
      row = null;
    }
    if (row === undefined) return undefined;
    if (row === null || row.length > this.#limits.cellBytes || row.includes(REPLACEMENT))
      return this.#fallBack();
    this.#given += 1;
    if (this.#statements.keys === 0) return row;
    // JSON text contains no line feed
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
    const { value, done } = this.#rows.next() as IteratorResult<Cell[]>; // raw() returns arrays
    if (done === true) return undefined;
    this.#given += 1;
    const { exact, keys } = this.#statements;
    if (exact === undefined) return `[${value.map((cell) => this.#whole(cell)).join(',')}]`;
    if (keys > 0) this.#setKey(`[${value.slice(-keys).map(cellText).join(',')}]`);
    return this.#fitted(value);
  }

  /** Returns the text of a row, its values truncated until the row fits. */
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

  /** Returns the text of a value that the SQL has not cut. */
  #whole(value: Cell): string {
    const { cellBytes } = this.#limits;
    if (typeof value === 'string' && value.length > cellBytes)
      return cutText(value.slice(0, cellBytes), Buffer.byteLength(value));
    if (Buffer.isBuffer(value) && value.length > cellBytes)
      return cutBlobText(value.subarray(0, cellBytes), value.length);
    return cellText(value);
  }
}

/** Least bytes to which values are truncated. */
const LEAST_CELL = 16;
