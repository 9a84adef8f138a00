import type { Stats } from 'node:fs';
import type { EntrySink } from './entries.ts';
import type { SearchRoot } from './query.ts';

/** An open directory: `path` (byte string, ends in a separator) reaches its entries. */
export interface Directory {
  readonly fd: number;
  readonly path: string;
  /** Where it was when it was opened, likewise; only a hint, since it may be elsewhere by now. */
  readonly openedPath: string;
  /** Whether it is known to hold many entries. */
  readonly large: boolean;
  /** Whether a read that gives less than asked for has reached the end of the file. */
  readonly wholeReads: boolean;
}

/** The only way from a root to what is below it; nothing here follows a symlink. */
export interface DirectoryAccess {
  root(root: SearchRoot): Directory;
  enter(parent: Directory, name: string): Directory;
  list(directory: Directory, sink: EntrySink): void;
  /** A descriptor to read a regular file from. */
  file(directory: Directory, name: string): number;
  /** The same at less cost, of what may be another file: nothing of it may be told before `isEntry` says yes. */
  likelyFile(directory: Directory, name: string): number;
  isEntry(directory: Directory, name: string, fd: number): boolean;
  /** The facts of an entry itself, a link's its own. */
  look(directory: Directory, name: string): Stats;
  leave(directory: Directory): void;
}
