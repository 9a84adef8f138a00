/** A number of rows, and how exact it is. */
export interface RowEstimate {
  readonly rows: number;
  readonly rows_are: 'exact' | 'estimated' | 'at-most' | 'at-least';
}

/** Returns a number of rows in words. */
export function rowsText({ rows, rows_are }: RowEstimate): string {
  const qualifier = { exact: '', estimated: 'about ', 'at-most': 'at most ', 'at-least': 'more than ' }[
    rows_are
  ];
  return `${qualifier}${rows} ${rows === 1 ? 'row' : 'rows'}`;
}
