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
