import type { Writable } from 'node:stream';
import type { JsonText } from '../jsonrpc/message.ts';

const FIRST_BYTES = 16 * 1024;
const MOST_BYTES = 256 * 1024;
/** The size in bytes above which a piece is not copied; copying it would cost more than a write. */
const LARGE_BYTES = 16 * 1024;
/** The length above which text is encoded, so that the buffer stays small. */
const MOST_UNITS = 4 * 1024;
/** The maximum number of UTF-8 bytes per UTF-16 code unit. */
const BYTES_PER_UNIT = 3;

/** Writes messages, one per line, with as few writes as their sizes allow. */
export class Outbox {
  readonly #output: Writable;
  readonly #copies: boolean;
  #buffer: Buffer | undefined;
  #filled = 0;
  #open = false;
  /** messages after those in the buffer: one long text is encoded faster than many short ones */
  #text = '';

  /** `copies`: the output has copied all written data when its buffer is empty, as pipes and sockets do. */
  constructor(output: Writable, copies: boolean) {
    this.#output = output;
    this.#copies = copies;
  }

  /** Combines the messages of `work` into one write. */
  together(work: () => void): void {
    this.#open = true;
    try {
      work();
    } finally {
      this.#open = false;
      this.#flush();
    }
  }

  /** Adds one message; it is written now, or combined with others. */
  add(text: JsonText): void {
    if (this.#output.destroyed) return;
    if (typeof text === 'string') {
      if (!this.#open) {
        this.#output.write(`${text}\n`);
        return;
      }
      this.#text += `${text}\n`;
      if (this.#text.length >= MOST_UNITS) this.#encode();
    } else {
      this.#encode();
      for (const piece of text.slice(0, -1)) this.#addPiece(piece);
      const last = text.at(-1);
      if (typeof last === 'string') this.#addString(`${last}\n`);
      else {
        if (last !== undefined) this.#addPiece(last);
        this.#addString('\n');
      }
    }
    if (!this.#open) this.#flush();
  }

  #encode(): void {
    const text = this.#text;
    this.#text = '';
    if (text !== '') this.#addString(text);
  }

  #addPiece(piece: string | Uint8Array): void {
    if (typeof piece === 'string') this.#addString(piece);
    else if (piece.length >= LARGE_BYTES) {
      this.#flush();
      this.#output.write(piece);
    } else {
      const buffer = this.#roomFor(piece.length);
      buffer.set(piece, this.#filled);
      this.#filled += piece.length;
    }
  }

  #addString(text: string): void {
    const most = text.length * BYTES_PER_UNIT;
    if (most > MOST_BYTES) {
      this.#flush();
      this.#output.write(text);
      return;
    }
    const buffer = this.#roomFor(most);
    this.#filled += buffer.write(text, this.#filled);
  }

  /** Returns the buffer with so many free bytes. */
  #roomFor(bytes: number): Buffer {
    const needed = this.#filled + bytes;
    if (this.#buffer !== undefined && needed <= this.#buffer.length) return this.#buffer;
    if (needed > MOST_BYTES) this.#flush();
    const held = this.#buffer;
    const size = Math.max(FIRST_BYTES, Math.min(MOST_BYTES, 2 ** Math.ceil(Math.log2(this.#filled + bytes))));
    if (held !== undefined && size <= held.length) return held;
    this.#buffer = Buffer.allocUnsafeSlow(size);
    held?.copy(this.#buffer, 0, 0, this.#filled);
    return this.#buffer;
  }

  #flush(): void {
    this.#encode();
    if (this.#buffer === undefined || this.#filled === 0) return;
    this.#output.write(this.#buffer.subarray(0, this.#filled));
    this.#filled = 0;
    // data that the system has not accepted yet must not be overwritten
    if (!this.#copies || this.#output.writableLength > 0) this.#buffer = undefined;
  }
}
