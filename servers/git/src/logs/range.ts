/** The two ends of a range of commits. */
export interface Range {
  readonly from: string;
  readonly to: string;
  /** three dots: what only one of them has */
  readonly symmetric: boolean;
}

/** The range that a text is; undefined: it is one revision. An end that is left out is HEAD. */
export function rangeOf(text: string): Range | undefined {
  const at = dotsAt(text);
  if (at === undefined) return undefined;
  const symmetric = text[at + 2] === '.';
  const to = text.slice(at + (symmetric ? 3 : 2));
  return { from: text.slice(0, at) || 'HEAD', to: to || 'HEAD', symmetric };
}

/** No name of a ref has two dots: other than a range, only patterns in braces and paths behind a colon do. */
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
