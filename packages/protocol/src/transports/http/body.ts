import { isUtf8 } from 'node:buffer';
import { ChunkBuffer } from '../../jsonrpc/chunk-buffer.ts';
import { BodyError } from './exchange.ts';

/** Collects the bytes of a body: a body of one chunk is not copied, and many small chunks use little memory. */
export class BodyBytes {
  #first: Buffer | undefined;
  #rest: ChunkBuffer | undefined;

  add(chunk: Buffer): void {
    if (this.#rest !== undefined) this.#rest.add(chunk);
    else if (this.#first === undefined) this.#first = chunk;
    else {
      this.#rest = new ChunkBuffer();
      this.#rest.add(this.#first);
      this.#rest.add(chunk);
      this.#first = undefined;
    }
  }

  /** Returns all bytes as one buffer, and empties this one. */
  take(): Buffer {
    const whole = this.#rest?.take() ?? this.#first ?? Buffer.alloc(0);
    this.clear();
    return whole;
  }

  clear(): void {
    this.#first = undefined;
    this.#rest = undefined;
  }
}

/** Returns a body as text, or the error if it is not UTF-8. */
export function decodeBody(whole: Buffer): string | BodyError {
  const text = whole.toString('utf8');
  if (text.includes('\ufffd') && !isUtf8(whole)) return new BodyError(400, 'the body is not valid UTF-8');
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
}

const BYTE_ORDER_MARK = 0xfeff;

export function tooLong(limit: number): BodyError {
  return new BodyError(413, `the body is longer than the limit of ${limit} bytes`);
}
