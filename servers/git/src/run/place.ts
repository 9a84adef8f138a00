/** Where git works; git itself discovers nothing. Real absolute paths. */
export interface Place {
  readonly gitDir: string;
  /** undefined: a bare repository, or a command that must not see the work tree */
  readonly workTree: string | undefined;
  /** in place of the common directory that the git dir names */
  readonly commonDir?: string | undefined;
  /** a file in place of the operator's configuration */
  readonly operatorConfig?: string | undefined;
  /** the folder in which git is started as by hand: it finds the rest, and obeys all that is configured */
  readonly byHand?: string | undefined;
  /** its path, where git is to take it for safe though another user owns it */
  readonly safe?: string | undefined;
}
