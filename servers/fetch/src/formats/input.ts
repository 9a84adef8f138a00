import type { Charset } from '../reading/reading.ts';

/** Text to be read, with what is known of it. */
export interface TextInput {
  readonly text: string;
  readonly charset?: Charset | undefined;
  /** the type that the text has */
  readonly mediaType: string;
  /** what relative links are resolved against */
  readonly url: string;
}

/** Bytes to be read that are no text. */
export interface BytesInput {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
}
