/** From where to behind where. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const AROUND = 4096;
const BARE = /<[a-z][a-z0-9+.-]*:[^>\s]*>|\bhttps?:\/\/[^\s<>]+/giy;

/** The Markdown link or address that a place is inside of, looked for in its own line. */
export function linkAround(text: string, at: number): Span | undefined {
  const from = Math.max(text.lastIndexOf('\n', at - 1) + 1, at - AROUND);
  const newline = text.indexOf('\n', at);
  const to = Math.min(newline === -1 ? text.length : newline, at + AROUND);
  for (let index = from; index < at; index++) {
    const end = linkEnd(text, index, to);
    if (end === undefined) continue;
    if (end > at) return { start: text[index - 1] === '!' ? index - 1 : index, end };
    index = end - 1;
  }
  return undefined;
}

function linkEnd(text: string, at: number, to: number): number | undefined {
  const sign = text[at]!;
  if (sign === '[') {
    const bracket = closing(text, at, to, '[', ']');
    if (bracket === undefined) return undefined;
    const next = text[bracket];
    if (next === '(') return closing(text, bracket, to, '(', ')');
    return next === '[' ? closing(text, bracket, to, '[', ']') : undefined;
  }
  if (sign !== '<' && sign !== 'h' && sign !== 'H') return undefined;
  BARE.lastIndex = at;
  const match = BARE.exec(text);
  return match === null ? undefined : Math.min(at + match[0].length, to);
}

/** Behind the sign that closes what opens at a place. */
function closing(text: string, at: number, to: number, open: string, close: string): number | undefined {
  let depth = 0;
  for (let index = at; index < to; index++) {
    const sign = text[index];
    if (sign === '\\') index++;
    else if (sign === open) depth++;
    else if (sign === close && --depth === 0) return index + 1;
  }
  return undefined;
}

let segmenter: Intl.Segmenter | undefined;
const NEAR = 64;

/** Where the character that a reader sees at a place begins; `from` is as far back as it may go. */
export function characterStart(text: string, at: number, from = 0): number {
  if (at <= from || at >= text.length) return at;
  segmenter ??= new Intl.Segmenter();
  let start = Math.max(from, at - NEAR);
  if (isInPair(text, start)) start--;
  const segment = segmenter.segment(text.slice(start, at + NEAR)).containing(at - start);
  return segment === undefined ? at : start + segment.index;
}

/** Whether a place is between the two halves of a character. */
export function isInPair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const here = text.charCodeAt(at);
  return before >= 0xd800 && before <= 0xdbff && here >= 0xdc00 && here <= 0xdfff;
}
