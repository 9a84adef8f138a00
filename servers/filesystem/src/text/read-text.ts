import type { Stats } from 'node:fs';
import type { Root } from '@rootbound/kit/boundary';
import type { Utf8Text } from '@rootbound/protocol';

/** Text of a file, as tools and resources return it. */
export interface ReadText {
  text: Utf8Text;
  /** the text with line numbers, if requested */
  numbered: Utf8Text | undefined;
  encoding: string;
  /** whether the file begins with a byte order mark */
  marked: boolean;
  /** the line ends of this part, unless all are LF */
  lineEnds: 'crlf' | 'mixed' | undefined;
  /** bytes of this part that became U+FFFD */
  invalid: Invalid | undefined;
  /** offset of the following text, counted from after the byte order mark */
  next: number;
  startLine: number | undefined;
  endLine: number | undefined;
  totalLines: number | undefined;
  /** whether `text` has all requested lines */
  complete: boolean;
  etag: string;
  file: ReadFile;
}

/** The file that was read, with its stat at the start of the read. */
export interface ReadFile {
  readonly path: string;
  readonly root: Root;
  readonly stat: Stats;
}

/** How a file is read as text. */
export interface Reading {
  /** default: by the byte order mark, or else UTF-8 */
  readonly encoding?: string | undefined;
  /** whether to number the lines */
  readonly numbers?: boolean | undefined;
}

/** Bytes that are invalid in the encoding of their file. */
export interface Invalid {
  /** number of invalid bytes */
  bytes: number;
  /** offset of the first one */
  first: number;
}

/** Returns the note of a text half about invalid bytes. */
export function invalidNote({ bytes, first }: Invalid): string {
  const [count, are] = bytes === 1 ? ['1 byte', 'is'] : [`${bytes} bytes`, 'are'];
  return `${count} ${are} not valid text, the first at offset ${first}; read as U+FFFD`;
}
