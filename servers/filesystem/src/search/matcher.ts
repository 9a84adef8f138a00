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
