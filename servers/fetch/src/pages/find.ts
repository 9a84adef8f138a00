import { describeFound, excerptAround, type Found, spansOf } from './match-lines.ts';
import { type Query, searchOf } from './search.ts';
import type { SearchableText } from './searchable-text.ts';
import type { Span } from './spans.ts';

export interface FindOptions extends Query {
  /** lines above and below each match, 1 unless given */
  readonly contextLines?: number | undefined;
  /** lines with matches, or parts of long lines, at most; 20 unless given */
  readonly max?: number | undefined;
  /** where to continue: `next` of the previous result */
  readonly from?: number | undefined;
  readonly within?: Span | undefined;
}

export interface FindResult {
  readonly found: readonly Found[];
  /** lines with matches since the beginning of the search; undefined if the time limit ended it */
  readonly total: number | undefined;
  readonly truncated: boolean;
  readonly next?: number | undefined;
}

const MOST_MS = 2000;

/** Searches a page and returns the matching lines with their context; the search takes at most two seconds. */
export async function findIn(page: SearchableText, options: FindOptions): Promise<FindResult> {
  const { max = 20, contextLines = 1 } = options;
  const { text } = page;
  const { start, end } = options.within ?? { start: 0, end: text.length };
  const search = await searchOf(page, options);
  const found: Found[] = [];
  let total: number | undefined = 0;
  let next: number | undefined;
  const over = performance.now() + MOST_MS;
  for (let at = Math.max(options.from ?? start, start); at < end; ) {
    if (performance.now() > over) {
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
    const excerpt = excerptAround(text, match.start, end);
    const spans = spansOf(search.match, match, excerpt, end);
    if (found.length < max) found.push(describeFound(page, spans, excerpt, contextLines));
    else next ??= match.start;
    total++;
    at = Math.max(excerpt.end, spans.at(-1)!.end, at + 1);
  }
  return { found, total, truncated: next !== undefined, next };
}
