import { isUtf8 } from 'node:buffer';
import { ToolError } from '@rootbound/protocol';
import { byteOrderMark, isBinary } from '../text/decode.ts';

/** Text of a file for editing, and the way back to bytes that keeps what was not touched. */
export interface Editable {
  text: string;
  encode(text: string): Buffer;
}

/**
 * The text of a file such that unedited parts return to the same bytes: the byte order mark stays, UTF-16 stays
 * UTF-16, and bytes that are not valid UTF-8 are carried through one to one.
 */
export function toEditable(bytes: Buffer, path: string): Editable {
  const mark = byteOrderMark(bytes);
  if (mark?.encoding === 'utf-16le' || mark?.encoding === 'utf-16be') {
    const big = mark.encoding === 'utf-16be';
    const body = Buffer.from(bytes.subarray(2));
    if (body.length % 2 !== 0) throw new ToolError(`not valid UTF-16: ${path}`, { code: 'not-text' });
    const little = big ? body.swap16() : body;
    return {
      text: little.toString('utf16le'),
      encode(text) {
        const out = Buffer.from(text, 'utf16le');
        return Buffer.concat([bytes.subarray(0, 2), big ? out.swap16() : out]);
      },
    };
  }
  if (isBinary(bytes))
    throw new ToolError(`not a text file: ${path}`, { code: 'binary', hint: 'only text can be edited' });
  const start = mark?.bytes ?? 0;
  const body = bytes.subarray(start);
  const head = bytes.subarray(0, start);
  if (isUtf8(body))
    return { text: body.toString('utf8'), encode: (text) => Buffer.concat([head, Buffer.from(text)]) };
  return { text: carry(body), encode: (text) => Buffer.concat([head, uncarry(text)]) };
}

/** Bytes that are no UTF-8 become lone surrogates U+DC80 to U+DCFF, which valid text cannot hold. */
function carry(bytes: Buffer): string {
  // no sequence has more UTF-16 units than bytes
  const units = Buffer.allocUnsafe(bytes.length * 2);
  let length = 0;
  const put = (unit: number): void => {
    units[length++] = unit & 0xff;
    units[length++] = unit >> 8;
  };
  for (let at = 0; at < bytes.length; ) {
    const size = sequenceLength(bytes, at);
    const point = size === 0 ? 0xdc00 + bytes[at]! : codePoint(bytes, at, size);
    if (point > 0xffff) {
      put(0xd7c0 + (point >> 10));
      put(0xdc00 + (point & 0x3ff));
    } else put(point);
    at += size || 1;
  }
  return units.toString('utf16le', 0, length);
}

function uncarry(text: string): Buffer {
  // a lone surrogate counts for three bytes here and becomes one
  const bytes = Buffer.allocUnsafe(Buffer.byteLength(text));
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const point = text.codePointAt(at)!;
    if (point < 0x80) bytes[length++] = point;
    else if (point >= 0xdc80 && point <= 0xdcff) bytes[length++] = point - 0xdc00;
    else {
      length = putSequence(bytes, length, point);
      if (point > 0xffff) at += 1;
    }
  }
  return bytes.subarray(0, length);
}

/** Bytes of the valid UTF-8 sequence at an offset, or 0: the ranges of table 3-7 of the Unicode Standard. */
function sequenceLength(bytes: Buffer, at: number): number {
  const lead = bytes[at]!;
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  if (at + length > bytes.length) return 0;
  const second = bytes[at + 1]!;
  const least = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const most = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (second < least || second > most) return 0;
  for (let next = at + 2; next < at + length; next++) if ((bytes[next]! & 0xc0) !== 0x80) return 0;
  return length;
}

function codePoint(bytes: Buffer, at: number, size: number): number {
  if (size === 1) return bytes[at]!;
  let point = bytes[at]! & (0x7f >> size);
  for (let next = at + 1; next < at + size; next++) point = (point << 6) | (bytes[next]! & 0x3f);
  return point;
}

/** Writes a code point beyond ASCII and returns where it ends. */
function putSequence(bytes: Buffer, at: number, point: number): number {
  const size = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  let rest = point;
  for (let next = at + size - 1; next > at; next--) {
    bytes[next] = 0x80 | (rest & 0x3f);
    rest >>= 6;
  }
  bytes[at] = ((0xf00 >> size) & 0xff) | rest;
  return at + size;
}
