/**
 * The texts of a template between its variables, and of each variable whether it takes slashes and its name: the part of
 * RFC 6570 that can be matched back, simple and reserved expansion of one variable.
 */
function piecesOf(template: string): string[] {
  return template.split(/\{(\+?)(\w+)\}/);
}

/** The names of the variables of a template, `{name}` or `{+name}`. */
export function variablesOf(template: string): string[] {
  return piecesOf(template).filter((_, index) => index % 3 === 2);
}

/**
 * Returns the variables of a URI, percent-decoded where they are UTF-8, or undefined when it is none of this template;
 * `{+name}` takes slashes, `{name}` does not. Each is as long as it can be, the first ones first. The work grows with the
 * URI times the variables: from the last one back, it finds where the end of each may be.
 */
export function matchUri(uri: string, template: string): Record<string, string> | undefined {
  const pieces = piecesOf(template);
  const rest = pieces.pop()!;
  const size = uri.length;
  // whether what follows a variable fits at a place, at first the end alone
  let fits = (at: number): boolean => at + rest.length === size && uri.endsWith(rest);
  const variables: { start: number; name: string; ends: Int32Array }[] = [];
  while (pieces.length > 0) {
    const [before, sign, name] = pieces.splice(-3) as [string, string, string]; // a split by two groups
    // for each place the end of the variable that begins there, or -1
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
    // bytes that are no UTF-8 stay escaped; with a broken escape it is no URI
    return /%(?![\da-f]{2})/i.test(text) ? undefined : text;
  }
}
