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
  const pieces: string[] = [];
  let valid = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    pieces.push(bytes.toString('utf8', valid, at), String.fromCharCode(0xdc00 + bytes[at]!));
    at += 1;
    valid = at;
  }
  pieces.push(bytes.toString('utf8', valid));
  return pieces.join('');
}

function uncarry(text: string): Buffer {
  const pieces: Buffer[] = [];
  let start = 0;
  for (const found of text.matchAll(/(?<![\ud800-\udbff])[\udc80-\udcff]/g)) {
    pieces.push(
      Buffer.from(text.slice(start, found.index)),
      Buffer.of(text.charCodeAt(found.index) - 0xdc00),
    );
    start = found.index + 1;
  }
  pieces.push(Buffer.from(text.slice(start)));
  return Buffer.concat(pieces);
}

/** Bytes of the valid UTF-8 sequence at an offset, or 0. */
function sequenceLength(bytes: Buffer, at: number): number {
  const lead = bytes[at]!;
  const length = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0;
  return length > 0 && at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length)) ? length : 0;
}
