/** The parts of a repository that are watched: those that its resource reports. */
export interface Watched {
  readonly kind: 'head' | 'ref' | 'refs' | 'index' | 'status' | 'stash' | 'operation' | 'repository';
  /** the full name of a ref */
  readonly ref?: string;
}

/** The way in which one path is watched: a folder with the names in it, too. */
export type PathKind = 'file' | 'directory';

/** The state found at one look. */
export interface Look {
  /** differs when a reading would return something else */
  readonly word: string;
  /** every path that was read, existing or not */
  readonly paths: ReadonlyMap<string, PathKind>;
  /** files of a work tree that were read: watched as far as the machine can, and polled otherwise */
  readonly files?: ReadonlyMap<string, PathKind> | 'too many';
}

/** The state, without its paths. */
export type Seen = Pick<Look, 'word' | 'files'>;
