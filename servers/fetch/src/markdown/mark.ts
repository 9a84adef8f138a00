/** What text between two places is: a pair of markers that Markdown puts around it. */
export interface Mark {
  readonly begin: string;
  readonly end: string;
  /** where it begins in the pieces, less than zero while it has no text */
  from: number;
  /** whether it has had all that it may have */
  spent: boolean;
}

export function markOf(begin: string, end = begin): Mark {
  return { begin, end, from: -1, spent: false };
}

export function isLink(mark: Mark): boolean {
  return mark.begin === '[';
}
