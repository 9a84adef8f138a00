import { clipText } from '@rootbound/kit/budget';
import { findBlocks } from './blocks.ts';
import type { Nearest } from './nearest.ts';
import type { Sliced } from './slices.ts';
import { onlySpaceDiffers, showSpace, spaceDifferences } from './white-space.ts';

const MAX_ROWS = 12;
const MAX_ROW_BYTES = 120;
const MAX_DIFF_BYTES = 500;
/** Characters of a long line that are kept before its first difference. */
const BEFORE_DIFFERENCE = 30;

interface Row {
  sign: ' ' | '-' | '+';
  text: string;
  /** its line number in the file, or the number of the line after it */
  line: number;
}

/** Describes the nearest text of the file: its line number and a small diff against `oldText`. */
export function* describeNearest(near: Nearest): Sliced<string[]> {
  const spaced = onlySpaceDiffers(near);
  const rows = yield* rowsOf(near, spaced);
  const first = rows.findIndex(({ sign }) => sign !== ' ');
  const visible = rows.slice(Math.max(0, first - 1)).slice(0, MAX_ROWS);
  const texts = visible.map(({ sign, text }) => clip(`${sign}${text}`, MAX_ROW_BYTES));
  if (visible.length < rows.length - Math.max(0, first - 1)) texts.push('\u2026');
  const lines = [
    `the nearest text is on line ${visible[0]?.line ?? near.line} (- oldText, + file):`,
    clip(texts.join('\n'), MAX_DIFF_BYTES),
  ];
  if (spaced) lines.push(`only white space differs: ${spaceDifferences(near).join('; ')}`);
  return lines;
}

function* rowsOf({ wanted, lines, line }: Nearest, spaced: boolean): Sliced<Row[]> {
  const plain = spaced ? wanted : wanted.map(withoutCr);
  const there = spaced ? lines : lines.map(withoutCr);
  const show = spaced ? showSpace : (text: string) => text;
  const rows: Row[] = [];
  let at = 0;
  const keep = (end: number): void => {
    for (; at < end; at++) rows.push({ sign: ' ', text: there[at]!, line: line + at });
  };
  for (const { oldStart, oldEnd, newStart, newEnd } of yield* findBlocks(plain, there)) {
    keep(newStart);
    const old = plain.slice(oldStart, oldEnd);
    const now = there.slice(newStart, newEnd);
    const skipped = old.length === 1 && now.length === 1 ? skippedOf(old[0]!, now[0]!) : 0;
    const part = (text: string): string => (skipped > 0 ? `\u2026${show(text.slice(skipped))}` : show(text));
    for (const text of old) rows.push({ sign: '-', text: part(text), line: line + newStart });
    for (const [index, text] of now.entries())
      rows.push({ sign: '+', text: part(text), line: line + newStart + index });
    at = newEnd;
  }
  keep(there.length);
  return rows;
}

/** Returns the number of equal characters to leave out at the start of two long lines. */
function skippedOf(old: string, now: string): number {
  let equal = 0;
  while (equal < old.length && equal < now.length && old[equal] === now[equal]) equal += 1;
  return equal > 2 * BEFORE_DIFFERENCE ? equal - BEFORE_DIFFERENCE : 0;
}

function withoutCr(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

function clip(text: string, bytes: number): string {
  const { kept, truncated } = clipText(text.toWellFormed(), bytes, { measure: 'json' });
  return truncated ? `${kept.trimEnd()}\u2026` : kept;
}
