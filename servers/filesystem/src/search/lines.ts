const NEWLINE = 10;
const RETURN = 13;
const MOST_TEXT = 500;
const LEAD = 120;

/** Returns the line from `start` to `end` without its line break; of a long line the part around `match`. */
export function lineText(
  bytes: Buffer,
  start: number,
  end: number,
  match = start,
): { text: string; clipped: boolean } {
  const stop = end > start && bytes[end - 1] === RETURN ? end - 1 : end;
  if (stop - start <= MOST_TEXT) return { text: bytes.toString('utf8', start, stop), clipped: false };
  const from = characterStart(bytes, Math.max(start, Math.min(match - LEAD, stop - MOST_TEXT)), start);
  const to = characterStart(bytes, Math.min(stop, from + MOST_TEXT), from);
  return { text: bytes.toString('utf8', from, to), clipped: true };
}

/** Returns the column of `match`, in characters from 1. */
export function columnOf(bytes: Buffer, start: number, match: number): number {
  return bytes.toString('utf8', start, match).length + 1;
}

export function lineStart(bytes: Buffer, at: number): number {
  return at === 0 ? 0 : bytes.lastIndexOf(NEWLINE, at - 1) + 1;
}

export function lineEnd(bytes: Buffer, at: number): number {
  const end = bytes.indexOf(NEWLINE, at);
  return end === -1 ? bytes.length : end;
}

const NO_WORDS = new Int32Array(0);

/** Counts the newlines between two offsets word by word, in a third of the time of a loop over bytes. */
export function countNewlines(bytes: Uint8Array, from: number, to: number): number {
  const misaligned = (4 - ((bytes.byteOffset + from) & 3)) & 3;
  const start = Math.min(to, from + misaligned);
  const words =
    to - start < 4 ? NO_WORDS : new Int32Array(bytes.buffer, bytes.byteOffset + start, (to - start) >> 2);
  let count = countBytes(bytes, from, start) + countBytes(bytes, start + words.length * 4, to);
  for (let at = 0; at < words.length; ) {
    // a lane of one byte counts at most 255 newlines
    const end = Math.min(words.length, at + 255);
    let lanes = 0;
    for (; at < end; at++) {
      const other = words[at]! ^ 0x0a0a0a0a;
      // sets the high bit of each byte that is zero, that is, of each newline
      lanes += (~(((other & 0x7f7f7f7f) + 0x7f7f7f7f) | other | 0x7f7f7f7f) >>> 7) | 0;
    }
    count += (lanes & 0xff) + ((lanes >>> 8) & 0xff) + ((lanes >>> 16) & 0xff) + (lanes >>> 24);
  }
  return count;
}

function countBytes(bytes: Uint8Array, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) if (bytes[at] === NEWLINE) count++;
  return count;
}

/** Returns up to `count` lines before the line at `start`. */
export function linesBefore(bytes: Buffer, start: number, count: number): string[] {
  const lines: string[] = [];
  for (let at = start; lines.length < count && at > 0; ) {
    const from = lineStart(bytes, at - 1);
    lines.unshift(lineText(bytes, from, at - 1).text);
    at = from;
  }
  return lines;
}

/** Returns up to `count` lines after the line that ends at `end`. */
export function linesAfter(bytes: Buffer, end: number, count: number): string[] {
  const lines: string[] = [];
  for (let at = end + 1; lines.length < count && at < bytes.length; ) {
    const stop = lineEnd(bytes, at);
    lines.push(lineText(bytes, at, stop).text);
    at = stop + 1;
  }
  return lines;
}

// a cut is never inside a UTF-8 sequence
function characterStart(bytes: Buffer, at: number, least: number): number {
  let start = at;
  while (start > least && start > at - 3 && start < bytes.length && (bytes[start]! & 0xc0) === 0x80) start--;
  return start;
}
