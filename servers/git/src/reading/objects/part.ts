import { ToolError } from '@rootbound/protocol';
import { isIndex } from '../../call/arguments.ts';
import { clipLines } from '../patches/patch-lines.ts';
import { type Blob, bytesFrom } from './blob.ts';
import type { Encoding } from './encoding.ts';
import { countLines, type ReadLines, readLinesOf } from './lines.ts';
import type { Wanted } from './window.ts';

/** The start of the next part, its last line, and the number of lines; 0 where that is unknown. */
export type PartPosition = readonly [offset: number, line: number, last: number, total: number];

export function isPartPosition(value: unknown): value is PartPosition {
  return Array.isArray(value) && value.length === 4 && value.every(isIndex);
}

export interface Range {
  readonly head?: number | undefined;
  readonly tail?: number | undefined;
  readonly start_line?: number | undefined;
  readonly end_line?: number | undefined;
}

const LAST = Number.MAX_SAFE_INTEGER;

/** The start and the limits of a part. */
export interface Start extends Wanted {
  readonly total: number | undefined;
}

/** Returns the lines that a caller asks for, or those that an earlier part left. */
export async function startAt(
  blob: Blob,
  encoding: Encoding,
  range: Range,
  from: PartPosition | undefined,
): Promise<Start> {
  if (from !== undefined) {
    const [offset, line, last, total] = from;
    return { offset, line, first: line, last, total: total === 0 ? undefined : total };
  }
  const { head, tail, start_line: first = 1, end_line: last = LAST } = range;
  const forms = [head, tail, range.start_line ?? range.end_line].filter((form) => form !== undefined);
  if (forms.length > 1 || first > last) {
    throw new ToolError(
      forms.length > 1
        ? 'give only one of head, tail, and start_line with end_line'
        : 'end_line is before start_line',
      { code: 'invalid-arguments' },
    );
  }
  const begin = { offset: 0, line: 1 };
  if (head !== undefined) return { ...begin, first: 1, last: head, total: undefined };
  if (tail === undefined) return { ...begin, first, last, total: undefined };
  const total = await countLines(blob, encoding);
  return { ...begin, first: Math.max(1, total - tail + 1), last: LAST, total };
}

/** Lines of a file that fit. */
export interface TextPart {
  readonly text: string;
  readonly start: number;
  /** the last line before `start`, where there are none */
  readonly end: number;
  readonly total: number | undefined;
  readonly lossy: boolean;
  readonly next: PartPosition | undefined;
}

/** Reads lines once and fits them into one room or another. */
export async function textParts(
  blob: Blob,
  encoding: Encoding,
  start: Start,
  most: number,
): Promise<(room: number) => TextPart> {
  const read = await readLinesOf(blob, encoding, start, most);
  return (room) => partOf(read, start, room);
}

function partOf(read: ReadLines, { first, last, total = read.total }: Start, room: number): TextPart {
  const { bytes, offset } = read;
  const clip = bytes.length === 0 ? { text: '', bytes: 0, lossy: false } : clipLines(bytes, room);
  const ends = clip.text.split('\n').length - 1;
  const opens = clip.text === '' || clip.text.endsWith('\n') ? 0 : 1;
  const next: PartPosition = [offset + clip.bytes, first + ends, last, total ?? 0];
  return {
    text: clip.text,
    start: first,
    end: first + ends + opens - 1,
    total,
    lossy: clip.lossy || read.lossy,
    next: clip.bytes < bytes.length ? next : undefined,
  };
}

/** Bytes of a file that fit. */
export interface BytesPart {
  readonly base64: string;
  readonly from: number;
  readonly next: PartPosition | undefined;
}

export async function bytesPart(
  blob: Blob,
  from: PartPosition | undefined,
  room: number,
): Promise<BytesPart> {
  const [offset] = from ?? [0];
  const bytes = await bytesFrom(blob, offset, Math.max(1, Math.floor(room / 4)) * 3);
  const end = offset + bytes.length;
  return {
    base64: bytes.toString('base64'),
    from: offset,
    next: end < blob.size && bytes.length > 0 ? [end, 0, 0, 0] : undefined,
  };
}
