/** The place where git works; git itself discovers nothing. Real absolute paths. */
export interface Place {
  readonly gitDir: string;
  /** undefined: a bare repository, or a command that must not see the work tree */
  readonly workTree: string | undefined;
  /** in the place of the common directory that the git dir names */
  readonly commonDir?: string | undefined;
  /** a file in the place of the operator's configuration */
  readonly operatorConfig?: string | undefined;
  /** the folder in which git starts as by hand: it finds the rest, and uses the whole configuration */
  readonly byHand?: string | undefined;
  /** its path, where git is to take it for safe though another user owns it */
  readonly safe?: string | undefined;
}
