const CHUNK_CHARACTERS = 32_768;

/** Text that grows by small pieces and becomes bytes by large ones. */
export class TextBuffer {
  readonly #chunks: Buffer[] = [];
  #text = '';
  /** bytes as told by those who added */
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

/** UTF-8 takes at most three bytes for each unit of a string. */
const BYTES_PER_UNIT = 3;
const CLOSING_BYTES = 1;

/** Rows that become a JSON array; how many bytes they take is counted only where that decides. */
export class JsonRows {
  readonly #chunks: Buffer[] = [];
  #pending: string[] = [];
  #units = 0;
  #written = 0;

  /** Bytes of the array, or fewer. */
  get leastBytes(): number {
    return this.#written + this.#units + CLOSING_BYTES;
  }

  /** Whether the array takes no more bytes with this row. */
  takes(row: string, most: number): boolean {
    const units = this.#units + row.length + 1;
    if (this.#written + units * BYTES_PER_UNIT + CLOSING_BYTES <= most) return true;
    this.#flush();
    return this.#written + Buffer.byteLength(row) + 1 + CLOSING_BYTES <= most;
  }

  /** Characters that fit in any case. */
  roomFor(most: number): number {
    return Math.floor((most - CLOSING_BYTES - this.#written) / BYTES_PER_UNIT) - this.#units - 1;
  }

  /** Adds a row, or several with commas between. */
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
