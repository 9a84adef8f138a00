import { type Block, blockAt, breakBefore, type Layout, lineStart } from './layout.ts';
import { characterStart, isInPair, linkAround, type Span } from './spans.ts';

/**
 * Returns the end of a page that begins at `start`, at most `limit`: before a heading, else at the end of a paragraph,
 * a line, a sentence, a word or a character. The page is at least half full.
 */
export function cutBefore(layout: Layout, start: number, limit: number): number {
  const least = start + Math.ceil((limit - start) / 2);
  return (
    atBreak(layout, least, limit) ??
    atParagraph(layout, least, limit) ??
    atLine(layout, start, least, limit) ??
    insideLine(layout.text, start, least, limit)
  );
}

function atBreak(layout: Layout, least: number, limit: number): number | undefined {
  const at = breakBefore(layout, limit);
  return at !== undefined && at >= least ? at : undefined;
}

function atParagraph(layout: Layout, least: number, limit: number): number | undefined {
  const found = layout.text.slice(least, limit).lastIndexOf('\n\n');
  if (found === -1) return undefined;
  const at = least + found + 2;
  const block = blockAt(layout, at);
  if (block === undefined) return at;
  return block.start >= least ? block.start : undefined;
}

function atLine(layout: Layout, start: number, least: number, limit: number): number | undefined {
  const found = layout.text.slice(least, limit).lastIndexOf('\n');
  if (found === -1) return undefined;
  const at = least + found + 1;
  const block = blockAt(layout, at);
  // a part of a block with only its beginning has no content
  return block !== undefined && at <= block.body && block.start > start ? block.start : at;
}

const SENTENCE_END = '.!?…';
const WIDE_SENTENCE_END = '。！？';
const CLOSING = '"\'”’»)]*_';

function insideLine(text: string, start: number, least: number, limit: number): number {
  const wanted = atSentence(text, least, limit) ?? atWord(text, least, limit);
  const at = wanted ?? characterCut(text, start, limit);
  const link = linkAround(text, at);
  return link === undefined ? at : (besideLink(link, start, limit) ?? at);
}

function atSentence(text: string, least: number, limit: number): number | undefined {
  for (let at = limit; at > least; at--) {
    const before = text[at - 1]!;
    if (WIDE_SENTENCE_END.includes(before)) return at;
    if (before === ' ' && endsSentence(text, at - 1)) return at;
  }
  return undefined;
}

function endsSentence(text: string, at: number): boolean {
  let index = at - 1;
  while (CLOSING.includes(text[index] ?? 'x')) index--;
  return SENTENCE_END.includes(text[index] ?? 'x');
}

function atWord(text: string, least: number, limit: number): number | undefined {
  for (let at = limit; at > least; at--) if (isSpace(text, at - 1)) return at;
  return undefined;
}

function characterCut(text: string, start: number, limit: number): number {
  const at = characterStart(text, limit, start);
  if (at > start) return at;
  // a character larger than the page is split between code points, after at least one of them
  const whole = isInPair(text, limit) ? limit - 1 : limit;
  return whole > start ? whole : limit + 1;
}

function besideLink(link: Span, start: number, limit: number): number | undefined {
  if (link.start > start) return link.start;
  return link.end <= limit ? link.end : undefined;
}

export interface Beginning {
  readonly at: number;
  /** the construct that contains the requested position */
  readonly inside?: 'table row' | 'line of code' | 'link' | 'word' | 'character' | undefined;
}

/**
 * Returns the start of a page that was requested from a position: that position, or a little before it if it is inside
 * a construct.
 */
export function beginningOf(layout: Layout, at: number, reach: number): Beginning {
  const { text, offered } = layout;
  if (at === 0 || at >= text.length || offered.has(at)) return { at };
  const block = blockAt(layout, at);
  if (block !== undefined) return inBlock(text, block, at, reach);
  if (lineStart(text, at) === at) return { at };
  const link = linkAround(text, at);
  if (link !== undefined && at - link.start <= reach) return { at: link.start, inside: 'link' };
  for (let word = at; word > 0 && at - word <= reach; word--)
    if (isSpace(text, word - 1)) return word === at ? { at } : { at: word, inside: 'word' };
  return inCharacter(text, at);
}

function inBlock(text: string, block: Block, at: number, reach: number): Beginning {
  const line = at < block.body ? block.start : lineStart(text, at);
  if (line === at || at - line > reach) return inCharacter(text, at);
  return { at: line, inside: block.kind === 'table' ? 'table row' : 'line of code' };
}

function inCharacter(text: string, at: number): Beginning {
  const character = characterStart(text, at);
  return character === at ? { at } : { at: character, inside: 'character' };
}

function isSpace(text: string, at: number): boolean {
  const sign = text[at];
  return (
    sign === ' ' || sign === '\n' || sign === '\t' || sign === '\r' || sign === '\u00a0' || sign === '\u3000'
  );
}
