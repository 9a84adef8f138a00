import type { Reading } from '../reading/reading.ts';

/** Lines that need their beginning to be understood: a code fence or a table. */
export interface Block {
  readonly kind: 'fence' | 'table';
  /** start of the first line, and end of the last */
  readonly start: number;
  readonly end: number;
  /** start of its content */
  readonly body: number;
  /** the lines that have to precede a part of it, and the line that closes it */
  readonly open: string;
  readonly close: string;
}

/** The positions at which a text may be cut. */
export interface Layout {
  readonly text: string;
  readonly blocks: readonly Block[];
  /** positions of headings and PDF pages, in order */
  readonly breaks: readonly number[];
  /** positions that were returned as `next`, which stay page starts */
  readonly offered: Set<number>;
}

const layouts = new WeakMap<Reading, Layout>();

/** Returns the layout of a reading, computed once. Source text is verbatim: it has no fences and tables to repair. */
export function layoutOf(reading: Reading, { verbatim = false }: { verbatim?: boolean } = {}): Layout {
  const known = layouts.get(reading);
  if (known !== undefined) return known;
  const { text, headings, pages = [] } = reading;
  const breaks = [...headings.map(({ at }) => at), ...pages].filter((at) => at > 0).sort((a, b) => a - b);
  const layout = { text, blocks: verbatim ? [] : blocksOf(text), breaks, offered: new Set<number>() };
  layouts.set(reading, layout);
  return layout;
}

/** Returns the block that contains a position after its first character. */
export function blockAt({ blocks }: Layout, at: number): Block | undefined {
  const block = blocks[lastBelow(blocks.length, (index) => blocks[index]!.start < at)];
  return block !== undefined && at < block.end ? block : undefined;
}

/** Returns the last heading or PDF page that begins at or before a position. */
export function breakBefore({ breaks }: Layout, at: number): number | undefined {
  return breaks[lastBelow(breaks.length, (index) => breaks[index]! <= at)];
}

/** Returns the last index for which a monotonic condition holds; -1 for none. */
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

/** Returns the kind of block that a line may belong to, by its first characters. */
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

/** Returns whether a line is the delimiter row of a table. */
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

/** Returns the start of the line after a position. */
export function nextLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end + 1;
}

/** Returns the start of the line of a position. */
export function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}
