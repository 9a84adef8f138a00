import { StringDecoder } from 'node:string_decoder';

export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'latin1'] as const;
export type Encoding = (typeof encodings)[number];

/** Bytes that are inspected to tell text from other contents, as git does. */
export const SNIFFED = 8000;

/** Returns the encoding of text from its start; undefined for other contents. */
export function encodingOf(start: Buffer): Encoding | undefined {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  return start.subarray(0, SNIFFED).includes(0) ? undefined : 'utf-8';
}

/** Decodes a stream to UTF-8; text that claims to be UTF-8 is not changed. */
export class Recoder {
  readonly #encoding: Encoding;
  readonly #decoder = new StringDecoder('utf16le');
  #begun = false;
  #odd: Buffer | undefined;
  /** some bytes were invalid */
  lossy = false;

  constructor(encoding: Encoding) {
    this.#encoding = encoding;
  }

  read(chunk: Buffer): Buffer {
    if (this.#encoding === 'utf-8') return chunk;
    if (this.#encoding === 'latin1') return Buffer.from(chunk.toString('latin1'));
    const bytes = this.#odd === undefined ? chunk : Buffer.concat([this.#odd, chunk]);
    const even = bytes.length - (bytes.length % 2);
    this.#odd = even < bytes.length ? bytes.subarray(even) : undefined;
    const units = Buffer.from(bytes.subarray(0, even));
    if (this.#encoding === 'utf-16be') units.swap16();
    return this.#toUtf8(this.#decoder.write(units));
  }

  /** Returns the rest of the text. */
  end(): Buffer {
    const half = this.#odd === undefined ? '' : '\ufffd';
    this.lossy ||= half !== '';
    return this.#toUtf8(this.#decoder.end() + half);
  }

  #toUtf8(text: string): Buffer {
    this.lossy ||= !text.isWellFormed();
    // the byte order mark only names the encoding
    const own = !this.#begun && text.startsWith('\ufeff') ? text.slice(1) : text;
    this.#begun ||= text !== '';
    return Buffer.from(own);
  }
}
