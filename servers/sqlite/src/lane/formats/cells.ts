/** A value as the driver gives it: INTEGER as bigint, REAL as number, BLOB as bytes. */
export type Cell = null | bigint | number | string | Buffer;

/** A TEXT whose bytes are not UTF-8. */
export interface TextBytes {
  readonly text: Buffer;
}

/** A value as SQLite has it. */
export type ExactCell = Cell | TextBytes;

/** What JavaScript gives for bytes that are not UTF-8; the text may also have had it. */
export const REPLACEMENT = '\uFFFD';

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text that the bytes are, or the bytes when they are not UTF-8. */
export function textCell(bytes: Buffer): string | TextBytes {
  try {
    return strict.decode(bytes);
  } catch {
    // not UTF-8: the bytes are what there is
    return { text: bytes };
  }
}
