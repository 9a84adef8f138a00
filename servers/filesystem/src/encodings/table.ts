import type { Document } from '../edit/document.ts';
import type { Region } from '../edit/regions.ts';
import type { Sliced } from '../edit/slices.ts';

/** An encoding of the Encoding standard in which a line end is the byte 0x0A and nothing else has that byte. */
export interface Table {
  readonly name: string;
  /** what cannot be read becomes U+FFFD */
  decode(bytes: Uint8Array): string;
  /** undefined for a text that it cannot hold */
  encode(text: string): Buffer | undefined;
  /** the bytes of a text, or a refusal that names the first character which the encoding has not */
  encodeAll(field: string, text: string): Buffer;
  /** the file after an edit of its text */
  splice(edited: Edited): Sliced<Buffer[]>;
}

/** Two texts in UTF-8, and the bytes of the file that the first of them was read from. */
export interface Edited {
  readonly bytes: Buffer;
  readonly before: Document;
  readonly after: Document;
  readonly regions: readonly Region[];
}
