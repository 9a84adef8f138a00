/** A column of a result, and where it comes from unless it was computed. */
export interface ResultColumn {
  readonly name: string;
  /** as declared */
  readonly type?: string;
  readonly table?: string;
  /** its name there, where the result has another */
  readonly column?: string;
  /** the alias of an attached database */
  readonly database?: string;
}
