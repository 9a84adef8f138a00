import { ToolError } from '@rootbound/protocol';
import type { Document } from '../edit/document.ts';
import type { Region } from '../edit/regions.ts';
import { lineStart, nextLine } from '../edit/scan.ts';
import type { Sliced } from '../edit/slices.ts';
import type { Edited, Table } from './table.ts';

const NEWLINE = 0x0a;

/** Returns the file after an edit: unchanged lines keep their bytes, changed lines are encoded. */
export function* splice(
  { bytes, before, after, regions }: Edited,
  table: Pick<Table, 'name' | 'encode' | 'encodeAll'>,
): Sliced<Buffer[]> {
  const content: Buffer[] = [];
  const cursor = new Lines(bytes, before);
  let kept = 0;
  for (const { oldStart, oldEnd, newStart, newEnd } of yield* wholeLines(before, regions)) {
    const start = yield* cursor.offsetOf(oldStart);
    const end = yield* cursor.offsetOf(oldEnd);
    const old = bytes.subarray(start, end);
    if (table.encode(before.read(oldStart, oldEnd).toString())?.equals(old) !== true)
      throw new ToolError(
        `the edited lines are not valid ${table.name}, or have bytes that it would change`,
        {
          code: 'invalid-arguments',
          hint: 'edit other lines, or set encoding to that of the file; latin1 keeps every byte',
        },
      );
    content.push(bytes.subarray(kept, start));
    content.push(table.encodeAll('the changed text', after.read(newStart, newEnd).toString()));
    kept = end;
    yield;
  }
  content.push(bytes.subarray(kept));
  return content;
}

/** Extends regions to whole lines, and joins those that share a line. */
function* wholeLines(before: Document, regions: readonly Region[]): Sliced<Region[]> {
  const whole: { oldStart: number; oldEnd: number; newStart: number; newEnd: number }[] = [];
  for (const region of regions) {
    const oldStart = yield* lineStart(before, region.oldStart);
    const oldEnd = yield* nextLine(before, region.oldEnd);
    const newEnd = region.newEnd + (oldEnd - region.oldEnd);
    const last = whole.at(-1);
    if (last !== undefined && oldStart < last.oldEnd) {
      last.oldEnd = oldEnd;
      last.newEnd = newEnd;
    } else whole.push({ oldStart, oldEnd, newStart: region.newStart - (region.oldStart - oldStart), newEnd });
  }
  return whole;
}

/** Maps line starts in the text to offsets in the encoded bytes, from left to right. */
class Lines {
  readonly #bytes: Buffer;
  readonly #text: Document;
  #inText = 0;
  #inBytes = 0;

  constructor(bytes: Buffer, text: Document) {
    this.#bytes = bytes;
    this.#text = text;
  }

  *offsetOf(offset: number): Sliced<number> {
    if (offset >= this.#text.length) return this.#bytes.length;
    while (this.#inText < offset) {
      this.#inText = yield* nextLine(this.#text, this.#inText);
      this.#inBytes = this.#bytes.indexOf(NEWLINE, this.#inBytes) + 1;
    }
    return this.#inBytes;
  }
}
