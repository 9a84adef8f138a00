import type { Position } from './query.ts';

/** What was looked at; numbers of a search that met its limit cover the part that was walked. */
export interface SearchCounts {
  filesSeen: number;
  directoriesSeen: number;
  filesSearched: number;
  filesSkippedBinary: number;
  filesSkippedLarge: number;
  /** Lines above 1 MiB, which are matched in overlapping pieces. */
  linesSplit: number;
  errors: number;
  /** Entries that the query selects and an ignore file leaves out, a directory as one. */
  ignored: number;
}

/** What could not be read, and the system's code for why. */
export interface SearchFailure {
  path: string;
  code: string;
}

interface Outcome {
  /** True when results beyond the limit exist. */
  truncated: boolean;
  counts: SearchCounts;
  /** The first few of `counts.errors`, in order. */
  failures: SearchFailure[];
}

export interface FoundName {
  /** Relative to the root; control characters and bytes that are not UTF-8 are shown as escapes. */
  path: string;
  type: 'file' | 'directory' | 'symlink' | 'other';
  /** Of a directory that was not entered: how many entries it holds. */
  entries?: number;
  /** Bytes of a file, and milliseconds since 1970, when the names are sorted by one of the two. */
  size?: number;
  modified?: number;
}

export interface NamesOutcome extends Outcome {
  kind: 'names';
  names: FoundName[];
  /** Present when truncated: pass it as `after`. Opaque. */
  next?: Position;
}

/** A matching line of a file. */
export interface LineMatch {
  line: number;
  /** The last line of a match that spans more than one. */
  endLine?: number;
  /** Of the first match in the line, in characters from 1. */
  column: number;
  /** The line, or at most 500 bytes of it around the match. */
  text: string;
  clipped?: true;
  /** The file has further matching lines, which `perFile` left out. */
  more?: true;
  before?: string[];
  after?: string[];
}

export interface FoundLine extends LineMatch {
  path: string;
  /** When files are sorted by it. */
  modified?: number;
}

export interface FoundFile {
  path: string;
  /** Matching lines, when the output is `counts`. */
  count?: number;
  /** When files are sorted by it. */
  modified?: number;
}

export interface ContentOutcome extends Outcome {
  kind: 'content';
  /** Filled when the output is `matches`. */
  matches: FoundLine[];
  /** Filled when the output is `files` or `counts`. */
  files: FoundFile[];
  /** Present when truncated: pass it as `after`. Opaque. */
  next?: Position;
}

export type SearchOutcome = NamesOutcome | ContentOutcome;
