import type { Position } from './query.ts';

/** Counts of the searched entries; of a search that reached its limit they cover the part before. */
export interface SearchCounts {
  filesSeen: number;
  directoriesSeen: number;
  filesSearched: number;
  filesSkippedBinary: number;
  filesSkippedLarge: number;
  /** Lines over 1 MiB, which are matched in overlapping pieces. */
  linesSplit: number;
  errors: number;
  /** Entries that the query selects and an ignore file excludes; a directory counts as one. */
  ignored: number;
}

/** A path that could not be read, and the system's error code. */
export interface SearchFailure {
  path: string;
  code: string;
}

interface Outcome {
  /** Whether results beyond the limit exist. */
  truncated: boolean;
  counts: SearchCounts;
  /** The first few of `counts.errors`, in order. */
  failures: SearchFailure[];
}

export interface FoundName {
  /** Relative to the root; control characters and bytes that are not UTF-8 are escaped. */
  path: string;
  type: 'file' | 'directory' | 'symlink' | 'other';
  /** Number of entries of a directory that was not entered. */
  entries?: number;
  /** Size in bytes and milliseconds since 1970; present if the names are sorted by one of the two. */
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
  /** Column of the first match in the line, in characters from 1. */
  column: number;
  /** The line, or at most 500 bytes of it around the match. */
  text: string;
  clipped?: true;
  /** Whether the file has further matching lines beyond `perFile`. */
  more?: true;
  before?: string[];
  after?: string[];
}

export interface FoundLine extends LineMatch {
  path: string;
  /** Present if files are sorted by it. */
  modified?: number;
}

export interface FoundFile {
  path: string;
  /** Number of matching lines, if the output is `counts`. */
  count?: number;
  /** Present if files are sorted by it. */
  modified?: number;
}

export interface ContentOutcome extends Outcome {
  kind: 'content';
  /** Filled if the output is `matches`. */
  matches: FoundLine[];
  /** Filled if the output is `files` or `counts`. */
  files: FoundFile[];
  /** Present when truncated: pass it as `after`. Opaque. */
  next?: Position;
}

export type SearchOutcome = NamesOutcome | ContentOutcome;
