import { isUtf8 } from 'node:buffer';
import { showPath } from '@rootbound/kit/boundary';
import { byteOrderMark, type Encoding, isBinary } from '@rootbound/kit/media';
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

/** How a file is written: by its byte order mark, else as the caller says, else UTF-8. */
export function codingOf(bytes: Buffer, path: string, wanted: Encoding | undefined): Coding {
  const mark = byteOrderMark(bytes);
  const encoding = mark?.encoding === undefined || mark.encoding === 'utf-8' ? wanted : mark.encoding;
  if (encoding === 'utf-16le' || encoding === 'utf-16be') {
    if (bytes.length % 2 !== 0)
      throw new ToolError(`not valid UTF-16: ${showPath(path)}`, { code: 'not-text' });
    return { ...(encoding === 'utf-16le' ? utf16le : utf16be), start: mark?.encoding === encoding ? 2 : 0 };
  }
  if (isBinary(bytes))
    throw new ToolError(`not a text file: ${showPath(path)}`, {
      code: 'binary',
      hint: 'only text can be edited; UTF-16 without a byte order mark is by encoding utf-16le or utf-16be',
    });
  if (encoding === 'latin1') return latin1;
  return mark === undefined ? utf8 : utf8Marked;
}

/** The text of a file in UTF-8, whatever the encoding that it was read from. */
export const decodedCoding: Coding = {
  name: 'utf-8',
  start: 0,
  unit: 1,
  newline: Buffer.from('\n'),
  encode: (text) => Buffer.from(text),
  decode: (bytes) => bytes.toString(),
};

/** Refuses new text beyond ASCII for a file that is not UTF-8, where nobody has named the encoding of the file. */
export function assertUtf8(bytes: Buffer, path: string, texts: readonly string[]): void {
  if (texts.every((text) => isAsciiText(text)) || isUtf8(bytes)) return;
  throw notUtf8(path);
}

/** What is said of such a text. */
export function notUtf8(path: string): ToolError {
  return new ToolError(`not valid UTF-8, and the new text has more than ASCII: ${showPath(path)}`, {
    code: 'not-utf8',
    hint: 'name the encoding of the file, such as windows-1252, shift_jis, gb18030 or latin1; utf-8 writes UTF-8 into it all the same',
  });
}

/** Whether a text has the same bytes in UTF-8 and in what most other encodings are built on. */
export function isAsciiText(text: string): boolean {
  return !/[^\0-\x7f]/.test(text);
}

/** Whether bytes end in a line end. */
export function endsInNewline({ newline, unit }: Coding, bytes: Buffer): boolean {
  return bytes.length >= unit && newline.equals(bytes.subarray(bytes.length - unit));
}

/** The bytes of a new text, or a refusal that names the first character which the file cannot hold. */
export function encodeNew(coding: Coding, where: string, text: string): Buffer {
  const bytes = coding.encode(text);
  if (bytes !== undefined) return bytes;
  const odd = /[\u{100}-\u{10ffff}]/u.exec(text)![0];
  const point = odd.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
  throw new ToolError(`${where}newText holds U+${point}, which Latin-1 has not`, {
    code: 'invalid-arguments',
    hint: 'write it in another way',
  });
}

/** Refuses text with half a character, which no encoding can write. */
export function assertWhole(field: string, text: string): void {
  if (text.isWellFormed()) return;
  throw new ToolError(
    `${field} holds half a character (a lone surrogate); send both halves or leave it out`,
    {
      code: 'invalid-arguments',
    },
  );
}

const utf8 = decodedCoding;

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
