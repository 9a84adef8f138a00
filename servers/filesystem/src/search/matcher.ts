import { isAscii, toBytes } from './order.ts';
import { type ContentJob, SearchError } from './query.ts';
import { wholeWords } from './whole-words.ts';

/** Finds a pattern in bytes. */
export interface Matcher {
  /** Bytes that a match may need in front, when a line is searched in pieces. */
  readonly overlap: number;
  /** False when no line of `bytes` can match; true proves nothing. */
  mayMatch(bytes: Buffer): boolean;
  /** Where the first match of the first matching line begins, at or after the line start `from`; -1 when none. */
  find(bytes: Buffer, from: number): number;
  /** The first match at or after `from`, whatever lines it spans; only of a matcher that is asked for such. */
  span?(bytes: Buffer, from: number): Span | undefined;
}

/** Where a match begins and ends. */
export interface Span {
  start: number;
  end: number;
}

/** The matcher of a query; the regular expression engine is loaded only for a pattern that needs it. */
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
    // the flags in front of the pattern are ours
    const reason = (error instanceof Error ? error.message : String(error)).replace(/`\(\?\w+\)/, '`');
    throw new SearchError('pattern', `pattern is not a valid regular expression (RE2 syntax): ${reason}`);
  }
}

/** The matcher of a plain text that needs no engine. */
function plainMatcher({ mode, pattern, ignoreCase, multiline }: ContentJob): Matcher | undefined {
  if (mode !== 'literal' || multiline) return undefined;
  if (!ignoreCase) return literalMatcher(Buffer.from(pattern));
  return isAscii(pattern) ? foldedMatcher(toBytes(pattern)) : undefined;
}

/** Exact bytes. */
export function literalMatcher(needle: Buffer): Matcher {
  return {
    overlap: needle.length - 1,
    mayMatch: () => true,
    find: (bytes, from) => bytes.indexOf(needle, from),
  };
}

/** ASCII in any case, by Horspool's rule: a byte that ends no shift of the needle lets the search jump. */
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
