const NEWLINE = 10;

/** The requested lines, and the byte offset in the text as UTF-8 where reading begins. */
export interface Wanted {
  readonly offset: number;
  /** the number of the line that contains `offset` */
  readonly line: number;
  readonly first: number;
  readonly last: number;
}

/** Takes the requested lines out of text that comes in chunks, and one more than fits. */
export class LineWindow {
  readonly #wanted: Wanted;
  readonly #most: number;
  readonly #parts: Buffer[] = [];
  #skip: number;
  #line: number;
  #kept = 0;
  /** the start of the first part */
  start: number;
  /** the last requested line has come, or more than fits */
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

  /** Returns the requested bytes, with more than fits when they go on. */
  get bytes(): Buffer {
    return this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts);
  }
}

/** Returns how many lines a text has; a last line without a newline counts. */
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
