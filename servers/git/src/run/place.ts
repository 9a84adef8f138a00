/** Where git works; git itself discovers nothing. Real absolute paths. */
export interface Place {
  readonly gitDir: string;
  /** undefined: a bare repository, or a command that must not see the work tree */
  readonly workTree: string | undefined;
}
