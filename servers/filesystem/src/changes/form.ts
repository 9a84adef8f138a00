import { isUtf8 } from 'node:buffer';
import { readSync } from 'node:fs';
import type { Before } from '@rootbound/kit/boundary';
import { byteOrderMark, isBinary } from '@rootbound/kit/media';
import { defined } from '@rootbound/kit/primitives';
import { characterEnd, isUtf8File } from './utf8-file.ts';

/** How a text file is written, as far as it is not plain UTF-8 with LF. */
export interface Form {
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

export type LineEnds = 'lf' | 'crlf';

export const plainForm: Form = {
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
export function formOf({ fd, stat }: Before): Form {
  if (stat.size === 0) return plainForm;
  const head = readPart(fd, 0, Math.min(stat.size, HEAD_BYTES));
  const mark = byteOrderMark(head);
  const encoding = mark?.encoding ?? 'utf-8';
  if (encoding === 'utf-8' && isBinary(head)) return { ...plainForm, binary: true };
  const kinds = kindsIn({ fd, stat }, encoding);
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
  const { encoding, marked, valid, binary } = formOf(before);
  if (binary || before.stat.size === 0) return {};
  const lineEnds = kindsIn(before, encoding);
  const known = valid && (encoding !== 'utf-8' || isUtf8File(before, MOST_CHECKED));
  return {
    encoding: known ? encoding : 'unknown',
    ...(marked && { bom: true }),
    ...defined({ lineEnds }),
  };
}

/** The line ends at the end of a file. */
function kindsIn({ fd, stat }: Before, encoding: Form['encoding']): LineEnds | 'mixed' | undefined {
  const from = Math.max(0, stat.size - TAIL_BYTES);
  const tail = readPart(fd, from - (from % 2), Math.min(stat.size, TAIL_BYTES + 1));
  return lineEndKinds(encoding === 'utf-8' ? tail : asUtf8(tail, encoding));
}

/** The line ends of text in UTF-8 or an encoding like it. */
export function lineEndKinds(bytes: Buffer): LineEnds | 'mixed' | undefined {
  const first = bytes.indexOf(10);
  if (first < 0) return undefined;
  if (!bytes.includes(13)) return 'lf';
  let pairs = 0;
  let ends = 0;
  for (let at = first; at >= 0; at = bytes.indexOf(10, at + 1)) {
    ends += 1;
    // the byte before the part is not known
    if (at === 0 || bytes[at - 1] === 13) pairs += 1;
  }
  if (pairs === 0) return 'lf';
  return pairs === ends ? 'crlf' : 'mixed';
}

/** The line ends of text, where they are not all LF. */
export function oddLineEnds(bytes: Buffer): 'crlf' | 'mixed' | undefined {
  // nearly every text has none
  if (!bytes.includes(13)) return undefined;
  const kinds = lineEndKinds(bytes);
  return kinds === 'lf' ? undefined : kinds;
}

function asUtf8(bytes: Buffer, encoding: 'utf-16le' | 'utf-16be'): Buffer {
  const even = Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2)));
  return Buffer.from((encoding === 'utf-16le' ? even : even.swap16()).toString('utf16le'));
}

function readPart(fd: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.subarray(0, readSync(fd, bytes, 0, length, position));
}
