/** A value as the driver returns it: INTEGER as bigint, REAL as number, BLOB as bytes. */
export type Cell = null | bigint | number | string | Buffer;

/** A TEXT whose bytes are not UTF-8. */
export interface TextBytes {
  readonly text: Buffer;
}

/** A value exactly as SQLite stores it. */
export type ExactCell = Cell | TextBytes;

/** The character that replaces invalid UTF-8; a valid text may contain it, too. */
export const REPLACEMENT = '\uFFFD';

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes UTF-8; returns the bytes if they are not valid UTF-8. */
export function textCell(bytes: Buffer): string | TextBytes {
  try {
    return strict.decode(bytes);
  } catch {
    // not UTF-8
    return { text: bytes };
  }
}
