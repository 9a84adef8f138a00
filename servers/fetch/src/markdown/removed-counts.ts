/** Counts of what was removed from a page. */
export interface Tally {
  /** hidden elements */
  hidden: number;
  /** characters of text in hidden elements */
  hiddenText: number;
  /** invisible characters */
  invisible: number;
  /** harmful links */
  links: number;
}
