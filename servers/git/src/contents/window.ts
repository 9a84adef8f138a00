const NEWLINE = 10;

/** Which lines are wanted, and where in the text, as UTF-8, reading begins. */
export interface Wanted {
  readonly offset: number;
  /** the number of the line that `offset` is in */
  readonly line: number;
  readonly first: number;
  readonly last: number;
}

/** Takes the wanted lines out of text that comes in chunks, and no more than fit. */
export class LineWindow {
  readonly #wanted: Wanted;
  readonly #most: number;
  readonly #parts: Buffer[] = [];
  #skip: number;
  #line: number;
  #kept = 0;
  /** where the first part begins */
  start: number;
  /** the last wanted line has come, or more than fits */
  full = false;

  constructor(wanted: Wanted, most: number) {
    this.#wanted = wanted;
    this.#most = most;
    this.#skip = wanted.offset;
    this.#line = wanted.line;
    this.start = wanted.offset;
  }

  add(chunk: Buffer): void {
    const skipped = Math.min(this.#skip, chunk.length);
    this.#skip -= skipped;
    let at = skipped;
    while (at < chunk.length && !this.full && this.#line < this.#wanted.first) {
      const end = chunk.indexOf(NEWLINE, at) + 1 || chunk.length;
      if (chunk[end - 1] === NEWLINE) this.#line += 1;
      this.start += end - at;
      at = end;
    }
    const from = at;
    while (at < chunk.length && !this.full) {
      const end = chunk.indexOf(NEWLINE, at) + 1 || chunk.length;
      if (chunk[end - 1] === NEWLINE) this.#line += 1;
      this.#kept += end - at;
      at = end;
      this.full = this.#line > this.#wanted.last || this.#kept > this.#most;
    }
    if (at > from) this.#parts.push(chunk.subarray(from, at));
  }

  /** The wanted bytes, more than fit when they go on. */
  get bytes(): Buffer {
    return this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts);
  }
}

/** How many lines text has: one without an end counts, too. */
export class LineCount {
  #ends = 0;
  #open = false;

  add(chunk: Buffer): void {
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) this.#ends += 1;
    if (chunk.length > 0) this.#open = chunk.at(-1) !== NEWLINE;
  }

  get lines(): number {
    return this.#ends + (this.#open ? 1 : 0);
  }
}
