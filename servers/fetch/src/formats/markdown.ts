import { removeInvisible } from '../markdown/invisible.ts';
import { LinkList } from '../markdown/link-list.ts';
import { resolveUrl } from '../markdown/urls.ts';
import { type Heading, type Link, type Metadata, nothingRemoved, type Reading } from '../reading/reading.ts';
import type { TextInput } from './input.ts';
import { withLineFeeds, writtenLinks } from './plain-text.ts';

const MOST_LINKS = 2000;

/** Returns Markdown without comments, invisible characters and harmful links. */
export function readMarkdown({ text: source, charset, mediaType, url }: TextInput): Reading {
  const visible = removeInvisible(withLineFeeds(source));
  const parts = splitCode(visible.text);
  const counts = { hidden: 0, links: 0 };
  const text = parts.map(({ text: part, isCode }) => (isCode ? part : withoutHarm(part, counts))).join('');
  const headings = headingsOf(text);
  return {
    kind: 'markdown',
    mediaType,
    text,
    charset,
    headings,
    links: linksOf(text, url),
    metadata: frontMatter(text, headings),
    removed: { ...nothingRemoved, ...counts, invisible: visible.removed },
  };
}

interface Part {
  readonly text: string;
  /** fenced or in backticks, where nothing is Markdown */
  readonly isCode: boolean;
}

/** Yields the lines of a text with their line ends, and whether they are in a code fence. */
function* fencedLines(text: string): Generator<Part & { at: number }> {
  let fence: string | undefined;
  let at = 0;
  for (const line of text.split(/(?<=\n)/)) {
    const mark = /^ {0,3}(?:(?:[-*+>]|\d{1,9}[.)]) +)?(`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[1];
    const closes = fence !== undefined && mark?.startsWith(fence) === true && line.trim() === mark;
    yield { text: line, at, isCode: fence !== undefined || mark !== undefined };
    if (closes) fence = undefined;
    else fence ??= mark;
    at += line.length;
  }
}

/** Splits a text into code and prose. */
function splitCode(text: string): Part[] {
  const parts: Part[] = [];
  let prose = '';
  for (const { text: line, isCode } of fencedLines(text)) {
    if (!isCode) {
      prose += line;
      continue;
    }
    parts.push(...splitSpans(prose), { text: line, isCode });
    prose = '';
  }
  parts.push(...splitSpans(prose));
  return parts;
}

/** Splits prose at its code spans, each between two equal runs of backticks. */
function splitSpans(text: string): Part[] {
  const runs = [...text.matchAll(/`+/g)];
  // stacks of runs by length, the next one on top, so that each run is visited once
  const coming = new Map<number, number[]>();
  for (let index = runs.length - 1; index >= 0; index--) {
    const { length } = runs[index]![0];
    const same = coming.get(length);
    if (same === undefined) coming.set(length, [index]);
    else same.push(index);
  }
  const parts: Part[] = [];
  let at = 0;
  for (let index = 0; index < runs.length; index++) {
    const { 0: run, index: start } = runs[index]!;
    const same = coming.get(run.length)!;
    while (same.length > 0 && same.at(-1)! <= index) same.pop();
    const close = same.at(-1);
    if (close === undefined) continue;
    const end = runs[close]!.index + run.length;
    if (start > at) parts.push({ text: text.slice(at, start), isCode: false });
    parts.push({ text: text.slice(start, end), isCode: true });
    at = end;
    index = close;
  }
  if (at < text.length) parts.push({ text: text.slice(at), isCode: false });
  return parts;
}

const harmful = /^\s*(?:javascript|data|vbscript|blob|file):/i;

/** Removes HTML comments, and replaces harmful links by their text. */
function withoutHarm(text: string, counts: { hidden: number; links: number }): string {
  const withoutComments = text.replace(/<!--[\s\S]*?(?:-->|$)/g, () => {
    counts.hidden += 1;
    return '';
  });
  const drop = (words: string) => {
    counts.links += 1;
    return words;
  };
  return withoutComments
    .replace(
      /(!?)\[([^\][]*)\]\(\s*(?!\s)(?:<([^<>\n]*)>|([^\s()]*(?:\([^\s()]*\)[^\s()]*)*))(?:\)|\s[^)\n[]*\)?)/g,
      (...found) => {
        const [whole, , words, bracketed, bare] = found as string[]; // the match and its groups come first
        return harmful.test(bareTarget(bracketed ?? bare ?? '')) ? drop(words!) : whole!;
      },
    )
    .replace(/^( {0,3}\[[^\]\n\r\u2028\u2029]+\]:\s*)<?(\S+)>?.*$/gm, (whole, _label, target: string) =>
      harmful.test(bareTarget(target)) ? drop('') : whole,
    )
    .replace(/<(?:javascript|data|vbscript|blob|file):[^<>\n]*>/gi, () => drop(''))
    .replace(/\b(href|src)\s*=\s*("[^"\n]*"|'[^'\n]*'|[^\s>]+)/gi, (whole, _name, value: string) =>
      harmful.test(bareTarget(value.replace(/^["']/, ''))) ? drop('') : whole,
    );
}

/** Returns a link target without escapes, character references and white space that renderers ignore. */
function bareTarget(target: string): string {
  return target
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(
      /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(colon|tab|newline));?/gi,
      (whole, hex?: string, decimal?: string, name?: string) => {
        if (name !== undefined) return name.toLowerCase() === 'colon' ? ':' : '';
        const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
        return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
      },
    )
    .replace(/\p{Cc}|^ +|(?<! ) +$/gu, '');
}

/** Returns the ATX and setext headings, outside code and front matter. */
function headingsOf(text: string): Heading[] {
  const headings: Heading[] = [];
  const begin = frontBlock(text)?.[0].length ?? 0;
  let before = { text: '', at: 0 };
  for (const { text: line, at, isCode } of fencedLines(text)) {
    const atx = /^ {0,3}(#{1,6})(?![^ \t\n])/.exec(line);
    const under = /^ {0,3}(=+|-+)[ \t]*\n?$/.exec(line);
    const counts = !isCode && at >= begin;
    if (counts && atx !== null) addHeading(headings, atx[1]!.length, unclosed(line.slice(atx[0].length)), at);
    else if (counts && under !== null && isParagraph(before.text))
      addHeading(headings, under[1]!.startsWith('=') ? 1 : 2, before.text, before.at);
    before = counts && atx === null && under === null ? { text: line, at } : { text: '', at };
  }
  return headings;
}

/** Returns the text of a heading without its closing sequence. */
function unclosed(rest: string): string {
  return rest.trim().replace(/(?<![ \t])[ \t]+#+$/, '');
}

function addHeading(headings: Heading[], level: number, source: string, at: number): void {
  const text = plainWords(source);
  if (text !== '') headings.push({ level, text, at });
}

/** Returns whether a line can be a setext heading: not a list item, quotation or table row. */
function isParagraph(line: string): boolean {
  return line.trim() !== '' && !/^ {0,3}(?:[-*+>|]|\d+[.)])(?:[ \t|]|$)|^ {4}|^\s*\|/.test(line);
}

function frontBlock(text: string): RegExpExecArray | null {
  return /^---[ \t]*\n([\s\S]{0,10000}?)\n---[ \t]*(?:\n|$)/.exec(text);
}

/** Returns the text of a heading without markers. */
function plainWords(source: string): string {
  return source
    .replace(/!?\[([^\][]*)\](?:\([^()]*\)|\[[^\]]*\])/g, '$1')
    .replace(/[*`]|<[^<>]*>|\\(?=[!-/:-@[-`{-~])/g, '')
    .trim()
    .slice(0, 1000);
}

const INLINE =
  /(?<!!)\[((?:[^\][]|!\[[^\][]*\]\([^()[\s]*\)){0,1000})\]\(\s*(?:<([^<>\n]*)>|([^\s()]+(?:\([^\s()]*\)[^\s()]*)*))/g;
const DEFINED = /^ {0,3}\[([^\]\n\r\u2028\u2029^]+)\]:\s*<?([^\s>]+)/gm;

function linksOf(text: string, base: string): Link[] {
  const links = new LinkList(MOST_LINKS);
  const add = (href: string, words: string) => {
    const url = href.startsWith('#') ? undefined : resolveUrl(bareTarget(href), base);
    if (url !== undefined) links.add({ url, text: words, place: 'content' });
  };
  for (const { text: part, isCode } of splitCode(text)) {
    if (isCode) continue;
    for (const [, words, bracketed, bare] of part.matchAll(INLINE))
      add(bracketed ?? bare!, plainWords(words!));
    for (const [, words, target] of part.matchAll(DEFINED)) add(target!, words!);
    // without the links found above, so that none counts twice
    for (const link of writtenLinks(part.replace(INLINE, '').replace(DEFINED, ''), base)) links.add(link);
  }
  return links.all();
}

/** Returns the title, description, author and date of YAML front matter, or the title of the first heading. */
function frontMatter(text: string, headings: readonly Heading[]): Metadata {
  const block = frontBlock(text)?.[1];
  const value = (name: string) => {
    const line = new RegExp(`^${name}:[ \\t]*(\\S.*)$`, 'm').exec(block ?? '')?.[1]?.trim();
    return line?.replace(/^(["'])(.*)\1$/, '$2').slice(0, 1000);
  };
  const found: Metadata =
    block === undefined
      ? {}
      : {
          title: value('title'),
          description: value('description'),
          author: value('author'),
          published: value('date'),
          language: value('lang(?:uage)?'),
        };
  const title = found.title ?? headings.find(({ level }) => level === 1)?.text;
  return Object.fromEntries(Object.entries({ ...found, title }).filter(([, each]) => each !== undefined));
}
