/** A column of a result, and its source unless it is computed. */
export interface ResultColumn {
  readonly name: string;
  /** declared type */
  readonly type?: string;
  readonly table?: string;
  /** its name in the table, if different */
  readonly column?: string;
  /** the alias of an attached database */
  readonly database?: string;
}
