import type { Charset } from '../reading/reading.ts';

/** Decoded text to convert. */
export interface TextInput {
  readonly text: string;
  readonly charset?: Charset | undefined;
  /** media type of the text */
  readonly mediaType: string;
  /** the base of relative links */
  readonly url: string;
}

/** Binary content to convert. */
export interface BytesInput {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
}
