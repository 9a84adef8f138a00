import { WebError } from '../failure.ts';
import type { Heading } from '../reading/reading.ts';
import { fold } from './case-folding.ts';
import { lastBelow } from './layout.ts';
import type { SearchableText } from './searchable-text.ts';
import type { Span } from './spans.ts';

/** A heading with its section: up to the next heading of the same or a higher level. */
export interface Section extends Heading {
  /** its number in the outline, such as 2.1; unique */
  readonly number: string;
  /** end of the section, including subsections */
  readonly end: number;
  /** end of its own text, up to the next heading of any level */
  readonly ownEnd: number;
  /** index of the parent section */
  readonly parent: number | undefined;
}

const outlines = new WeakMap<SearchableText, readonly Section[]>();

/** Returns the sections of a page in order. */
export function outlineOf(page: SearchableText): readonly Section[] {
  const known = outlines.get(page);
  if (known !== undefined) return known;
  const outline = makeOutline(page);
  outlines.set(page, outline);
  return outline;
}

interface Open {
  readonly index: number;
  readonly number: string;
  readonly level: number;
  children: number;
}

function makeOutline({ headings, text }: SearchableText): Section[] {
  const sections: { -readonly [K in keyof Section]: Section[K] }[] = [];
  const open: Open[] = [];
  let roots = 0;
  for (const [index, heading] of headings.entries()) {
    while (open.length > 0 && open.at(-1)!.level >= heading.level)
      sections[open.pop()!.index]!.end = heading.at;
    const above = open.at(-1);
    const number = above === undefined ? `${++roots}` : `${above.number}.${++above.children}`;
    const ownEnd = headings[index + 1]?.at ?? text.length;
    sections.push({ ...heading, number, end: text.length, ownEnd, parent: above?.index });
    open.push({ index, number, level: heading.level, children: 0 });
  }
  return sections;
}

/** Returns the headings above a position, the outermost first. */
export function headingsAbove(page: SearchableText, at: number): string[] {
  const outline = outlineOf(page);
  const path: string[] = [];
  let index: number | undefined = lastBelow(outline.length, (one) => outline[one]!.at <= at);
  while (index !== undefined && index >= 0) {
    path.unshift(outline[index]!.text);
    index = outline[index]!.parent;
  }
  return path;
}

const SUGGESTED = 5;

/**
 * Returns the section with a number (`2.1`) or a heading, ignoring case and accents: an equal heading, else one that
 * begins with the text, else one that contains it. Throws a failure that lists sections if several match or none.
 */
export function sectionOf(page: SearchableText, name: string): Section {
  const outline = outlineOf(page);
  const numbered = outline.find(({ number }) => number === name.trim());
  if (numbered !== undefined) return numbered;
  const wanted = tidy(name);
  const tests = [
    (text: string) => text === wanted,
    (text: string) => text.startsWith(wanted),
    (text: string) => text.includes(wanted),
  ];
  for (const test of wanted === '' ? [] : tests) {
    const found = outline.filter(({ text }) => test(tidy(text)));
    if (found.length === 1) return found[0]!;
    if (found.length > 1) throw severalSections(name, found);
  }
  throw noSection(name, outline);
}

/** Returns the range of a section in the text. */
export function spanOf({ at, end }: Section): Span {
  return { start: at, end };
}

function tidy(text: string): string {
  return fold(text.replace(/^#+\s*/, ''))
    .replace(/\s+/g, ' ')
    .trim();
}

function severalSections(name: string, found: readonly Section[]): WebError {
  return new WebError(`${found.length} sections are called ${JSON.stringify(name)}`, {
    code: 'not-found',
    hint: `give one of their numbers as section: ${listed(found)}`,
  });
}

function noSection(name: string, outline: readonly Section[]): WebError {
  const hint =
    outline.length === 0
      ? 'the page has no headings; leave out section'
      : `call get_outline for all sections; the first are ${listed(outline)}`;
  return new WebError(`the page has no section ${JSON.stringify(name)}`, { code: 'not-found', hint });
}

function listed(sections: readonly Section[]): string {
  const named = sections.slice(0, SUGGESTED).map(({ number, text }) => `${number} ${text.slice(0, 80)}`);
  const rest = sections.length - named.length;
  return named.join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}
