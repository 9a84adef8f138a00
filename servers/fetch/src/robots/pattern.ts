/** The path of a rule: literal pieces separated by wildcards. */
export interface Pattern {
  /** the encoded text of the rule, whose length decides the precedence */
  readonly text: string;
  readonly pieces: readonly string[];
  /** whether the pattern is anchored at the end of the path */
  readonly ends: boolean;
  /** characters that a path must have at least */
  readonly least: number;
}

/** Parses the path of a rule: `*` matches any characters, a final `$` the end of the path. */
export function parsePattern(text: string): Pattern {
  const ends = text.endsWith('$');
  const pieces = (ends ? text.slice(0, -1) : text).split(/\*+/).map(decodeSpecial);
  return { text, pieces, ends, least: pieces.reduce((sum, piece) => sum + piece.length, 0) };
}

/** Returns whether a path matches a pattern. Each piece is matched at its first occurrence, without backtracking. */
export function matches({ pieces, ends, least }: Pattern, path: string): boolean {
  if (path.length < least || !path.startsWith(pieces[0]!)) return false;
  let at = pieces[0]!.length;
  const last = pieces.length - 1;
  if (last === 0) return !ends || at === path.length;
  for (let index = 1; index < last; index++) {
    const found = path.indexOf(pieces[index]!, at);
    if (found < 0) return false;
    at = found + pieces[index]!.length;
  }
  const tail = pieces[last]!;
  return ends ? path.length - tail.length >= at && path.endsWith(tail) : path.indexOf(tail, at) >= 0;
}

/**
 * Returns a path for comparison: characters that URIs exclude are percent-encoded, hexadecimal digits are in upper
 * case. Each character of `bytes` is one byte.
 */
export function encodePath(bytes: string): string {
  return bytes.replace(/%[0-9a-fA-F]{2}|[^!-~]|["<>\\^`{|}]/g, (found) =>
    found.length === 3
      ? found.toUpperCase()
      : `%${found.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

/** Decodes the unreserved characters of an encoded path. */
export function decodeUnreserved(path: string): string {
  return path.replace(/%(?:2[DE]|3\d|4[1-9A-F]|5[0-9A]|5F|6[1-9A-F]|7[0-9A]|7E)/g, decodeByte);
}

/**
 * Decodes `*`, `$` and `'` in an encoded path: rules encode the first two to mean no wildcard (RFC 9309, section
 * 2.2.3), and URLs encode the third only in queries.
 */
export function decodeSpecial(path: string): string {
  return path.replace(/%(?:24|27|2A)/g, decodeByte);
}

function decodeByte(encoded: string): string {
  return String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
}
