import { isAscii, toBytes } from './order.ts';
import { type ContentJob, SearchError } from './query.ts';
import { wholeWords } from './whole-words.ts';

/** Finds a pattern in bytes. */
export interface Matcher {
  /** Bytes before a match that it may need when a line is searched in pieces. */
  readonly overlap: number;
  /** Returns false if no line of `bytes` can match. */
  mayMatch(bytes: Buffer): boolean;
  /** Returns the start of the first match in the first matching line from the line start `from` on, or -1. */
  find(bytes: Buffer, from: number): number;
  /** Returns the first match from `from` on, which may span lines; only multiline matchers have it. */
  span?(bytes: Buffer, from: number): Span | undefined;
}

/** The start and end of a match. */
export interface Span {
  start: number;
  end: number;
}

/** Returns the matcher of a query; the regular expression engine is loaded only if the pattern needs it. */
export async function compileMatcher(job: ContentJob): Promise<Matcher> {
  const bytes = plainMatcher(job);
  if (bytes !== undefined) return job.wholeWord ? wholeWords(bytes, Buffer.byteLength(job.pattern)) : bytes;
  const { compileRegex } = await import('./regex.ts');
  try {
    return compileRegex(job.pattern, {
      quoted: job.mode === 'literal',
      ignoreCase: job.ignoreCase,
      wholeWord: job.wholeWord,
    });
  } catch (error) {
    // removes the flags that compileRegex put before the pattern
    const reason = (error instanceof Error ? error.message : String(error)).replace(/`\(\?\w+\)/, '`');
    throw new SearchError('pattern', `pattern is not a valid regular expression (RE2 syntax): ${reason}`);
  }
}

/** Returns the matcher of a literal pattern that needs no regular expression engine. */
function plainMatcher({ mode, pattern, ignoreCase, multiline }: ContentJob): Matcher | undefined {
  if (mode !== 'literal' || multiline) return undefined;
  if (!ignoreCase) return literalMatcher(Buffer.from(pattern));
  return isAscii(pattern) ? foldedMatcher(toBytes(pattern)) : undefined;
}

/** Returns a matcher of exact bytes. */
export function literalMatcher(needle: Buffer): Matcher {
  return {
    overlap: needle.length - 1,
    mayMatch: () => true,
    find: (bytes, from) => bytes.indexOf(needle, from),
  };
}

/** Returns a matcher of ASCII text that ignores case, by the Boyer-Moore-Horspool algorithm. */
export function foldedMatcher(word: string): Matcher {
  const needle = Buffer.from(word.toLowerCase(), 'latin1');
  const last = needle.length - 1;
  const fold = Uint8Array.from({ length: 256 }, (_, byte) =>
    byte >= 0x41 && byte <= 0x5a ? byte + 32 : byte,
  );
  const skip = new Int32Array(256).fill(needle.length);
  for (let index = 0; index < last; index++) {
    skip[needle[index]!] = last - index;
    skip[upper(needle[index]!)] = last - index;
  }
  const end = needle[last]!;
  const find = (bytes: Buffer, from: number): number => {
    const limit = bytes.length;
    for (let at = from + last; at < limit; ) {
      const byte = bytes[at]!;
      if (fold[byte] === end) {
        let index = last - 1;
        while (index >= 0 && fold[bytes[at - last + index]!] === needle[index]) index--;
        if (index < 0) return at - last;
      }
      at += skip[byte]!;
    }
    return -1;
  };
  return { overlap: last, mayMatch: () => true, find };
}

function upper(byte: number): number {
  return byte >= 0x61 && byte <= 0x7a ? byte - 32 : byte;
}
