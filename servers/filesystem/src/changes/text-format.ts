import { isUtf8 } from 'node:buffer';
import { readSync } from 'node:fs';
import type { Before } from '@rootbound/kit/boundary';
import { byteOrderMark, isBinary } from '@rootbound/kit/media';
import { defined } from '@rootbound/kit/primitives';
import { type LineEnds, lineEndKinds } from '../text/lines.ts';

/** The encoding, byte order mark and line ends of a text file. */
export interface TextFormat {
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be';
  /** whether it begins with a byte order mark */
  readonly marked: boolean;
  /** the line ends, if all are the same; undefined if there are none, or both kinds */
  readonly lineEnds: LineEnds | undefined;
  /** whether the bytes that were examined are valid in this encoding */
  readonly valid: boolean;
  /** whether it has NUL bytes and no byte order mark, like UTF-16 without a mark */
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

/** Returns the format of a file, detected from its first and last bytes. */
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

/** The text format of a file in the fields of a result; empty for a binary file. */
export interface TextFacts {
  readonly encoding?: string;
  readonly bom?: true;
  readonly lineEnds?: LineEnds | 'mixed';
}

/** Returns the text format of a file in the fields of a result. */
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

/** Returns the kind of line ends in the last part of a file. */
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

/** Returns whether the first `most` bytes of a file are valid UTF-8. */
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

/** Returns the offset behind the last complete UTF-8 character; bytes that are not UTF-8 count as complete. */
export function characterEnd(bytes: Buffer): number {
  for (let end = bytes.length; end > bytes.length - 4 && end > 1; end--)
    if ((bytes[end - 1]! & 0xc0) !== 0x80) return (bytes[end - 1]! & 0x80) === 0 ? end : end - 1;
  return bytes.length;
}
