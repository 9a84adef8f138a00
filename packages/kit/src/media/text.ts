/** The encoding of a file's bytes as text. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'latin1';

export interface ByteOrderMark {
  encoding: Exclude<Encoding, 'latin1'>;
  bytes: number;
}

/** Returns the byte order mark at the start of a file, if there is one. */
export function byteOrderMark(start: Uint8Array): ByteOrderMark | undefined {
  if (start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf) return { encoding: 'utf-8', bytes: 3 };
  if (start[0] === 0xff && start[1] === 0xfe) return { encoding: 'utf-16le', bytes: 2 };
  if (start[0] === 0xfe && start[1] === 0xff) return { encoding: 'utf-16be', bytes: 2 };
  return undefined;
}

/** Bytes that are inspected to tell text from binary. */
export const SNIFFED_BYTES = 8192;

/** Returns whether a file without a UTF-16 mark is binary: text has no NUL byte. */
export function isBinary(start: Uint8Array): boolean {
  const head = start.subarray(0, SNIFFED_BYTES);
  return head.includes(0);
}
