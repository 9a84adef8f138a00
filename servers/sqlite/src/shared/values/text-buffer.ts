const CHUNK_CHARACTERS = 32_768;

/** A buffer of text that is appended in small pieces and encoded in large ones. */
export class TextBuffer {
  readonly #chunks: Buffer[] = [];
  #text = '';
  /** bytes as counted by the callers of `add` */
  bytes = 0;

  add(text: string, bytes: number): void {
    this.#text += text;
    this.bytes += bytes;
    if (this.#text.length > CHUNK_CHARACTERS) this.#flush();
  }

  toBuffer(): Buffer {
    this.#flush();
    return this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
  }

  #flush(): void {
    if (this.#text === '') return;
    this.#chunks.push(Buffer.from(this.#text));
    this.#text = '';
  }
}

/** Most bytes of UTF-8 per UTF-16 unit. */
const BYTES_PER_UNIT = 3;
const CLOSING_BYTES = 1;

/** A JSON array of rows; its bytes are counted only when needed. */
export class JsonRows {
  readonly #chunks: Buffer[] = [];
  #pending: string[] = [];
  #units = 0;
  #written = 0;

  /** A lower bound of the array's bytes. */
  get leastBytes(): number {
    return this.#written + this.#units + CLOSING_BYTES;
  }

  /** Returns whether the array with this row fits in `most` bytes. */
  takes(row: string, most: number): boolean {
    const units = this.#units + row.length + 1;
    if (this.#written + units * BYTES_PER_UNIT + CLOSING_BYTES <= most) return true;
    this.#flush();
    return this.#written + Buffer.byteLength(row) + 1 + CLOSING_BYTES <= most;
  }

  /** Returns the number of characters that fit whatever their encoding. */
  roomFor(most: number): number {
    return Math.floor((most - CLOSING_BYTES - this.#written) / BYTES_PER_UNIT) - this.#units - 1;
  }

  /** Adds a row, or several joined by commas. */
  add(row: string): void {
    this.#pending.push(row);
    this.#units += row.length + 1;
    if (this.#units > CHUNK_CHARACTERS) this.#flush();
  }

  toBuffer(): Buffer {
    this.#flush();
    const [first, ...more] = this.#chunks;
    if (first === undefined) return Buffer.from('[]');
    return Buffer.concat([first, ...more, CLOSING]);
  }

  #flush(): void {
    if (this.#pending.length === 0) return;
    const bytes = Buffer.from(`${this.#chunks.length === 0 ? '[' : ','}${this.#pending.join(',')}`);
    this.#chunks.push(bytes);
    this.#written += bytes.length;
    this.#units = 0;
    this.#pending = [];
  }
}

const CLOSING = Buffer.from(']');
