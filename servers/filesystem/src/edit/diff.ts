const CONTEXT_LINES = 3;

interface Block {
  /** first line of the old text that differs, from 0 */
  oldStart: number;
  oldEnd: number;
  newStart: number;
  newEnd: number;
}

/**
 * A unified diff of two texts whose differences are few: equal lines at both ends and between anchors are skipped,
 * so that the cost grows with the change and not with the square of the file.
 */
export function unifiedDiff(path: string, before: string, after: string): string {
  const old = splitLines(before);
  const now = splitLines(after);
  const blocks = differences(old, now);
  if (blocks.length === 0) return '';
  const hunks = join(blocks).map((group) => renderHunk(group, old, now));
  return `--- ${path}\n+++ ${path}\n${hunks.join('')}`;
}

/** Lines with their ends, so that a changed line end shows as a change. */
function splitLines(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

function differences(old: readonly string[], now: readonly string[]): Block[] {
  const blocks: Block[] = [];
  divide(old, now, { oldStart: 0, oldEnd: old.length, newStart: 0, newEnd: now.length }, blocks);
  return blocks;
}

/** Patience: lines that occur once on both sides anchor the rest. */
function divide(old: readonly string[], now: readonly string[], range: Block, blocks: Block[]): void {
  const rest = trim(old, now, range);
  if (rest.oldStart === rest.oldEnd && rest.newStart === rest.newEnd) return;
  const anchors = commonUnique(old, now, rest);
  if (anchors.length === 0) {
    blocks.push(rest);
    return;
  }
  let { oldStart, newStart } = rest;
  for (const [oldLine, newLine] of [...anchors, [rest.oldEnd, rest.newEnd] as const]) {
    divide(old, now, { oldStart, oldEnd: oldLine, newStart, newEnd: newLine }, blocks);
    oldStart = oldLine + 1;
    newStart = newLine + 1;
  }
}

function trim(old: readonly string[], now: readonly string[], range: Block): Block {
  let { oldStart, oldEnd, newStart, newEnd } = range;
  while (oldStart < oldEnd && newStart < newEnd && old[oldStart] === now[newStart]) {
    oldStart += 1;
    newStart += 1;
  }
  while (oldStart < oldEnd && newStart < newEnd && old[oldEnd - 1] === now[newEnd - 1]) {
    oldEnd -= 1;
    newEnd -= 1;
  }
  return { oldStart, oldEnd, newStart, newEnd };
}

function commonUnique(
  old: readonly string[],
  now: readonly string[],
  range: Block,
): (readonly [number, number])[] {
  const oldOnce = onceIn(old, range.oldStart, range.oldEnd);
  const newOnce = onceIn(now, range.newStart, range.newEnd);
  const pairs: (readonly [number, number])[] = [];
  for (const [line, at] of oldOnce) {
    const other = newOnce.get(line);
    if (at >= 0 && other !== undefined && other >= 0) pairs.push([at, other]);
  }
  return longestRising(pairs.sort((a, b) => a[0] - b[0]));
}

/** Lines to their place, or -1 when they occur more than once. */
function onceIn(lines: readonly string[], start: number, end: number): Map<string, number> {
  const places = new Map<string, number>();
  for (let at = start; at < end; at++) places.set(lines[at]!, places.has(lines[at]!) ? -1 : at);
  return places;
}

/** The longest run of pairs that rises on both sides. */
function longestRising(pairs: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  const ends: number[] = [];
  const before: (number | undefined)[] = [];
  for (const [index, [, value]] of pairs.entries()) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[ends[middle]!]![1] < value) low = middle + 1;
      else high = middle;
    }
    before[index] = low > 0 ? ends[low - 1] : undefined;
    ends[low] = index;
  }
  const run: (readonly [number, number])[] = [];
  for (let at = ends.at(-1); at !== undefined; at = before[at]) run.unshift(pairs[at]!);
  return run;
}

/** Groups blocks whose context would touch. */
function join(blocks: readonly Block[]): Block[][] {
  const groups: Block[][] = [];
  for (const block of blocks) {
    const previous = groups.at(-1)?.at(-1);
    if (previous !== undefined && block.oldStart - previous.oldEnd <= 2 * CONTEXT_LINES)
      groups.at(-1)!.push(block);
    else groups.push([block]);
  }
  return groups;
}

function renderHunk(blocks: readonly Block[], old: readonly string[], now: readonly string[]): string {
  const first = blocks[0]!;
  const last = blocks.at(-1)!;
  const lead = Math.min(CONTEXT_LINES, first.oldStart);
  const trail = Math.min(CONTEXT_LINES, old.length - last.oldEnd);
  const oldStart = first.oldStart - lead;
  const newStart = first.newStart - lead;
  const lines: string[] = [];
  let at = oldStart;
  for (const block of blocks) {
    for (; at < block.oldStart; at++) lines.push(line(' ', old[at]!));
    for (; at < block.oldEnd; at++) lines.push(line('-', old[at]!));
    for (let added = block.newStart; added < block.newEnd; added++) lines.push(line('+', now[added]!));
  }
  for (; at < last.oldEnd + trail; at++) lines.push(line(' ', old[at]!));
  const oldCount = last.oldEnd + trail - oldStart;
  const newCount = last.newEnd + trail - newStart;
  return `@@ -${range(oldStart, oldCount)} +${range(newStart, newCount)} @@\n${lines.join('')}`;
}

function range(start: number, count: number): string {
  return count === 1 ? String(start + 1) : `${count === 0 ? start : start + 1},${count}`;
}

function line(sign: string, text: string): string {
  return text.endsWith('\n') ? `${sign}${text}` : `${sign}${text}\n\\ No newline at end of file\n`;
}
