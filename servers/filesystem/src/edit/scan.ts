import { endsInNewline } from './coding.ts';
import type { Document } from './document.ts';
import type { Sliced } from './slices.ts';

const WINDOW = 256 * 1024;
/** Size of the first window, in bytes: most lines are short, and a window over several pieces is a copy. */
const FIRST_WINDOW = 512;
const GROWTH = 8;

/** Returns the start of the line after that of an offset, or the end of the document. */
export function* nextLine(document: Document, offset: number): Sliced<number> {
  const { newline, unit } = document.coding;
  let size = FIRST_WINDOW;
  for (let start = offset - (offset % unit); start < document.length; ) {
    const end = Math.min(document.length, start + size);
    const found = firstAligned(document.read(start, end), newline, 0);
    if (found >= 0) return start + found + unit;
    start = end;
    size = Math.min(WINDOW, size * GROWTH);
    yield;
  }
  return document.length;
}

/** Returns the start of the line of an offset. */
export function* lineStart(document: Document, offset: number): Sliced<number> {
  const { newline, unit } = document.coding;
  let size = FIRST_WINDOW;
  for (let end = offset - (offset % unit); end > 0; ) {
    const start = Math.max(0, end - size);
    const found = lastAligned(document.read(start, end), newline);
    if (found >= 0) return start + found + unit;
    end = start;
    size = Math.min(WINDOW, size * GROWTH);
    yield;
  }
  return 0;
}

function lastAligned(bytes: Buffer, newline: Buffer): number {
  let at = bytes.lastIndexOf(newline);
  while (at > 0 && at % newline.length !== 0) at = bytes.lastIndexOf(newline, at - 1);
  return at;
}

/** Counts the line ends of a range. */
export function* countNewlines(document: Document, start: number, end: number): Sliced<number> {
  let count = 0;
  for (let at = start; at < end; at += WINDOW) {
    if (at > start) yield;
    count += newlinesIn(document.read(at, Math.min(end, at + WINDOW)), document);
  }
  return count;
}

/** Returns whether a line begins at an offset. */
export function atLineStart(document: Document, offset: number): boolean {
  return offset === 0 || endsInNewline(document.coding, document.read(offset - document.coding.unit, offset));
}

/** Returns the number of line ends before each of these ascending offsets, that is, line numbers from 0. */
export function* linesBefore(document: Document, offsets: readonly number[]): Sliced<number[]> {
  const lines: number[] = [];
  let count = 0;
  let at = 0;
  for (const offset of offsets) {
    count += yield* countNewlines(document, at, offset);
    at = offset;
    lines.push(count);
  }
  return lines;
}

/** Returns the first line end from an aligned offset on, or -1. */
export function firstAligned(bytes: Buffer, newline: Buffer, from: number): number {
  let at = newline.length === 1 ? bytes.indexOf(newline[0]!, from) : bytes.indexOf(newline, from);
  while (at >= 0 && at % newline.length !== 0) at = bytes.indexOf(newline, at + 1);
  return at;
}

function newlinesIn(bytes: Buffer, { coding }: Document): number {
  let count = 0;
  if (coding.unit === 1) {
    for (let at = 0; at < bytes.length; at++) if (bytes[at] === 10) count += 1;
    return count;
  }
  const [first, second] = coding.newline;
  for (let at = 0; at < bytes.length; at += 2)
    if (bytes[at] === first && bytes[at + 1] === second) count += 1;
  return count;
}
