/** A pair of Markdown markers around a range of text. */
export interface Mark {
  readonly begin: string;
  readonly end: string;
  /** index of its piece, negative while it has no text */
  from: number;
  /** whether its text is complete */
  spent: boolean;
}

export function markOf(begin: string, end = begin): Mark {
  return { begin, end, from: -1, spent: false };
}

export function isLink(mark: Mark): boolean {
  return mark.begin === '[';
}
