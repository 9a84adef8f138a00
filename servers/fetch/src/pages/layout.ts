import type { Reading } from '../reading/reading.ts';

/** Lines that mean something only together, so that a part of them needs the beginning again. */
export interface Block {
  readonly kind: 'fence' | 'table';
  /** its first line, and behind its last */
  readonly start: number;
  readonly end: number;
  /** where its content begins */
  readonly body: number;
  /** what makes a part of it whole: lines before it, and the one that ends it */
  readonly open: string;
  readonly close: string;
}

/** Where a text may be cut, found once. */
export interface Layout {
  readonly text: string;
  readonly blocks: readonly Block[];
  /** where headings and pages of paper begin, in order */
  readonly breaks: readonly number[];
  /** beginnings that pages were told to go on at, and are not moved any more */
  readonly offered: Set<number>;
}

const layouts = new WeakMap<Reading, Layout>();

/** The layout of a reading, made at its first use. A source is what it is: it has no fences and tables to repair. */
export function layoutOf(reading: Reading, { verbatim = false }: { verbatim?: boolean } = {}): Layout {
  const known = layouts.get(reading);
  if (known !== undefined) return known;
  const { text, headings, pages = [] } = reading;
  const breaks = [...headings.map(({ at }) => at), ...pages].filter((at) => at > 0).sort((a, b) => a - b);
  const layout = { text, blocks: verbatim ? [] : blocksOf(text), breaks, offered: new Set<number>() };
  layouts.set(reading, layout);
  return layout;
}

/** The block that a place is inside of: behind its first character and before its end. */
export function blockAt({ blocks }: Layout, at: number): Block | undefined {
  const block = blocks[lastBelow(blocks.length, (index) => blocks[index]!.start < at)];
  return block !== undefined && at < block.end ? block : undefined;
}

/** The last heading or page that begins in front of a place or at it. */
export function breakBefore({ breaks }: Layout, at: number): number | undefined {
  return breaks[lastBelow(breaks.length, (index) => breaks[index]! <= at)];
}

/** The last index for which something holds that holds for all before it; -1 for none. */
export function lastBelow(count: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

const FENCE = /^([ \t>]*)((?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})([^\n]*)/;
const FENCE_END = /^[ \t>]*(`+|~+)[ \t]*$/;

function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let before = -1;
  for (let start = 0; start < text.length; ) {
    const next = nextLine(text, start);
    const mark = markOf(text, start, next);
    let block: Block | undefined;
    if (mark === 'fence') block = fenceAt(text, start, next);
    else if (mark === 'table' && before !== -1) block = tableAt(text, before, start, next);
    if (block === undefined) {
      before = start;
      start = next;
    } else {
      blocks.push(block);
      before = -1;
      start = block.end;
    }
  }
  return blocks;
}

/** What a line may belong to, by its first signs. */
function markOf(text: string, start: number, end: number): 'fence' | 'table' | undefined {
  for (let at = start; at < end; at++) {
    const sign = text[at]!;
    if ((sign === '`' || sign === '~') && text.startsWith(sign.repeat(3), at)) return 'fence';
    if (sign === '|' || sign === ':') return 'table';
    if (sign === '-' && text[at + 1] !== ' ') return 'table';
    if (!' \t>-*+0123456789.)'.includes(sign)) return undefined;
  }
  return undefined;
}

function fenceAt(text: string, start: number, body: number): Block | undefined {
  const line = lineAt(text, start, body);
  const match = FENCE.exec(line);
  if (match === null) return undefined;
  const [, indent = '', marker = '', fence = '', info = ''] = match;
  if (fence.startsWith('`') && info.includes('`')) return undefined;
  const lead = indent + ' '.repeat(marker.length);
  let end = body;
  while (end < text.length) {
    const at = end;
    end = nextLine(text, at);
    if (FENCE_END.exec(lineAt(text, at, end))?.[1]?.startsWith(fence)) break;
  }
  return { kind: 'fence', start, end, body, open: `${lead}${fence}${info}\n`, close: lead + fence };
}

function tableAt(text: string, head: number, delimiter: number, body: number): Block | undefined {
  const line = lineAt(text, delimiter, body);
  if (line.length > 10_000 || !line.includes('|') || !isDelimiter(line)) return undefined;
  if (!lineAt(text, head, delimiter).includes('|')) return undefined;
  let end = body;
  while (end < text.length) {
    const next = nextLine(text, end);
    if (!lineAt(text, end, next).includes('|')) break;
    end = next;
  }
  return { kind: 'table', start: head, end, body, open: text.slice(head, body), close: '' };
}

/** Whether a line parts the head of a table from its rows. */
function isDelimiter(line: string): boolean {
  const cells = line
    .replace(/^[ \t>]+/, '')
    .split('|')
    .map((cell) => cell.trim());
  if (cells[0] === '') cells.shift();
  if (cells.at(-1) === '') cells.pop();
  return cells.length > 0 && cells.every((cell) => /^:?-+:?$/.test(cell));
}

function lineAt(text: string, start: number, end: number): string {
  return text.slice(start, text[end - 1] === '\n' ? end - 1 : end);
}

/** Where the line behind the one at a place begins. */
export function nextLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end + 1;
}

/** Where the line of a place begins. */
export function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}
