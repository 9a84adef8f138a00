import { type Sliced, STEPS_IN_ONE_GO } from './slices.ts';

/** Ranges of lines that differ in two texts, counted from 0; the ends are excluded. */
export interface Block {
  oldStart: number;
  oldEnd: number;
  newStart: number;
  newEnd: number;
}

type Lines = readonly string[];
type Pair = readonly [old: number, now: number];

/** Each level compares every line again; the limit bounds the work for hostile texts. */
const MAX_DEPTH = 16;

/** Finds the differing blocks of two lists of lines by patience diff: lines that occur once on both sides are anchors. */
export function* findBlocks(old: Lines, now: Lines): Sliced<Block[]> {
  const blocks: Block[] = [];
  const all = { oldStart: 0, oldEnd: old.length, newStart: 0, newEnd: now.length };
  const pending = [{ range: all, depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    yield;
    const range = yield* trim(old, now, next.range);
    const sides = Number(range.oldStart < range.oldEnd) + Number(range.newStart < range.newEnd);
    if (sides === 0) continue;
    const anchors = sides === 2 && next.depth < MAX_DEPTH ? yield* findAnchors(old, now, range) : [];
    if (anchors.length === 0) {
      blocks.push(range);
      continue;
    }
    const depth = next.depth + 1;
    let { oldEnd, newEnd } = range;
    for (const [oldLine, newLine] of anchors) {
      pending.push({ range: { oldStart: oldLine + 1, oldEnd, newStart: newLine + 1, newEnd }, depth });
      oldEnd = oldLine;
      newEnd = newLine;
    }
    pending.push({ range: { ...range, oldEnd, newEnd }, depth });
  }
  return blocks;
}

function* trim(old: Lines, now: Lines, range: Block): Sliced<Block> {
  let { oldStart, oldEnd, newStart, newEnd } = range;
  while (oldStart < oldEnd && newStart < newEnd && old[oldStart] === now[newStart]) {
    oldStart += 1;
    newStart += 1;
    if (oldStart % STEPS_IN_ONE_GO === 0) yield;
  }
  while (oldStart < oldEnd && newStart < newEnd && old[oldEnd - 1] === now[newEnd - 1]) {
    oldEnd -= 1;
    newEnd -= 1;
    if (oldEnd % STEPS_IN_ONE_GO === 0) yield;
  }
  return { oldStart, oldEnd, newStart, newEnd };
}

/** Returns pairs of equal lines in ascending order on both sides, the last first. */
function* findAnchors(old: Lines, now: Lines, range: Block): Sliced<Pair[]> {
  const oldOnce = yield* onceIn(old, range.oldStart, range.oldEnd);
  const newOnce = yield* onceIn(now, range.newStart, range.newEnd);
  const pairs: Pair[] = [];
  let steps = 0;
  // a map keeps the order of insertion, so the pairs ascend on the old side
  for (const [line, at] of oldOnce) {
    const other = at < 0 ? undefined : newOnce.get(line);
    if (other !== undefined && other >= 0) pairs.push([at, other]);
    steps += 1;
    if (steps % STEPS_IN_ONE_GO === 0) yield;
  }
  return yield* longestRising(pairs);
}

/** Maps each line to its index, or to -1 if it occurs more than once. */
function* onceIn(lines: Lines, start: number, end: number): Sliced<Map<string, number>> {
  const places = new Map<string, number>();
  for (let at = start; at < end; at++) {
    places.set(lines[at]!, places.has(lines[at]!) ? -1 : at);
    if (at % STEPS_IN_ONE_GO === 0) yield;
  }
  return places;
}

/** Returns the longest subsequence of pairs that ascends on the new side as well, the last first. */
function* longestRising(pairs: readonly Pair[]): Sliced<Pair[]> {
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
    if (index % STEPS_IN_ONE_GO === 0) yield;
  }
  const run: Pair[] = [];
  for (let at = ends.at(-1); at !== undefined; at = before[at]) run.push(pairs[at]!);
  return run;
}
