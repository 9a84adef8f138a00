/*
 * Paths inside the engine are byte strings: one character per byte, segments joined by '/'. A byte string can represent
 * any name of the system, and comparing two compares their bytes.
 */

/** Returns the sort key of a byte path: bytewise per segment, a directory before its entries. */
export function orderKey(path: string): string {
  // NUL is in no name and sorts before every byte of names
  return path.replaceAll('/', '\0');
}

/** Returns the name in the directory `prefix` that is on the path `after`, from which the walk resumes, if any. */
export function segmentBelow(after: string, prefix: string): string | undefined {
  if (after.length <= prefix.length || !after.startsWith(prefix)) return undefined;
  const end = after.indexOf('/', prefix.length);
  return end === -1 ? after.slice(prefix.length) : after.slice(prefix.length, end);
}

/** Returns the byte string of a text. */
export function toBytes(text: string): string {
  return isAscii(text) ? text : Buffer.from(text, 'utf8').toString('latin1');
}

/** Returns the text of a byte string; bytes that are not UTF-8 become U+FFFD. */
export function toText(bytes: string): string {
  return isAscii(bytes) ? bytes : Buffer.from(bytes, 'latin1').toString('utf8');
}

export function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text);
}
