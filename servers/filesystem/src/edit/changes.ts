import { findBlocks } from './blocks.ts';
import type { Document } from './document.ts';
import type { Region } from './regions.ts';
import { atLineStart, countNewlines, firstAligned, lineStart, nextLine } from './scan.ts';
import { type Sliced, STEPS_IN_ONE_GO } from './slices.ts';

/** A range of whole lines that differ. */
export interface Change extends Region {
  /** number of lines before it */
  readonly oldLine: number;
  readonly newLine: number;
  readonly oldLines: number;
  readonly newLines: number;
}

/** A longer range is reported as one change, without a comparison of its lines. */
const COMPARED_BYTES = 4 * 1024 * 1024;
const COMPARED_LINES = 200_000;

/** Returns a generator function that gives the next changes of two documents, and none after the last. */
export function changesIn(
  old: Document,
  now: Document,
  regions: readonly Region[],
): () => Sliced<readonly Change[]> {
  let next = 0;
  let counted = { oldEnd: 0, newEnd: 0, oldLine: 0, newLine: 0 };
  return function* () {
    while (next < regions.length) {
      let stretch = yield* wholeLines(old, now, regions[next]!);
      for (next += 1; next < regions.length; next++) {
        const following = yield* wholeLines(old, now, regions[next]!);
        if (following.oldStart >= stretch.oldEnd) break;
        stretch = { ...stretch, oldEnd: following.oldEnd, newEnd: following.newEnd };
        yield;
      }
      const between = yield* countNewlines(old, counted.oldEnd, stretch.oldStart);
      const oldLine = counted.oldLine + between;
      const newLine = counted.newLine + between;
      const change = {
        ...stretch,
        oldLine,
        newLine,
        oldLines: yield* countLines(old, stretch.oldStart, stretch.oldEnd),
        newLines: yield* countLines(now, stretch.newStart, stretch.newEnd),
      };
      const { oldEnd, newEnd } = change;
      counted = { oldEnd, newEnd, oldLine: oldLine + change.oldLines, newLine: newLine + change.newLines };
      const changes = yield* refine(old, now, change);
      if (changes.length > 0) return changes;
    }
    return [];
  };
}

/** Extends a region to whole lines. */
function* wholeLines(old: Document, now: Document, region: Region): Sliced<Region> {
  const oldStart = yield* lineStart(old, region.oldStart);
  const whole = { ...region, oldStart, newStart: region.newStart - (region.oldStart - oldStart) };
  const { oldEnd, newEnd } = region;
  if (atLineStart(old, oldEnd) && atLineStart(now, newEnd) && whole.newStart <= newEnd) return whole;
  const end = yield* nextLine(old, oldEnd);
  return { ...whole, oldEnd: end, newEnd: newEnd + (end - oldEnd) };
}

function* countLines(document: Document, start: number, end: number): Sliced<number> {
  const ends = yield* countNewlines(document, start, end);
  return start === end || atLineStart(document, end) ? ends : ends + 1;
}

function* refine(old: Document, now: Document, change: Change): Sliced<Change[]> {
  const bytes = Math.max(change.oldEnd - change.oldStart, change.newEnd - change.newStart);
  if (bytes > COMPARED_BYTES || Math.max(change.oldLines, change.newLines) > COMPARED_LINES) return [change];
  const a = yield* splitLines(old, change.oldStart, change.oldEnd);
  const b = yield* splitLines(now, change.newStart, change.newEnd);
  const blocks = yield* findBlocks(a.lines, b.lines);
  return blocks.map(({ oldStart, oldEnd, newStart, newEnd }) => ({
    oldStart: a.starts[oldStart]!,
    oldEnd: a.starts[oldEnd]!,
    newStart: b.starts[newStart]!,
    newEnd: b.starts[newEnd]!,
    oldLine: change.oldLine + oldStart,
    newLine: change.newLine + newStart,
    oldLines: oldEnd - oldStart,
    newLines: newEnd - newStart,
  }));
}

/** Splits a range into lines, one character per byte, with their offsets and the end. */
function* splitLines(
  document: Document,
  start: number,
  end: number,
): Sliced<{ lines: string[]; starts: number[] }> {
  const { newline, unit } = document.coding;
  const bytes = document.read(start, end);
  const lines: string[] = [];
  const starts: number[] = [start];
  for (let at = 0; at < bytes.length; ) {
    const found = firstAligned(bytes, newline, at);
    const next = found < 0 ? bytes.length : found + unit;
    // latin1 keeps each byte, including invalid ones
    lines.push(bytes.toString('latin1', at, next));
    starts.push(start + next);
    at = next;
    if (lines.length % STEPS_IN_ONE_GO === 0) yield;
  }
  return { lines, starts };
}
