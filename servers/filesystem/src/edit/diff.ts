import { type Block, findBlocks } from './blocks.ts';
import { type Sliced, STEPS_IN_ONE_GO } from './slices.ts';
import { findStretch, MAX_LINES, type Stretch } from './stretch.ts';

const CONTEXT_LINES = 3;

export interface Diff {
  text: string;
  /** whether it was cut because it is longer than wanted */
  cut: boolean;
}

/**
 * A unified diff of two texts, cut at the first line behind `most` characters. The cost grows with what differs and
 * not with the square of the file; of very many differing lines it makes one block.
 */
export function* unifiedDiff(path: string, before: string, after: string, most: number): Sliced<Diff> {
  const stretch = yield* findStretch(before, after, CONTEXT_LINES);
  const whole = isWhole(stretch);
  const groups = join(whole ? yield* findBlocks(stretch.old.lines, stretch.now.lines) : [oneBlock(stretch)]);
  // a line has a character at least, so those that are not held are never reached
  const room = whole ? most : Math.min(most, MAX_LINES);
  if (groups.length === 0) return { text: '', cut: false };
  const pieces = [`--- ${path}\n+++ ${path}\n`];
  let length = pieces[0]!.length;
  let steps = 0;
  for (const group of groups) {
    for (const piece of hunk(group, stretch)) {
      if (length > room) return { text: pieces.join(''), cut: true };
      pieces.push(piece);
      length += piece.length;
      steps += 1;
      if (steps % STEPS_IN_ONE_GO === 0) yield;
    }
  }
  return { text: pieces.join(''), cut: false };
}

function isWhole({ old, now }: Stretch): boolean {
  return old.count === old.lines.length && now.count === now.lines.length;
}

function oneBlock({ old, now }: Stretch): Block {
  return { oldStart: 0, oldEnd: old.count, newStart: 0, newEnd: now.count };
}

/** Groups blocks whose context would touch. */
function join(blocks: readonly Block[]): Block[][] {
  const groups: Block[][] = [];
  let previous: Block | undefined;
  for (const block of blocks) {
    if (previous !== undefined && block.oldStart - previous.oldEnd <= 2 * CONTEXT_LINES)
      groups.at(-1)!.push(block);
    else groups.push([block]);
    previous = block;
  }
  return groups;
}

/** The lines of one hunk, its header first. */
function* hunk(blocks: readonly Block[], { old, now, skipped }: Stretch): Generator<string> {
  const first = blocks[0]!;
  const last = blocks.at(-1)!;
  const lead = Math.min(CONTEXT_LINES, first.oldStart);
  const trail = Math.min(CONTEXT_LINES, old.count - last.oldEnd);
  const oldStart = first.oldStart - lead;
  const newStart = first.newStart - lead;
  const oldRange = range(skipped + oldStart, last.oldEnd + trail - oldStart);
  yield `@@ -${oldRange} +${range(skipped + newStart, last.newEnd + trail - newStart)} @@\n`;
  let at = oldStart;
  for (const block of blocks) {
    for (; at < block.oldStart; at++) yield line(' ', old.lines[at]!);
    for (; at < block.oldEnd; at++) yield line('-', old.lines[at]!);
    for (let added = block.newStart; added < block.newEnd; added++) yield line('+', now.lines[added]!);
  }
  for (; at < last.oldEnd + trail; at++) yield line(' ', old.lines[at]!);
}

function range(start: number, count: number): string {
  return count === 1 ? String(start + 1) : `${count === 0 ? start : start + 1},${count}`;
}

function line(sign: string, text: string): string {
  return text.endsWith('\n') ? `${sign}${text}` : `${sign}${text}\n\\ No newline at end of file\n`;
}
