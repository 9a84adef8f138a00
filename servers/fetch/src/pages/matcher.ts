import { WebError } from '../failure.ts';
import type { Span } from './spans.ts';

/** Returns the first match that begins in a range; it may end after the range. */
export type Matcher = (from: number, to: number) => Span | undefined;

const WORD = /[\p{L}\p{N}\p{M}_]/u;

/** Restricts a matcher to whole words. */
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

/** Returns the failure for an invalid query. */
export function refuseQuery(message: string, hint: string): WebError {
  return new WebError(message, { code: 'invalid-request', hint });
}
