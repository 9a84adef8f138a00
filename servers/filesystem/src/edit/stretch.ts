import { type Sliced, STEPS_IN_ONE_GO } from './slices.ts';

/** The lines of two texts without most of what is equal at both ends. */
export interface Stretch {
  old: Side;
  now: Side;
  /** lines before it, the same in both texts */
  skipped: number;
}

export interface Side {
  /** lines with their ends, so that a changed line end shows as a change; at most `MAX_LINES` */
  lines: string[];
  /** how many there are */
  count: number;
}

/** Most lines that are held of one side: a file can be nothing but line ends. */
export const MAX_LINES = 1_000_000;
const CHUNK_CHARACTERS = 65_536;

/** The stretch that holds all differences of two texts, with some equal lines on both sides. */
export function* findStretch(before: string, after: string, context: number): Sliced<Stretch> {
  const equal = yield* equalAtStart(before, after);
  const start = lineStart(before, equal, context);
  const room = Math.min(before.length, after.length) - equal;
  const kept = yield* equalAtEnd(before, after, room);
  const oldEnd = lineEnd(before, before.length - kept, context);
  const newEnd = after.length - (before.length - oldEnd);
  return {
    old: yield* splitLines(before.slice(start, oldEnd)),
    now: yield* splitLines(after.slice(start, newEnd)),
    skipped: (yield* splitLines(before.slice(0, start), 0)).count,
  };
}

function* equalAtStart(a: string, b: string): Sliced<number> {
  const most = Math.min(a.length, b.length);
  let equal = 0;
  while (equal < most) {
    const end = Math.min(most, equal + CHUNK_CHARACTERS);
    if (a.slice(equal, end) !== b.slice(equal, end)) break;
    equal = end;
    yield;
  }
  while (equal < most && a.charCodeAt(equal) === b.charCodeAt(equal)) equal += 1;
  return equal;
}

function* equalAtEnd(a: string, b: string, most: number): Sliced<number> {
  const endOf = (text: string, equal: number, end: number): string =>
    text.slice(text.length - end, text.length - equal);
  let equal = 0;
  while (equal < most) {
    const end = Math.min(most, equal + CHUNK_CHARACTERS);
    if (endOf(a, equal, end) !== endOf(b, equal, end)) break;
    equal = end;
    yield;
  }
  while (equal < most && a.charCodeAt(a.length - equal - 1) === b.charCodeAt(b.length - equal - 1))
    equal += 1;
  return equal;
}

/** Where the line of an offset begins, or one some lines above. */
function lineStart(text: string, offset: number, above: number): number {
  // lastIndexOf takes a negative position for 0
  const startOf = (at: number): number => (at <= 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1);
  let start = startOf(offset);
  for (let wanted = above; wanted > 0; wanted--) start = startOf(start - 1);
  return start;
}

/** The end of the line of an offset, or of one some lines below. */
function lineEnd(text: string, offset: number, below: number): number {
  let at = offset;
  for (let wanted = below + 1; wanted > 0 && at < text.length; wanted--) {
    const found = text.indexOf('\n', at);
    at = found < 0 ? text.length : found + 1;
  }
  return at;
}

function* splitLines(text: string, most = MAX_LINES): Sliced<Side> {
  const lines: string[] = [];
  let count = 0;
  for (let at = 0; at < text.length; ) {
    const found = text.indexOf('\n', at);
    const end = found < 0 ? text.length : found + 1;
    if (count < most) lines.push(text.slice(at, end));
    count += 1;
    at = end;
    if (count % STEPS_IN_ONE_GO === 0) yield;
  }
  return { lines, count };
}
