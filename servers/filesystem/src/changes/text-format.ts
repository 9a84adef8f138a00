import { isUtf8 } from 'node:buffer';
import { readSync } from 'node:fs';
import type { Before } from '@rootbound/kit/boundary';
import { byteOrderMark, isBinary } from '@rootbound/kit/media';
import { defined } from '@rootbound/kit/primitives';
import { type LineEnds, lineEndKinds } from '../text/lines.ts';

/** How a text file is written, as far as it is not plain UTF-8 with LF. */
export interface TextFormat {
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be';
  /** whether it begins with a byte order mark */
  readonly marked: boolean;
  /** the line ends of all its lines; undefined for none, and for both kinds */
  readonly lineEnds: LineEnds | undefined;
  /** whether what was looked at is UTF-8 */
  readonly valid: boolean;
  /** whether it has NUL bytes and no mark, as UTF-16 without one has */
  readonly binary: boolean;
}

export const plainFormat: TextFormat = {
  encoding: 'utf-8',
  marked: false,
  lineEnds: undefined,
  valid: true,
  binary: false,
};

const HEAD_BYTES = 4096;
const TAIL_BYTES = 64 * 1024;
const MOST_CHECKED = 8 * 1024 * 1024;

/** The form of a file, by its first and its last bytes. */
export function textFormatOf({ fd, stat }: Before): TextFormat {
  if (stat.size === 0) return plainFormat;
  const head = readPart(fd, 0, Math.min(stat.size, HEAD_BYTES));
  const mark = byteOrderMark(head);
  const encoding = mark?.encoding ?? 'utf-8';
  if (encoding === 'utf-8' && isBinary(head)) return { ...plainFormat, binary: true };
  const kinds = lineEndsOf({ fd, stat }, encoding);
  return {
    encoding,
    marked: mark !== undefined,
    lineEnds: kinds === 'mixed' ? undefined : kinds,
    valid:
      encoding !== 'utf-8' ||
      isUtf8(head.subarray(0, head.length < stat.size ? characterEnd(head) : head.length)),
    binary: false,
  };
}

/** What a file says of itself as text; nothing where it is none. */
export interface TextFacts {
  readonly encoding?: string;
  readonly bom?: true;
  readonly lineEnds?: LineEnds | 'mixed';
}

/** The same in the words of results. */
export function textFactsOf(before: Before): TextFacts {
  const { encoding, marked, valid, binary } = textFormatOf(before);
  if (binary || before.stat.size === 0) return {};
  const lineEnds = lineEndsOf(before, encoding);
  const known = valid && (encoding !== 'utf-8' || isUtf8File(before, MOST_CHECKED));
  return {
    encoding: known ? encoding : 'unknown',
    ...(marked && { bom: true }),
    ...defined({ lineEnds }),
  };
}

/** The line ends at the end of a file. */
function lineEndsOf({ fd, stat }: Before, encoding: TextFormat['encoding']): LineEnds | 'mixed' | undefined {
  const from = Math.max(0, stat.size - TAIL_BYTES);
  const tail = readPart(fd, from - (from % 2), Math.min(stat.size, TAIL_BYTES + 1));
  return lineEndKinds(encoding === 'utf-8' ? tail : asUtf8(tail, encoding));
}

function asUtf8(bytes: Buffer, encoding: 'utf-16le' | 'utf-16be'): Buffer {
  const even = Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2)));
  return Buffer.from((encoding === 'utf-16le' ? even : even.swap16()).toString('utf16le'));
}

function readPart(fd: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.subarray(0, readSync(fd, bytes, 0, length, position));
}

const PIECE_BYTES = 1024 * 1024;

/** Whether a file is UTF-8, as far as its first bytes show; `most` of them are read. */
export function isUtf8File({ fd, stat }: Before, most: number): boolean {
  const size = Math.min(stat.size, most);
  const piece = Buffer.allocUnsafe(Math.min(size, PIECE_BYTES));
  for (let at = 0; at < size; ) {
    const bytes = piece.subarray(0, readSync(fd, piece, 0, piece.length, at));
    if (bytes.length === 0) return true;
    const end = at + bytes.length >= stat.size ? bytes.length : characterEnd(bytes);
    if (!isUtf8(bytes.subarray(0, end))) return false;
    at += end;
  }
  return true;
}

/** Where the last whole character ends; what is no character is cut anywhere. */
export function characterEnd(bytes: Buffer): number {
  for (let end = bytes.length; end > bytes.length - 4 && end > 1; end--)
    if ((bytes[end - 1]! & 0xc0) !== 0x80) return (bytes[end - 1]! & 0x80) === 0 ? end : end - 1;
  return bytes.length;
}
