/** The two ends of a range of commits. */
export interface Range {
  readonly from: string;
  readonly to: string;
  /** three dots: commits of exactly one of them */
  readonly symmetric: boolean;
}

/** Parses a range; undefined for a single revision. An omitted end is HEAD. */
export function rangeOf(text: string): Range | undefined {
  const at = dotsAt(text);
  if (at === undefined) return undefined;
  const symmetric = text[at + 2] === '.';
  const to = text.slice(at + (symmetric ? 3 : 2));
  return { from: text.slice(0, at) || 'HEAD', to: to || 'HEAD', symmetric };
}

/** ref names have no two dots: besides a range, only patterns in braces and paths after a colon do */
function dotsAt(text: string): number | undefined {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '{') depth += 1;
    else if (char === '}') depth -= 1;
    else if (char === ':' && depth === 0) return undefined;
    else if (depth === 0 && text.startsWith('..', at)) return at;
  }
  return undefined;
}
