import { lineOf } from './lines.ts';
import { JsonRows, TextBuffer } from './text-buffer.ts';

/** The limits of a page; the first row is always included. */
export interface PageLimits {
  readonly rows: number;
  /** most bytes of the rows as JSON */
  readonly bytes: number;
  /** most bytes of the lines within a JSON string */
  readonly lineBytes: number;
  /** bytes after which lines end while rows continue; undefined if both halves must have the same rows */
  readonly shortLineBytes?: number | undefined;
}

/** Rows as JSON text, one after the other. */
export interface RowFeed {
  next(): string | undefined;
  /** returns many rows at once within these limits; undefined if rows have to be read one by one */
  many?(mostRows: number, mostCharacters: number): ManyRows | undefined;
  /** whether rows have keys */
  readonly isByKey: boolean;
  /** key of the last row */
  readonly key: string | undefined;
  /** key of the row before the last one */
  readonly keyBefore: string | undefined;
}

/** Rows as JSON texts joined by commas. */
export interface ManyRows {
  readonly text: string;
  readonly rows: number;
}

/** The end of a page: its number of rows and the key of the last one. */
export interface PageEnd {
  readonly rows: number;
  readonly key: string | undefined;
}

export interface Page extends PageEnd {
  /** a JSON array */
  readonly json: Buffer;
  readonly lines: Buffer;
  /** the end of the rows in the lines */
  readonly linesEnd: PageEnd;
  /** the first row that did not fit; undefined at the end */
  readonly overflow: string | undefined;
  /** rows without a line */
  readonly withoutLine: readonly string[];
}

/** Bytes up to which the lines contain all rows of a page. */
export const USUAL_BYTES = 102_400;

/** Reads a page: as many rows as fit. */
export function takePage(feed: RowFeed, limits: PageLimits): Page {
  const json = new JsonRows();
  const lines = new Lines(limits);
  let rows = 0;
  let overflow: string | undefined;
  let keyOfLines: string | undefined;
  // collected for spooling
  const withoutLine: string[] = [];
  for (let row = feed.next(); row !== undefined; row = feed.next()) {
    const fits = rows === 0 || (rows < limits.rows && json.takes(row, limits.bytes));
    if (!fits || !lines.take(row, rows, json.leastBytes)) {
      overflow = row;
      break;
    }
    json.add(row);
    if (lines.visibleRows === rows) keyOfLines = feed.keyBefore;
    if (lines.visibleRows !== undefined && !feed.isByKey) withoutLine.push(row);
    rows += 1;
    if (lines.visibleRows === undefined || !feed.isByKey || json.leastBytes <= USUAL_BYTES) continue;
    // the following rows get no line
    for (;;) {
      const many = feed.many?.(limits.rows - rows, json.roomFor(limits.bytes));
      if (many === undefined) break;
      json.add(many.text);
      rows += many.rows;
    }
  }
  const end: PageEnd = { rows, key: overflow === undefined ? feed.key : feed.keyBefore };
  const both = { ...end, json: json.toBuffer(), overflow };
  if (lines.visibleRows === undefined || both.json.length <= USUAL_BYTES)
    return { ...both, lines: lines.whole(), linesEnd: end, withoutLine: [] };
  const linesEnd: PageEnd = { rows: lines.visibleRows, key: keyOfLines };
  return { ...both, lines: lines.begun(), linesEnd, withoutLine };
}

/** The lines of a page, of which a long page shows only the first. */
class Lines {
  readonly #limits: PageLimits;
  readonly #text = new TextBuffer();
  /** rows that get a line if the page stays short */
  #later: string[] = [];
  /** number of rows with a line in a long page; undefined while all rows have one */
  visibleRows: number | undefined;

  constructor(limits: PageLimits) {
    this.#limits = limits;
  }

  /** Adds a row after `rows` rows of at least `bytesBefore` bytes; returns whether it fits. */
  take(row: string, rows: number, bytesBefore: number): boolean {
    const { lineBytes, shortLineBytes } = this.#limits;
    if (this.visibleRows !== undefined) {
      if (bytesBefore <= USUAL_BYTES) this.#later.push(row);
      return true;
    }
    const line = lineOf(row);
    const bytes = bytesInJson(line) + LINE_END_BYTES;
    const total = this.#text.bytes + bytes;
    if (rows > 0 && total > (shortLineBytes ?? lineBytes)) {
      if (shortLineBytes === undefined) return false;
      this.visibleRows = rows;
      this.#later.push(row);
      return true;
    }
    this.#text.add(`${line}\n`, bytes);
    return true;
  }

  /** Returns the lines of a long page. */
  begun(): Buffer {
    return this.#text.toBuffer();
  }

  /** Returns the lines of a short page. */
  whole(): Buffer {
    for (const row of this.#later) this.#text.add(`${lineOf(row)}\n`, 0);
    return this.#text.toBuffer();
  }
}

/** Bytes of a line end in JSON. */
const LINE_END_BYTES = 2;
/** Matches text that JSON strings contain unescaped. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** Returns the bytes of a text within a JSON string. */
function bytesInJson(text: string): number {
  return PLAIN.test(text) ? text.length : Buffer.byteLength(JSON.stringify(text)) - 2;
}
