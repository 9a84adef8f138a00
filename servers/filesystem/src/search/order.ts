/*
 * Paths inside the engine are byte strings: one character per byte of the name, segments joined by '/'.
 * They hold any name the system can hold, and comparing them compares bytes.
 */

/** The sort key of a byte path: bytewise per segment, a directory before what it holds. */
export function orderKey(path: string): string {
  // NUL cannot be in a name and sorts before every byte that can
  return path.replaceAll('/', '\0');
}

/** The name in the directory `prefix` through which the walk must resume to get behind `after`; none elsewhere. */
export function segmentBelow(after: string, prefix: string): string | undefined {
  if (after.length <= prefix.length || !after.startsWith(prefix)) return undefined;
  const end = after.indexOf('/', prefix.length);
  return end === -1 ? after.slice(prefix.length) : after.slice(prefix.length, end);
}

/** The byte string of a text. */
export function toBytes(text: string): string {
  return isAscii(text) ? text : Buffer.from(text, 'utf8').toString('latin1');
}

/** The text of a byte string, lossy where it is not UTF-8. */
export function toText(bytes: string): string {
  return isAscii(bytes) ? bytes : Buffer.from(bytes, 'latin1').toString('utf8');
}

export function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text);
}
