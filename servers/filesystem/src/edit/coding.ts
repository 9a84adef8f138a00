import { byteOrderMark, isBinary } from '@rootbound/kit/media';
import { ToolError } from '@rootbound/protocol';

/** How the text of a file stands in its bytes. Edits work on the bytes, so what they do not touch cannot change. */
export interface Coding {
  readonly name: 'utf-8' | 'utf-16le' | 'utf-16be' | 'latin1';
  /** bytes of the byte order mark: where the text begins */
  readonly start: number;
  /** bytes of the smallest unit; everything begins at a multiple of it */
  readonly unit: 1 | 2;
  readonly newline: Buffer;
  /** undefined for a text that cannot be written so */
  encode(text: string): Buffer | undefined;
  /** what cannot be read becomes U+FFFD */
  decode(bytes: Buffer): string;
}

/** How a file is written: by its byte order mark, else UTF-8, or Latin-1 when the caller says so. */
export function codingOf(bytes: Buffer, path: string, wanted: 'latin1' | undefined): Coding {
  const mark = byteOrderMark(bytes);
  if (mark?.encoding === 'utf-16le' || mark?.encoding === 'utf-16be') {
    if (bytes.length % 2 !== 0) throw new ToolError(`not valid UTF-16: ${path}`, { code: 'not-text' });
    return mark.encoding === 'utf-16le' ? utf16le : utf16be;
  }
  if (isBinary(bytes))
    throw new ToolError(`not a text file: ${path}`, { code: 'binary', hint: 'only text can be edited' });
  if (wanted === 'latin1') return latin1;
  return mark === undefined ? utf8 : utf8Marked;
}

/** Whether bytes end in a line end. */
export function endsInNewline({ newline, unit }: Coding, bytes: Buffer): boolean {
  return bytes.length >= unit && newline.equals(bytes.subarray(bytes.length - unit));
}

const utf8: Coding = {
  name: 'utf-8',
  start: 0,
  unit: 1,
  newline: Buffer.from('\n'),
  encode: (text) => Buffer.from(text),
  decode: (bytes) => bytes.toString(),
};

const utf8Marked: Coding = { ...utf8, start: 3 };

const latin1: Coding = {
  ...utf8,
  name: 'latin1',
  encode: (text) => (fitsLatin1(text) ? Buffer.from(text, 'latin1') : undefined),
  decode: (bytes) => bytes.toString('latin1'),
};

const utf16le: Coding = {
  name: 'utf-16le',
  start: 2,
  unit: 2,
  newline: Buffer.from('\n', 'utf16le'),
  encode: (text) => Buffer.from(text, 'utf16le'),
  decode: (bytes) => bytes.toString('utf16le').toWellFormed(),
};

const utf16be: Coding = {
  ...utf16le,
  name: 'utf-16be',
  newline: Buffer.from('\n', 'utf16le').swap16(),
  encode: (text) => Buffer.from(text, 'utf16le').swap16(),
  // a copy, since the swap would be in the file's own bytes
  decode: (bytes) => Buffer.from(even(bytes)).swap16().toString('utf16le').toWellFormed(),
};

function even(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.length - (bytes.length % 2));
}

function fitsLatin1(text: string): boolean {
  return !/[\u0100-\uffff]/.test(text);
}
