import type { Document } from '../edit/document.ts';
import type { Region } from '../edit/regions.ts';
import type { Sliced } from '../edit/slices.ts';

/** An encoding of the Encoding standard that uses the byte 0x0A for line ends only. */
export interface Table {
  readonly name: string;
  /** Decodes bytes; invalid ones become U+FFFD. */
  decode(bytes: Uint8Array): string;
  /** Encodes a text; undefined if it has a character that the encoding lacks. */
  encode(text: string): Buffer | undefined;
  /** Encodes a text, or throws a ToolError with the first character that the encoding lacks. */
  encodeAll(field: string, text: string): Buffer;
  /** Returns the file after an edit of its text. */
  splice(edited: Edited): Sliced<Buffer[]>;
}

/** The text before and after an edit in UTF-8, and the file's bytes before it. */
export interface Edited {
  readonly bytes: Buffer;
  readonly before: Document;
  readonly after: Document;
  readonly regions: readonly Region[];
}
