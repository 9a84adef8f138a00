import type { Stats } from 'node:fs';
import type { Root } from '@rootbound/kit/boundary';
import type { Utf8Text } from '@rootbound/protocol';
import type { Invalid } from './invalid.ts';

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
