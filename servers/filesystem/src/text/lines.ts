/** The code units of a file: bytes, or the 16 bit units of UTF-16 in the file's byte order. */
export type Units = Uint8Array | Uint16Array;

const NEWLINE = 10;

/** Counts the lines of a text; a last line without a line end counts. */
export function countLines(bytes: Uint8Array): number {
  let lines = countNewlines(bytes);
  if (bytes.length > 0 && bytes[bytes.length - 1] !== NEWLINE) lines += 1;
  return lines;
}

export function countNewlines(units: Units, newline = NEWLINE): number {
  let count = 0;
  const { length } = units;
  for (let i = 0; i < length; i++) if (units[i] === newline) count += 1;
  return count;
}

/** Returns the offset behind the `count`-th line end from `from`, or the length, and the number of lines skipped. */
export function skipLines(
  units: Units,
  from: number,
  count: number,
  newline = NEWLINE,
): { offset: number; skipped: number } {
  let offset = from;
  for (let skipped = 0; skipped < count; skipped++) {
    const end = units.indexOf(newline, offset);
    if (end < 0) return { offset: units.length, skipped };
    offset = end + 1;
  }
  return { offset, skipped: count };
}

/** Returns the offset at which the last `count` lines begin, and the number of lines from there. */
export function lastLines(bytes: Buffer, count: number): { offset: number; lines: number } {
  // the line end of the last line does not begin another line
  let before = bytes[bytes.length - 1] === NEWLINE ? bytes.length - 1 : bytes.length;
  if (bytes.length === 0) return { offset: 0, lines: 0 };
  for (let lines = 1; ; lines++) {
    const end = before === 0 ? -1 : bytes.lastIndexOf(NEWLINE, before - 1);
    if (end < 0) return { offset: 0, lines };
    if (lines === count) return { offset: end + 1, lines };
    before = end;
  }
}

/** The line ends of a text in which all are the same. */
export type LineEnds = 'lf' | 'crlf';

/** Returns the kind of line ends in text whose line ends are single bytes, as in UTF-8. */
export function lineEndKinds(bytes: Buffer): LineEnds | 'mixed' | undefined {
  const first = bytes.indexOf(10);
  if (first < 0) return undefined;
  if (!bytes.includes(13)) return 'lf';
  let pairs = 0;
  let ends = 0;
  for (let at = first; at >= 0; at = bytes.indexOf(10, at + 1)) {
    ends += 1;
    // the byte before the first one is unknown
    if (at === 0 || bytes[at - 1] === 13) pairs += 1;
  }
  if (pairs === 0) return 'lf';
  return pairs === ends ? 'crlf' : 'mixed';
}

/** Returns the kind of line ends in a text, or undefined if all are LF. */
export function oddLineEnds(bytes: Buffer): 'crlf' | 'mixed' | undefined {
  // most texts have no CR
  if (!bytes.includes(13)) return undefined;
  const kinds = lineEndKinds(bytes);
  return kinds === 'lf' ? undefined : kinds;
}
