import { RE2JS } from 're2js';
import { type Matcher, refuseQuery, wordsOf } from './matcher.ts';

export interface RegexOptions {
  readonly wholeWord: boolean;
  readonly caseSensitive: boolean;
}

/** Steps of the regex engine for one piece of text; at most about fifteen milliseconds. */
const STEPS = 500_000;
const LARGEST_PROGRAM = 4000;
/** characters of a match; a longer one may be split */
const LONGEST_MATCH = 1024;

/** Returns a matcher in linear time of the text for any pattern; `^` and `$` match at lines. */
export function regexMatcher(
  text: string,
  pattern: string,
  { wholeWord, caseSensitive }: RegexOptions,
): { match: Matcher; piece: number } {
  const regex = compile(pattern, RE2JS.MULTILINE | (caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE));
  const size = regex.programSize();
  if (size > LARGEST_PROGRAM)
    throw refuseQuery('the regular expression is too large', 'use fewer repetitions');
  const match: Matcher = (from, to) => {
    const matcher = regex.matcher(text.slice(0, to + LONGEST_MATCH));
    // empty matches are skipped, because they are everywhere
    for (let found = matcher.find(from); found && matcher.start() < to; found = matcher.find())
      if (matcher.end() > matcher.start()) return { start: matcher.start(), end: matcher.end() };
    return undefined;
  };
  const piece = Math.max(LONGEST_MATCH, Math.floor(STEPS / size));
  return { match: wholeWord ? wordsOf(text, match) : match, piece };
}

function compile(pattern: string, flags: number): RE2JS {
  try {
    return RE2JS.compile(pattern, flags);
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : 'unknown';
    throw refuseQuery(
      `the regular expression is invalid: ${reason}`,
      'use RE2 syntax, without look-around and backreferences',
    );
  }
}
