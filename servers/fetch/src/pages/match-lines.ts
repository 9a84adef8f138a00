import { lineStart, nextLine } from './layout.ts';
import type { Matcher } from './matcher.ts';
import { headingsAbove } from './outline.ts';
import type { SearchableText } from './searchable-text.ts';
import type { Span } from './spans.ts';

/** A line with matches, or a part of a long line. */
export interface Found {
  /** positions of the matches in the whole text */
  readonly spans: readonly Span[];
  /** the headings above it, the outermost first */
  readonly path: readonly string[];
  /** the visible part of the line, and its position in the whole text */
  readonly line: string;
  readonly at: number;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

const LONGEST_EXCERPT = 240;

/** Returns the line at a position, with its line end, or a part of a long line. */
export function excerptAround(text: string, at: number, end: number): Span {
  const near = text.slice(Math.max(0, at - LONGEST_EXCERPT / 2), at);
  const start = at - near.length + near.lastIndexOf('\n') + 1;
  const ahead = text.slice(at, Math.min(end, start + LONGEST_EXCERPT)).indexOf('\n');
  return { start, end: ahead === -1 ? Math.min(end, start + LONGEST_EXCERPT) : at + ahead + 1 };
}

/** Returns the matches in an excerpt, the known first one included; none that ends after `last`. */
export function spansOf(match: Matcher, first: Span, { end }: Span, last: number): Span[] {
  const spans = [first];
  for (let at = first.end; at < end; ) {
    const span = match(at, end);
    if (span === undefined || span.end > last) break;
    spans.push(span);
    at = span.end;
  }
  return spans;
}

/** Returns matches with their line and so many lines above and below. */
export function describeFound(
  page: SearchableText,
  spans: readonly Span[],
  excerpt: Span,
  contextLines: number,
): Found {
  const { text } = page;
  const before: string[] = [];
  const after: string[] = [];
  for (let at = lineStart(text, excerpt.start); at > 0 && before.length < contextLines; ) {
    const above = lineStart(text, at - 1);
    before.unshift(clip(text, above, at));
    at = above;
  }
  for (let at = nextLine(text, excerpt.end - 1); at < text.length && after.length < contextLines; ) {
    const below = nextLine(text, at);
    after.push(clip(text, at, below));
    at = below;
  }
  const last = Math.max(excerpt.end, spans.at(-1)!.end);
  const path = headingsAbove(page, spans[0]!.start);
  return { spans, path, line: clip(text, excerpt.start, last), at: excerpt.start, before, after };
}

/** Returns a range of a text on one line, shortened, with ellipses at cuts. */
function clip(text: string, from: number, end: number): string {
  const last = Math.min(end, from + 2 * LONGEST_EXCERPT);
  const whole = text
    .slice(from, last)
    .replace(/\r?\n$/, '')
    .toWellFormed();
  const led = from > 0 && text[from - 1] !== '\n';
  const more = last < text.length && text[last - 1] !== '\n' && text[last] !== '\n';
  return `${led ? '…' : ''}${whole}${more ? '…' : ''}`;
}
