import type { Stats } from 'node:fs';
import type { Root } from '@rootbound/kit/boundary';
import type { Utf8Text } from '@rootbound/protocol';

/** Text of a file as tools and resources give it. */
export interface ReadText {
  text: Utf8Text;
  /** the same with the number of each line in front, where that was asked for */
  numbered: Utf8Text | undefined;
  encoding: string;
  /** whether the file begins with a byte order mark */
  marked: boolean;
  /** the line ends of this part, where they are not all LF */
  lineEnds: 'crlf' | 'mixed' | undefined;
  /** bytes of this part that became U+FFFD, and where in the file the first of them is */
  invalid: Invalid | undefined;
  /** where the text after it begins, from behind the byte order mark */
  next: number;
  startLine: number | undefined;
  endLine: number | undefined;
  totalLines: number | undefined;
  /** whether everything that was asked for is in `text` */
  complete: boolean;
  etag: string;
  file: ReadFile;
}

/** The file that was read, as it was when reading began. */
export interface ReadFile {
  readonly path: string;
  readonly root: Root;
  readonly stat: Stats;
}

/** How a file is read as text. */
export interface Reading {
  /** as its byte order mark says, else UTF-8, unless given */
  readonly encoding?: string | undefined;
  /** whether each line gets its number */
  readonly numbers?: boolean | undefined;
}

/** Bytes that are no text in the encoding of their file. */
export interface Invalid {
  /** how many of them */
  bytes: number;
  /** where the first is, among those that were looked at */
  first: number;
}

/** What a text half says of bytes that are no text. */
export function invalidNote({ bytes, first }: Invalid): string {
  const [count, are] = bytes === 1 ? ['1 byte', 'is'] : [`${bytes} bytes`, 'are'];
  return `${count} ${are} not valid text, the first at offset ${first}, and shown as U+FFFD`;
}
