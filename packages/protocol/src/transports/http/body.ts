import { isUtf8 } from 'node:buffer';
import { ChunkBuffer } from '../../jsonrpc/chunk-buffer.ts';
import { BodyError } from './exchange.ts';

/** The bytes of a body as they come: a body of one chunk is that chunk, many small ones cost about what they weigh. */
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

  /** Gives all of them as one, and holds nothing any more. */
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

/** A body as text, or what is wrong with it. */
export function decodeBody(whole: Buffer): string | BodyError {
  const text = whole.toString('utf8');
  if (text.includes('\ufffd') && !isUtf8(whole)) return new BodyError(400, 'the body is not valid UTF-8');
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
}

const BYTE_ORDER_MARK = 0xfeff;

export function tooLong(limit: number): BodyError {
  return new BodyError(413, `the body is longer than ${limit} bytes, the most that this server takes`);
}
