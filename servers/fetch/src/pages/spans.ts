/** A range of a text; the end is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const AROUND = 4096;
const BARE = /<[a-z][a-z0-9+.-]*:[^<>\s]*>|\bhttps?:\/\/[^\s<>]+/giy;

/** Returns the Markdown link or URL that contains a position, within one line. */
export function linkAround(text: string, at: number): Span | undefined {
  const from = Math.max(text.lastIndexOf('\n', at - 1) + 1, at - AROUND);
  const newline = text.indexOf('\n', at);
  const line = text.slice(from, Math.min(newline === -1 ? text.length : newline, at + AROUND));
  const closes = closesIn(line);
  for (let index = 0; index < at - from; index++) {
    const end = linkEnd(line, index, closes);
    if (end === undefined) continue;
    if (end > at - from)
      return { start: from + (line[index - 1] === '!' ? index - 1 : index), end: from + end };
    index = end - 1;
  }
  return undefined;
}

function linkEnd(line: string, at: number, closes: ReadonlyMap<number, number>): number | undefined {
  const sign = line[at]!;
  if (sign === '[') {
    const bracket = closes.get(at);
    return bracket === undefined ? undefined : closes.get(bracket);
  }
  if (sign !== '<' && sign !== 'h' && sign !== 'H') return undefined;
  BARE.lastIndex = at;
  const match = BARE.exec(line);
  return match === null ? undefined : at + match[0].length;
}

const closers: Readonly<Record<string, string>> = { ']': '[', ')': '(' };

/** Returns the position after the closing bracket of each matched bracket of a line, in one pass. */
function closesIn(line: string): Map<number, number> {
  const closes = new Map<number, number>();
  const open: Record<string, number[]> = { '[': [], '(': [] };
  for (let at = 0; at < line.length; at++) {
    const sign = line[at]!;
    if (sign === '\\') at++;
    else if (Object.hasOwn(open, sign)) open[sign]!.push(at);
    else if (Object.hasOwn(closers, sign)) {
      const start = open[closers[sign]!]!.pop();
      if (start !== undefined) closes.set(start, at + 1);
    }
  }
  return closes;
}

let segmenter: Intl.Segmenter | undefined;
const NEAR = 64;

/** Returns the start of the grapheme at a position, at least `from`. */
export function characterStart(text: string, at: number, from = 0): number {
  if (at <= from || at >= text.length) return at;
  segmenter ??= new Intl.Segmenter();
  let start = Math.max(from, at - NEAR);
  if (isInPair(text, start)) start--;
  const segment = segmenter.segment(text.slice(start, at + NEAR)).containing(at - start);
  return segment === undefined ? at : start + segment.index;
}

/** Returns whether a position is inside a surrogate pair. */
export function isInPair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const here = text.charCodeAt(at);
  return before >= 0xd800 && before <= 0xdbff && here >= 0xdc00 && here <= 0xdfff;
}
