/** The parts of a repository that are watched: those that its resource reports. */
export interface Watched {
  readonly kind: 'head' | 'ref' | 'refs' | 'index' | 'status' | 'stash' | 'operation' | 'repository';
  /** of a ref: its whole name */
  readonly ref?: string;
}

/** How one path is watched: a folder for the names in it, too. */
export type PathKind = 'file' | 'directory';

/** The state found at one look. */
export interface Look {
  /** another one when a reading would tell something else */
  readonly word: string;
  /** every path that took part, whether it is there or not */
  readonly paths: ReadonlyMap<string, PathKind>;
  /** files of a work tree that took part: watched as far as the machine can, and looked at again and again otherwise */
  readonly files?: ReadonlyMap<string, PathKind> | 'too many';
}

/** The state, without its paths. */
export type Seen = Pick<Look, 'word' | 'files'>;
