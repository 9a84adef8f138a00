import type { UriTemplate } from './uri-template.ts';

/**
 * Returns the variables of a URI, percent-decoded where they are UTF-8, or undefined when it is none of this template;
 * `{+name}` takes slashes, `{name}` does not.
 */
export function matchUri(uri: string, { parts, rest }: UriTemplate): Record<string, string> | undefined {
  const found = valuesOf(uri, parts, rest);
  if (found === undefined) return undefined;
  const values: Record<string, string> = {};
  for (const [index, { name }] of parts.entries()) {
    const value = decode(found[index]!);
    if (value === undefined) return undefined;
    values[name] = value;
  }
  return values;
}

/**
 * The values of the variables, each as long as it can be, the first ones first; undefined where there are none. Its work
 * grows with the URI times the variables: from the last one back, it finds where the end of each may be.
 */
function valuesOf(uri: string, parts: UriTemplate['parts'], rest: string): string[] | undefined {
  const size = uri.length;
  // for each place whether what follows the variable fits there, at first the end alone
  let fits = (at: number): boolean => at + rest.length === size && uri.endsWith(rest);
  const ends: Int32Array[] = [];
  for (const { before, takesSlashes } of parts.toReversed()) {
    // for each place the end of the variable that begins there, or -1
    const own = new Int32Array(size + 1);
    for (let at = size, end = -1; at >= 0; own[at--] = end) {
      if (uri[at] === '/' && !takesSlashes) end = -1;
      if (end < 0 && fits(at)) end = at;
    }
    ends.unshift(own);
    fits = (at) => uri.startsWith(before, at) && (own[at + before.length] ?? -1) >= 0;
  }
  if (!fits(0)) return undefined;
  let at = 0;
  return parts.map(({ before }, index) => {
    const start = at + before.length;
    at = ends[index]![start]!;
    return uri.slice(start, at);
  });
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    // bytes that are no UTF-8 stay escaped; with a broken escape it is no URI
    return /%(?![\da-f]{2})/i.test(text) ? undefined : text;
  }
}
