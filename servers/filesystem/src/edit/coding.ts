import { isUtf8 } from 'node:buffer';
import { showPath } from '@rootbound/kit/boundary';
import { byteOrderMark, type Encoding, isBinary } from '@rootbound/kit/media';
import { ToolError } from '@rootbound/protocol';

/** How a file's bytes encode its text. Edits change the bytes, so bytes outside an edit stay as they are. */
export interface Coding {
  readonly name: 'utf-8' | 'utf-16le' | 'utf-16be' | 'latin1';
  /** length of the byte order mark in bytes, where the text begins */
  readonly start: number;
  /** size of a code unit in bytes; all offsets are multiples of it */
  readonly unit: 1 | 2;
  readonly newline: Buffer;
  /** Encodes a text; undefined if it has a character that the encoding lacks. */
  encode(text: string): Buffer | undefined;
  /** Decodes bytes; invalid ones become U+FFFD. */
  decode(bytes: Buffer): string;
}

/** Returns the coding of a file: by its byte order mark, or else the caller's encoding, or else UTF-8. */
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
      hint: 'edit text files only; set encoding to utf-16le or utf-16be for UTF-16 without a byte order mark',
    });
  if (encoding === 'latin1') return latin1;
  return mark === undefined ? utf8 : utf8Marked;
}

/** The coding of a text that was decoded to UTF-8. */
export const decodedCoding: Coding = {
  name: 'utf-8',
  start: 0,
  unit: 1,
  newline: Buffer.from('\n'),
  encode: (text) => Buffer.from(text),
  decode: (bytes) => bytes.toString(),
};

/** Throws a ToolError for new text beyond ASCII in a file that is not valid UTF-8. */
export function assertUtf8(bytes: Buffer, path: string, texts: readonly string[]): void {
  if (texts.every((text) => isAsciiText(text)) || isUtf8(bytes)) return;
  throw notUtf8(path);
}

/** Returns the error for non-ASCII text in a file that is not valid UTF-8. */
export function notUtf8(path: string): ToolError {
  return new ToolError(`not valid UTF-8, and the new text is not ASCII: ${showPath(path)}`, {
    code: 'not-utf8',
    hint: 'set encoding to that of the file, such as windows-1252, shift_jis, gb18030 or latin1, or to utf-8 to write UTF-8 anyway',
  });
}

/** Returns whether a text is ASCII, which UTF-8 and most other encodings share. */
export function isAsciiText(text: string): boolean {
  return !/[^\0-\x7f]/.test(text);
}

/** Returns whether bytes end in a line end. */
export function endsInNewline({ newline, unit }: Coding, bytes: Buffer): boolean {
  return bytes.length >= unit && newline.equals(bytes.subarray(bytes.length - unit));
}

/** Encodes a new text, or throws a ToolError with the first character that the file's encoding lacks. */
export function encodeNew(coding: Coding, where: string, text: string): Buffer {
  const bytes = coding.encode(text);
  if (bytes !== undefined) return bytes;
  const odd = /[\u{100}-\u{10ffff}]/u.exec(text)![0]; // only latin1 fails to encode, at such a character
  const point = odd.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
  throw new ToolError(`${where}newText has U+${point}, which latin1 cannot encode`, {
    code: 'invalid-arguments',
    hint: 'replace the character',
  });
}

/** Throws a ToolError for a text with a lone surrogate, which no encoding can write. */
export function assertWhole(field: string, text: string): void {
  if (text.isWellFormed()) return;
  throw new ToolError(
    `${field} has a lone surrogate, half of a character; send both halves or leave it out`,
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
  // a copy, since swap16 works in place
  decode: (bytes) => Buffer.from(even(bytes)).swap16().toString('utf16le').toWellFormed(),
};

function even(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.length - (bytes.length % 2));
}

function fitsLatin1(text: string): boolean {
  return !/[\u0100-\uffff]/.test(text);
}
