import { lineOf } from './lines.ts';
import { JsonRows, TextBuffer } from './text-buffer.ts';

/** Most of what one page holds, and its first row in any case. */
export interface PageLimits {
  readonly rows: number;
  /** of the rows as JSON text */
  readonly bytes: number;
  /** of the rows as lines within a JSON string */
  readonly lineBytes: number;
  /** lines end where this is over, without the rows ending there; undefined where both halves are to show the same */
  readonly shortLineBytes?: number | undefined;
}

/** Rows as JSON text, one after the other. */
export interface RowFeed {
  next(): string | undefined;
  /** many rows at once, where there are no more of them and of their characters; else they come one by one */
  many?(mostRows: number, mostCharacters: number): ManyRows | undefined;
  /** whether rows have keys */
  readonly isByKey: boolean;
  /** the key of the row that came last */
  readonly key: string | undefined;
  /** the key of the row that came before that one */
  readonly keyBefore: string | undefined;
}

/** Rows as JSON text with commas between. */
export interface ManyRows {
  readonly text: string;
  readonly rows: number;
}

/** Rows, and the key of the last of them. */
export interface PageEnd {
  readonly rows: number;
  readonly key: string | undefined;
}

export interface Page extends PageEnd {
  /** a JSON array */
  readonly json: Buffer;
  readonly lines: Buffer;
  /** what the lines show of it */
  readonly linesEnd: PageEnd;
  /** the row that did not fit any more; undefined at the end */
  readonly overflow: string | undefined;
  /** the rows that the lines do not show */
  readonly withoutLine: readonly string[];
}

/** Rows of a usual page take no more: of longer ones the lines show the beginning. */
export const USUAL_BYTES = 102_400;

/** Rows from here on, as many as fit. */
export function takePage(feed: RowFeed, limits: PageLimits): Page {
  const json = new JsonRows();
  const lines = new Lines(limits);
  let rows = 0;
  let overflow: string | undefined;
  let keyOfLines: string | undefined;
  // of those that can turn out to be
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
    // no line is made of what comes now
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

/** The lines of a page, which may turn out to be more than are to be shown. */
class Lines {
  readonly #limits: PageLimits;
  readonly #text = new TextBuffer();
  /** rows whose lines are made when the page stays short */
  #later: string[] = [];
  /** how many rows are shown when the page becomes long; undefined while all are */
  visibleRows: number | undefined;

  constructor(limits: PageLimits) {
    this.#limits = limits;
  }

  /** Whether the page may have this row, before which it has so many, of so many bytes at least. */
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

  /** The lines that are shown of a long page. */
  begun(): Buffer {
    return this.#text.toBuffer();
  }

  /** All lines of a short page. */
  whole(): Buffer {
    for (const row of this.#later) this.#text.add(`${lineOf(row)}\n`, 0);
    return this.#text.toBuffer();
  }
}

/** The line end as JSON has it. */
const LINE_END_BYTES = 2;
/** What stands in a JSON string as it is. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** Bytes of a text within a JSON string. */
function bytesInJson(text: string): number {
  return PLAIN.test(text) ? text.length : Buffer.byteLength(JSON.stringify(text)) - 2;
}
