import type { Reading } from '../reading/reading.ts';
import { foldedOf, foldText } from './folding.ts';
import { lineStart, nextLine } from './layout.ts';
import { type Matcher, refuseQuery, wordsOf } from './matching.ts';
import { headingsAbove } from './outline.ts';
import type { Span } from './spans.ts';

export interface FindOptions {
  readonly query: string;
  /** `plain` (the default) sees no case, accents and kinds of quotes; `exact` is the text as it is; `regex` is RE2's */
  readonly mode?: 'plain' | 'exact' | 'regex' | undefined;
  readonly wholeWord?: boolean | undefined;
  /** of a regular expression: whether case counts */
  readonly caseSensitive?: boolean | undefined;
  /** lines above and below each match, 1 unless given */
  readonly contextLines?: number | undefined;
  /** lines with matches, or parts of long ones, at most; 20 unless given */
  readonly max?: number | undefined;
  /** where to go on, from `next` of the answer before */
  readonly from?: number | undefined;
  readonly within?: Span | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A line with matches, or of a long line a part. */
export interface Found {
  /** where each match is in the whole text */
  readonly spans: readonly Span[];
  /** the headings above it, the outermost first */
  readonly path: readonly string[];
  /** what is shown of the line, and where that begins in the whole text */
  readonly line: string;
  readonly at: number;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export interface FindResult {
  readonly found: readonly Found[];
  /** lines with matches from the beginning of the search on; undefined when time was over before all were seen */
  readonly total: number | undefined;
  readonly truncated: boolean;
  readonly next?: number | undefined;
}

const SLICE_MS = 10;
const MOST_MS = 2000;
const LONGEST_QUERY = 1000;

/** Where a page says something, with the lines around it. */
export async function findIn(reading: Reading, options: FindOptions): Promise<FindResult> {
  const { query, max = 20, contextLines = 1, signal } = options;
  const { text } = reading;
  const { start, end } = options.within ?? { start: 0, end: text.length };
  if (query === '') throw refuseQuery('the query is empty', 'say what to look for');
  if (query.length > LONGEST_QUERY)
    throw refuseQuery('the query is too long', `use ${LONGEST_QUERY} characters or fewer`);
  const search = await searchOf(reading, options);
  const found: Found[] = [];
  let total: number | undefined = 0;
  let next: number | undefined;
  const clock = new Clock(signal);
  for (let at = Math.max(options.from ?? start, start); at < end; ) {
    if (await clock.isOver()) {
      total = undefined;
      next ??= at;
      break;
    }
    const stop = Math.min(end, at + search.piece);
    const match = search.match(at, stop);
    if (match === undefined || match.end > end) {
      at = stop;
      continue;
    }
    const shown = shownAround(text, match.start, end);
    const spans = spansOf(search.match, match, shown, end);
    if (found.length < max) found.push(describe(reading, spans, shown, contextLines));
    else next ??= match.start;
    total++;
    at = Math.max(shown.end, spans.at(-1)!.end, at + 1);
  }
  return { found, total, truncated: next !== undefined, next };
}

interface Search {
  readonly match: Matcher;
  /** how much is searched in one step */
  readonly piece: number;
}

async function searchOf(reading: Reading, options: FindOptions): Promise<Search> {
  const { query, mode = 'plain', wholeWord = false, caseSensitive = false } = options;
  const { text } = reading;
  if (mode === 'regex') {
    // loaded for those who ask for it: it is large
    const { regexMatcher } = await import('./regex.ts');
    return regexMatcher(text, query, { wholeWord, caseSensitive });
  }
  const match = mode === 'exact' ? exactMatcher(text, query) : plainMatcher(reading, query);
  return { match: wholeWord ? wordsOf(text, match) : match, piece: text.length };
}

function exactMatcher(text: string, query: string): Matcher {
  return (from, to) => {
    const start = text.indexOf(query, from);
    return start === -1 || start >= to ? undefined : { start, end: start + query.length };
  };
}

function plainMatcher(reading: Reading, query: string): Matcher {
  const folded = foldedOf(reading);
  const wanted = foldText(query).text;
  if (wanted === '') throw refuseQuery('the query has no letters', 'use mode exact to look for it');
  return (from, to) => {
    const at = folded.text.indexOf(wanted, folded.place(from));
    if (at === -1) return undefined;
    const start = folded.origin(at);
    // marks that belong to the last letter are part of it
    return start >= to ? undefined : { start, end: folded.origin(at + wanted.length) };
  };
}

/** The line of a place, or what is shown of a long one; the line end belongs to it. */
function shownAround(text: string, at: number, end: number): Span {
  const near = text.slice(Math.max(0, at - SHOWN / 2), at);
  const start = at - near.length + near.lastIndexOf('\n') + 1;
  const ahead = text.slice(at, Math.min(end, start + SHOWN)).indexOf('\n');
  return { start, end: ahead === -1 ? Math.min(end, start + SHOWN) : at + ahead + 1 };
}

function spansOf(match: Matcher, first: Span, { end }: Span, last: number): Span[] {
  const spans = [first];
  for (let at = first.end; at < end; ) {
    const span = match(at, end);
    if (span === undefined || span.end > last) break;
    spans.push(span);
    at = span.end;
  }
  return spans;
}

const SHOWN = 240;

function describe(reading: Reading, spans: readonly Span[], shown: Span, contextLines: number): Found {
  const { text } = reading;
  const before: string[] = [];
  const after: string[] = [];
  for (let at = lineStart(text, shown.start); at > 0 && before.length < contextLines; ) {
    const above = lineStart(text, at - 1);
    before.unshift(clip(text, above, at));
    at = above;
  }
  for (let at = nextLine(text, shown.end - 1); at < text.length && after.length < contextLines; ) {
    const below = nextLine(text, at);
    after.push(clip(text, at, below));
    at = below;
  }
  const last = Math.max(shown.end, spans.at(-1)!.end);
  const path = headingsAbove(reading, spans[0]!.start);
  return { spans, path, line: clip(text, shown.start, last), at: shown.start, before, after };
}

/** A part of a text on one line, short enough to be shown, with signs of what is left out. */
function clip(text: string, from: number, end: number): string {
  const last = Math.min(end, from + 2 * SHOWN);
  const whole = text
    .slice(from, last)
    .replace(/\r?\n$/, '')
    .toWellFormed();
  const led = from > 0 && text[from - 1] !== '\n';
  const more = last < text.length && text[last - 1] !== '\n' && text[last] !== '\n';
  return `${led ? '…' : ''}${whole}${more ? '…' : ''}`;
}

/** How long a search takes: others have a turn now and then, and it ends. */
class Clock {
  readonly #signal: AbortSignal | undefined;
  #spent = 0;
  #since = performance.now();

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  async isOver(): Promise<boolean> {
    const slice = performance.now() - this.#since;
    if (slice < SLICE_MS) return false;
    this.#spent += slice;
    await new Promise((resolve) => setImmediate(resolve));
    this.#signal?.throwIfAborted();
    this.#since = performance.now();
    return this.#spent > MOST_MS;
  }
}
