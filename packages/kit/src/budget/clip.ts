import { Buffer } from 'node:buffer';
import { ASCII_JSON_BYTES, isPair, surelyFits } from './measure.ts';

export interface Clip<T extends string | Buffer> {
  kept: T;
  /** UTF-8 bytes of `kept`; in a Buffer the rest begins here */
  bytes: number;
  /** UTF-8 bytes of the whole */
  totalBytes: number;
  truncated: boolean;
}

export interface ClipOptions {
  /** the unit of `maxBytes`: the text itself (`utf8`, the default) or its body inside a JSON string (`json`) */
  measure?: 'utf8' | 'json';
}

/**
 * Returns the start of a text that fits `maxBytes`, and exactly how much was kept. It is cut after a line end where
 * that keeps at least half of what fits, otherwise between two code points and never inside CRLF.
 */
export function clipText<T extends string | Buffer>(
  text: T,
  maxBytes: number,
  options: ClipOptions = {},
): Clip<T> {
  const json = options.measure === 'json';
  // both branches return the type that came in, which the compiler cannot follow through typeof
  return (
    typeof text === 'string' ? clipString(text, maxBytes, json) : clipBuffer(text, maxBytes, json)
  ) as Clip<T>;
}

function clipString(text: string, maxBytes: number, json: boolean): Clip<string> {
  const totalBytes = Buffer.byteLength(text);
  const fits = json ? surelyFits(text, maxBytes) : totalBytes <= maxBytes;
  const room = fits ? text.length : unitsThatFit(text, maxBytes, json);
  if (room === text.length) return { kept: text, bytes: totalBytes, totalBytes, truncated: false };
  const lineEnd = room === 0 ? 0 : text.lastIndexOf('\n', room - 1) + 1;
  const keepsHalf = Buffer.byteLength(text.slice(0, lineEnd)) * 2 >= Buffer.byteLength(text.slice(0, room));
  const splitsCrlf = text[room - 1] === '\r' && text[room] === '\n';
  const cut = lineEnd > 0 && keepsHalf ? lineEnd : betweenCharacters(room, splitsCrlf);
  const kept = text.slice(0, cut);
  return { kept, bytes: Buffer.byteLength(kept), totalBytes, truncated: true };
}

function clipBuffer(text: Buffer, maxBytes: number, json: boolean): Clip<Buffer> {
  const totalBytes = text.length;
  const fits = json ? bytesThatFit(text, maxBytes) : Math.max(0, Math.min(maxBytes, totalBytes));
  if (fits === totalBytes) return { kept: text, bytes: totalBytes, totalBytes, truncated: false };
  const room = codePointStart(text, fits);
  const lineEnd = room === 0 ? 0 : text.lastIndexOf(10, room - 1) + 1;
  const splitsCrlf = text[room - 1] === 13 && text[room] === 10;
  const cut = lineEnd > 0 && lineEnd * 2 >= room ? lineEnd : betweenCharacters(room, splitsCrlf);
  return { kept: text.subarray(0, cut), bytes: cut, totalBytes, truncated: true };
}

function betweenCharacters(room: number, splitsCrlf: boolean): number {
  // a room of one cannot step back and still make progress
  return splitsCrlf && room > 1 ? room - 1 : room;
}

function unitsThatFit(text: string, maxBytes: number, json: boolean): number {
  let bytes = 0;
  let index = 0;
  while (index < text.length) {
    const unit = text.charCodeAt(index);
    const pair = unit >= 0xd800 && isPair(text, index);
    if (unit < 0x80) bytes += json ? ASCII_JSON_BYTES[unit]! : 1;
    else bytes += unit < 0x800 ? 2 : wideBytes(unit, pair, json);
    if (bytes > maxBytes) return index;
    index += pair ? 2 : 1;
  }
  return index;
}

function wideBytes(unit: number, pair: boolean, json: boolean): number {
  if (pair) return 4;
  // a lone surrogate becomes \udxxx in JSON and U+FFFD in UTF-8
  return json && unit >= 0xd800 && unit <= 0xdfff ? 6 : 3;
}

function bytesThatFit(text: Buffer, maxBytes: number): number {
  let bytes = 0;
  for (let index = 0; index < text.length; index++) {
    const byte = text[index]!;
    bytes += byte < 0x80 ? ASCII_JSON_BYTES[byte]! : 1;
    if (bytes > maxBytes) return index;
  }
  return text.length;
}

/**
 * Returns the start of the UTF-8 sequence that `end` would split, otherwise `end`; text that is not UTF-8 is cut
 * anywhere.
 */
function codePointStart(text: Buffer, end: number): number {
  for (let start = end; start >= 0 && start > end - 4; start--) {
    if ((text[start]! & 0xc0) !== 0x80) return start;
  }
  return end;
}
