import { applyLineEdits } from './by-line.ts';
import { applyTextEdit } from './by-text.ts';
import type { Document } from './document.ts';
import type { ParsedEdits } from './parse.ts';
import type { Sliced } from './slices.ts';

export interface Applied {
  document: Document;
  /** number of occurrences that each edit replaced, in the caller's order */
  counts: number[];
}

/**
 * Applies edits, all or none: those by line number at once, since the numbers are those of `before`, then those by
 * text in order, each on the result of the previous one. Calls `onProgress` with the number of applied edits.
 */
export function* applyEdits(
  before: Document,
  { byLine, byText, order }: ParsedEdits,
  onProgress: (done: number) => void,
): Sliced<Applied> {
  let document = yield* applyLineEdits(before, byLine);
  const counts: number[] = [];
  for (const edit of byText) {
    const edited = yield* applyTextEdit(document, edit);
    document = edited.document;
    counts.push(edited.count);
    onProgress(byLine.length + counts.length);
    yield;
  }
  return { document, counts: order.map((index) => (index < 0 ? 1 : counts[index]!)) };
}
