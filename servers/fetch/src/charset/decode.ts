import { isUtf8 } from 'node:buffer';
import { getBOMEncoding, TextDecoder } from '@exodus/bytes/encoding.js';
import type { Charset } from '../reading/reading.ts';
import { isMultiByte } from './alphabets.ts';
import { headerEncoding, htmlLanguage, metaEncoding, PRESCANNED_BYTES, xmlEncoding } from './declared.ts';
import { guessEncoding, wideEncoding } from './guess.ts';

export interface DecodeHints {
  /** the Content-Type field as received */
  readonly contentType?: string | undefined;
  /** the kind of declaration that the bytes may contain */
  readonly markup: 'html' | 'xml' | 'none';
}

export interface Decoded {
  readonly text: string;
  readonly charset: Charset;
}

interface Declared {
  readonly name: string;
  readonly from: 'header' | 'meta';
}

/** Bytes of a page that are searched for a declaration beyond the standard's, if the text is not UTF-8. */
const LATE_BYTES = 16_384;

/**
 * Decodes bytes to text. The byte order mark, the header and the page declare the encoding, in that order, unless the
 * bytes contradict it; otherwise it is UTF-8 if valid, or the likeliest encoding.
 */
export function decodeText(bytes: Uint8Array, hints: DecodeHints): Decoded {
  const mark = getBOMEncoding(bytes);
  if (mark !== null) return decode(bytes, mark, 'bom');
  const declared = declaredEncodings(bytes, hints);
  for (const { name, from } of declared) {
    const decoded = decodeDeclared(bytes, name, from);
    const contradicted =
      name !== 'utf-8' && declared.some((other) => other.name === 'utf-8') && isWideUtf8(bytes);
    if (decoded !== undefined && !contradicted) return withDeclared(decoded, declared);
  }
  const wide = wideEncoding(bytes);
  if (wide !== undefined) return withDeclared(decode(bytes, wide, 'guess'), declared);
  if (isUtf8(bytes) || isWideUtf8(withoutCutEnd(bytes)))
    return withDeclared(decode(bytes, 'utf-8', 'utf-8'), declared);
  const late = hints.markup === 'html' ? metaEncoding(latin1(bytes, LATE_BYTES)) : undefined;
  if (late !== undefined && late !== 'utf-8' && !declared.some(({ name }) => name === late)) {
    const decoded = decodeDeclared(bytes, late, 'meta');
    if (decoded !== undefined) return withDeclared(decoded, declared);
  }
  const language = hints.markup === 'none' ? undefined : htmlLanguage(latin1(bytes, PRESCANNED_BYTES));
  const guess = guessEncoding(bytes, { language, declared: declared.map(({ name }) => name) });
  return withDeclared(decode(bytes, guess, 'guess'), declared);
}

/** Returns the encodings that the header and the page declare. */
function declaredEncodings(bytes: Uint8Array, { contentType, markup }: DecodeHints): Declared[] {
  const header = headerEncoding(contentType);
  const start = markup === 'none' ? '' : latin1(bytes, PRESCANNED_BYTES);
  const meta = markup === 'html' ? (metaEncoding(start) ?? xmlEncoding(start)) : xmlEncoding(start);
  return [
    ...(header === undefined ? [] : [{ name: header, from: 'header' } as const]),
    ...(meta === undefined ? [] : [{ name: meta, from: 'meta' } as const]),
  ];
}

/** Decodes the bytes in a declared encoding; returns undefined if they contradict it. */
function decodeDeclared(bytes: Uint8Array, name: string, from: 'header' | 'meta'): Decoded | undefined {
  if (name === 'utf-8') {
    if (isUtf8(bytes)) return decode(bytes, name, from);
    if (wideEncoding(bytes) !== undefined) return undefined;
    const decoded = decode(bytes, name, from);
    return isMostly(decoded, 10) ? decoded : undefined;
  }
  if (name === 'replacement' || name === 'x-user-defined') return decode(bytes, name, from);
  if (name.startsWith('utf-16')) {
    return isUtf8(bytes) && !bytes.includes(0) ? undefined : decode(bytes, name, from);
  }
  // text in a single-byte encoding is not valid UTF-8 by chance
  if (!isMultiByte(name)) return isWideUtf8(bytes) ? undefined : decode(bytes, name, from);
  const decoded = decode(bytes, name, from);
  if (decoded.charset.replaced > 0 && isWideUtf8(bytes)) return undefined;
  return isMostly(decoded, 20) ? decoded : undefined;
}

function isWideUtf8(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && bytes.some((byte) => byte >= 0x80);
}

/** Returns whether the decoded characters beyond ASCII outnumber the replacement characters so many times. */
function isMostly({ text, charset }: Decoded, times: number): boolean {
  if (charset.replaced === 0) return true;
  let wide = 0;
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) >= 0x80) wide += 1;
  return wide - charset.replaced >= charset.replaced * times;
}

function decode(bytes: Uint8Array, name: string, from: Charset['from']): Decoded {
  // the standard defines this encoding so that ambiguous bytes are not decoded
  if (name === 'replacement') {
    const empty = bytes.length === 0;
    return { text: empty ? '' : '\uFFFD', charset: { name, from, replaced: empty ? 0 : 1 } };
  }
  const text = new TextDecoder(name).decode(bytes);
  return { text, charset: { name, from, replaced: replacedIn(text, bytes, name) } };
}

/** Counts the replacement characters that decoding made, without those that the text contains. */
function replacedIn(text: string, bytes: Uint8Array, name: string): number {
  const all = count(text, '\uFFFD');
  if (all === 0 || (name === 'utf-8' && isUtf8(bytes))) return 0;
  const meant = { 'utf-8': '\xEF\xBF\xBD', gb18030: '\x84\x31\xA4\x37', gbk: '\x84\x31\xA4\x37' }[name];
  if (meant !== undefined) return all - Math.min(all, count(latin1(bytes, bytes.length), meant));
  if (name.startsWith('utf-16')) return all - Math.min(all, countUnits(bytes, name === 'utf-16le'));
  return all;
}

function count(text: string, what: string): number {
  let found = 0;
  for (let at = text.indexOf(what); at >= 0; at = text.indexOf(what, at + what.length)) found += 1;
  return found;
}

/** Counts the occurrences of U+FFFD in UTF-16. */
function countUnits(bytes: Uint8Array, little: boolean): number {
  const [first, second] = little ? [0xfd, 0xff] : [0xff, 0xfd];
  let found = 0;
  for (let at = 0; at + 1 < bytes.length; at += 2)
    if (bytes[at] === first && bytes[at + 1] === second) found += 1;
  return found;
}

/** Adds the first declared encoding, if another one was used. */
function withDeclared(decoded: Decoded, declared: readonly Declared[]): Decoded {
  const declaredAs = declared[0]?.name;
  if (declaredAs === undefined || declaredAs === decoded.charset.name) return decoded;
  return { ...decoded, charset: { ...decoded.charset, declaredAs } };
}

/** Returns the bytes without an incomplete character at their end. */
function withoutCutEnd(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) break;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return back < length ? bytes.subarray(0, bytes.length - back) : bytes;
    }
  }
  return bytes;
}

function latin1(bytes: Uint8Array, limit: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(
    'latin1',
    0,
    Math.min(limit, bytes.length),
  );
}
