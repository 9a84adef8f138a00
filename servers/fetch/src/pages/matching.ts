import { WebError } from '../failure.ts';
import type { Span } from './spans.ts';

/** A finder of the first match that begins at a place or behind it, and before another; it may end behind that. */
export type Matcher = (from: number, to: number) => Span | undefined;

const WORD = /[\p{L}\p{N}\p{M}_]/u;

/** Matches with no letter or number right before and behind. */
export function wordsOf(text: string, match: Matcher): Matcher {
  return (from, to) => {
    for (let span = match(from, to); span !== undefined; span = match(span.start + 1, to))
      if (!isWordAt(text, span.start - 1) && !isWordAt(text, span.end)) return span;
    return undefined;
  };
}

function isWordAt(text: string, at: number): boolean {
  const sign = text.charAt(at);
  return sign !== '' && WORD.test(sign);
}

/** The failure of a query that cannot be looked for. */
export function refuseQuery(message: string, hint: string): WebError {
  return new WebError(message, { code: 'invalid-request', hint });
}
