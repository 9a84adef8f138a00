/**
 * Splits a template into the texts between its variables and, for each variable, its operator and its name.
 * Supported are simple and reserved expansion of one variable (RFC 6570), which can be matched.
 */
function piecesOf(template: string): string[] {
  return template.split(/\{(\+?)(\w+)\}/);
}

/** Returns the names of the variables of a template, `{name}` or `{+name}`. */
export function variablesOf(template: string): string[] {
  return piecesOf(template).filter((_, index) => index % 3 === 2);
}

/**
 * Returns the variables of a URI, percent-decoded if they are UTF-8, or undefined if the URI does not match.
 * `{+name}` matches slashes, `{name}` does not. Variables are matched greedily, the first ones first. The
 * time grows with the URI times the variables: from the last variable back, it finds each possible end.
 */
export function matchUri(uri: string, template: string): Record<string, string> | undefined {
  const pieces = piecesOf(template);
  const rest = pieces.pop()!;
  const size = uri.length;
  // whether the rest of the template matches at a position, at first only the end
  let fits = (at: number): boolean => at + rest.length === size && uri.endsWith(rest);
  const variables: { start: number; name: string; ends: Int32Array }[] = [];
  while (pieces.length > 0) {
    const [before, sign, name] = pieces.splice(-3) as [string, string, string]; // the split has two groups
    // for each position the end of the variable that starts there, or -1
    const ends = new Int32Array(size + 1);
    for (let at = size, end = -1; at >= 0; ends[at--] = end) {
      if (uri[at] === '/' && sign === '') end = -1;
      if (end < 0 && fits(at)) end = at;
    }
    const start = before.length;
    variables.unshift({ start, name, ends });
    fits = (at) => uri.startsWith(before, at) && ends[at + start]! >= 0;
  }
  if (!fits(0)) return undefined;
  const values: Record<string, string> = {};
  let at = 0;
  for (const { start, name, ends } of variables) {
    const begin = at + start;
    at = ends[begin]!;
    const value = decode(uri.slice(begin, at));
    if (value === undefined) return undefined;
    values[name] = value;
  }
  return values;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    // bytes that are not UTF-8 stay escaped; an invalid escape is not part of a URI
    return /%(?![\da-f]{2})/i.test(text) ? undefined : text;
  }
}
