import type { Matcher } from './matcher.ts';

/** The RE2 class of characters that may be next to a whole word. */
export const NO_WORD = '[^\\pL\\pM\\pN_]';

const WORD = /[\p{L}\p{M}\p{N}_]/u;
const MOST_CHARACTER = 4;

/** Returns a matcher of `inner`'s matches, `length` bytes long, that are not next to a letter, digit or underscore. */
export function wholeWords(inner: Matcher, length: number): Matcher {
  return {
    overlap: inner.overlap + 2 * MOST_CHARACTER,
    mayMatch: (bytes) => inner.mayMatch(bytes),
    find: (bytes, from) => {
      let at = inner.find(bytes, from);
      while (at !== -1 && (endsWord(bytes, at) || beginsWord(bytes, at + length)))
        at = inner.find(bytes, at + 1);
      return at;
    },
  };
}

/** Returns whether the character before `at` belongs to a word. */
function endsWord(bytes: Buffer, at: number): boolean {
  if (at === 0) return false;
  const last = bytes[at - 1]!;
  if (last < 0x80) return isWordByte(last);
  let start = at - 1;
  while (start > 0 && at - start < MOST_CHARACTER && (bytes[start]! & 0xc0) === 0x80) start--;
  return WORD.test(bytes.toString('utf8', start, at));
}

/** Returns whether the character at `at` belongs to a word. */
function beginsWord(bytes: Buffer, at: number): boolean {
  const first = bytes[at];
  if (first === undefined) return false;
  if (first < 0x80) return isWordByte(first);
  let end = at + 1;
  while (end < bytes.length && end - at < MOST_CHARACTER && (bytes[end]! & 0xc0) === 0x80) end++;
  return WORD.test(bytes.toString('utf8', at, end));
}

function isWordByte(byte: number): boolean {
  const lower = byte | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || (byte >= 0x30 && byte <= 0x39) || byte === 0x5f;
}
