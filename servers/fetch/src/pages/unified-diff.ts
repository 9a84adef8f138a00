import { jsonBytes } from '@rootbound/kit/budget';
import type { Change } from './line-diff.ts';

export interface UnifiedOptions {
  /** file names in the header of the diff */
  readonly oldName: string;
  readonly newName: string;
  readonly contextLines: number;
  /** most bytes in a JSON string */
  readonly maxBytes: number;
}

export interface Unified {
  readonly text: string;
  /** whether lines were left out */
  readonly truncated: boolean;
}

const LONGEST_LINE = 2000;

/** Returns changes as a unified diff; very long lines are shortened. */
export function unifiedDiff(
  old: readonly string[],
  now: readonly string[],
  changes: readonly Change[],
  { oldName, newName, contextLines, maxBytes }: UnifiedOptions,
): Unified {
  if (changes.length === 0) return { text: '', truncated: false };
  const lines: string[] = [];
  let room = maxBytes;
  for (const line of linesOf(old, now, changes, contextLines, [`--- ${oldName}`, `+++ ${newName}`])) {
    const clipped = line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE).toWellFormed()}…` : line;
    // a newline takes two bytes of JSON
    room -= jsonBytes(clipped);
    if (room < 0) return { text: lines.join('\n'), truncated: true };
    lines.push(clipped);
  }
  return { text: lines.join('\n'), truncated: false };
}

function* linesOf(
  old: readonly string[],
  now: readonly string[],
  changes: readonly Change[],
  context: number,
  heads: readonly string[],
): Generator<string> {
  yield* heads;
  for (const group of groupsOf(changes, context)) {
    const first = group[0]!;
    const last = group.at(-1)!;
    const lead = Math.min(context, first.oldStart, first.newStart);
    const trail = Math.min(context, old.length - last.oldEnd, now.length - last.newEnd);
    const oldRange = range(first.oldStart - lead, last.oldEnd + trail);
    yield `@@ -${oldRange} +${range(first.newStart - lead, last.newEnd + trail)} @@`;
    let at = first.oldStart - lead;
    for (const { oldStart, oldEnd, newStart, newEnd } of group) {
      for (const line of old.slice(at, oldStart)) yield ` ${line}`;
      for (const line of old.slice(oldStart, oldEnd)) yield `-${line}`;
      for (const line of now.slice(newStart, newEnd)) yield `+${line}`;
      at = oldEnd;
    }
    for (const line of old.slice(at, at + trail)) yield ` ${line}`;
  }
}

/** Groups changes whose context lines touch. */
function groupsOf(changes: readonly Change[], context: number): Change[][] {
  const groups: Change[][] = [];
  for (const change of changes) {
    const before = groups.at(-1)?.at(-1);
    if (before !== undefined && change.oldStart - before.oldEnd <= 2 * context) groups.at(-1)!.push(change);
    else groups.push([change]);
  }
  return groups;
}

function range(start: number, end: number): string {
  const count = end - start;
  return count === 1 ? `${start + 1}` : `${count === 0 ? start : start + 1},${count}`;
}
