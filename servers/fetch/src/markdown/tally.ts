/** What is counted of a page as it is written. */
export interface Tally {
  /** elements that are not shown */
  hidden: number;
  /** characters of text in elements that are not shown */
  hiddenText: number;
  /** characters without a shape */
  invisible: number;
  /** links that lead to no page */
  links: number;
}
