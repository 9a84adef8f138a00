import type { Stats } from 'node:fs';
import type { EntrySink } from './entries.ts';
import type { SearchRoot } from './query.ts';

/** An open directory; its `path` is a byte string that ends in a separator. */
export interface Directory {
  readonly fd: number;
  readonly path: string;
  /** Its real path when it was opened, in the same form; only a hint, since it may have been moved. */
  readonly openedPath: string;
  /** Whether its size shows that it has many entries. */
  readonly large: boolean;
  /** Whether a short read of its files means the end of the file. */
  readonly wholeReads: boolean;
}

/** Opens and reads entries below a root; it never follows a symbolic link. */
export interface DirectoryAccess {
  root(root: SearchRoot): Directory;
  enter(parent: Directory, name: string): Directory;
  list(directory: Directory, sink: EntrySink): void;
  /** Opens a regular file and returns its descriptor. */
  file(directory: Directory, name: string): number;
  /** Opens what is probably the file, at less cost; nothing of it may be reported before `isEntry` has returned true. */
  likelyFile(directory: Directory, name: string): number;
  isEntry(directory: Directory, name: string, fd: number): boolean;
  /** Returns the lstat of an entry. */
  look(directory: Directory, name: string): Stats;
  leave(directory: Directory): void;
}
