import { foldedOf, foldText } from './case-folding.ts';
import { type Matcher, refuseQuery, wordsOf } from './matcher.ts';
import type { SearchableText } from './searchable-text.ts';

export interface Query {
  readonly query: string;
  /** `plain` (the default) ignores case, accents and kinds of quotes; `exact` does not; `regex` is RE2 syntax */
  readonly mode?: 'plain' | 'exact' | 'regex' | undefined;
  readonly wholeWord?: boolean | undefined;
  /** for a regular expression: whether case is significant */
  readonly caseSensitive?: boolean | undefined;
}

export interface Search {
  readonly match: Matcher;
  /** characters that are searched in one step */
  readonly piece: number;
}

const LONGEST_QUERY = 1000;

/** Returns the search for a query in a text; throws a WebError if the query is invalid. */
export async function searchOf(page: SearchableText, asked: Query): Promise<Search> {
  const { query, mode = 'plain', wholeWord = false, caseSensitive = false } = asked;
  const { text } = page;
  if (query === '') throw refuseQuery('the query is empty', 'give the text to find');
  if (query.length > LONGEST_QUERY)
    throw refuseQuery('the query is too long', `use ${LONGEST_QUERY} characters or fewer`);
  if (mode === 'regex') {
    // loaded only if used, because it is large
    const { regexMatcher } = await import('./regex.ts');
    return regexMatcher(text, query, { wholeWord, caseSensitive });
  }
  const match = mode === 'exact' ? exactMatcher(text, query) : plainMatcher(page, query);
  return { match: wholeWord ? wordsOf(text, match) : match, piece: text.length };
}

function exactMatcher(text: string, query: string): Matcher {
  return (from, to) => {
    const start = text.indexOf(query, from);
    return start === -1 || start >= to ? undefined : { start, end: start + query.length };
  };
}

function plainMatcher(page: SearchableText, query: string): Matcher {
  const folded = foldedOf(page);
  const wanted = foldText(query).text;
  if (wanted === '') throw refuseQuery('the query has no letters', 'use mode exact to find it');
  return (from, to) => {
    const at = folded.text.indexOf(wanted, folded.place(from));
    if (at === -1) return undefined;
    const start = folded.origin(at);
    // combining marks of the last letter belong to the match
    return start >= to ? undefined : { start, end: folded.origin(at + wanted.length) };
  };
}
