/** Matches URIs of one template; `{+name}` takes slashes, `{name}` does not. */
export interface UriMatcher {
  /** the variables of a URI, percent-decoded where they are UTF-8, or undefined when it is none of this template */
  match(uri: string): Record<string, string> | undefined;
  readonly variables: readonly string[];
}

const expression = /\{(\+?)([A-Za-z0-9_]+)\}/g;

/**
 * Compiles the part of RFC 6570 that can be matched back: simple and reserved expansion of one variable.
 * Anything else is a TypeError that names the template.
 */
export function compileTemplate(template: string): UriMatcher {
  const parts: Part[] = [];
  let end = 0;
  for (const found of template.matchAll(expression)) {
    parts.push({ before: template.slice(end, found.index), name: found[2]!, takesSlashes: found[1] === '+' });
    end = found.index + found[0].length;
  }
  if (/[{}]/.test(template.replace(expression, ''))) {
    throw new TypeError(`uriTemplate ${template} must use only {name} and {+name}`);
  }
  const rest = template.slice(end);
  return {
    variables: parts.map(({ name }) => name),
    match(uri) {
      const found = valuesOf(uri, parts, rest);
      if (found === undefined) return undefined;
      const values: Record<string, string> = {};
      for (const [index, { name }] of parts.entries()) {
        const value = decode(found[index]!);
        if (value === undefined) return undefined;
        values[name] = value;
      }
      return values;
    },
  };
}

/** A variable, and the text between it and the one before. */
interface Part {
  readonly before: string;
  readonly name: string;
  readonly takesSlashes: boolean;
}

/**
 * The values of the variables, each as long as it can be, the first ones first; undefined where there are none. Its work
 * grows with the URI times the variables: from the last one back, it finds where the end of each may be.
 */
function valuesOf(uri: string, parts: readonly Part[], rest: string): string[] | undefined {
  if (!uri.startsWith(parts[0]?.before ?? rest)) return undefined;
  if (parts.length === 0) return uri === rest ? [] : undefined;
  if (uri.length < rest.length || !uri.endsWith(rest)) return undefined;
  // for each place the end of the variable that begins there, or -1
  const ends: Int32Array[] = [];
  for (let index = parts.length - 1; index >= 0; index--) {
    const next =
      index === parts.length - 1 ? undefined : { before: parts[index + 1]!.before, ends: ends[0]! };
    const own = new Int32Array(uri.length + 1);
    let end = -1;
    for (let at = uri.length; at >= 0; at--) {
      if (uri[at] === '/' && !parts[index]!.takesSlashes) end = -1;
      if (end === -1 && canEnd(uri, at, rest, next)) end = at;
      own[at] = end;
    }
    ends.unshift(own);
  }
  const values: string[] = [];
  let at = 0;
  for (const [index, { before }] of parts.entries()) {
    at += before.length;
    const end = ends[index]![at] ?? -1;
    if (end === -1) return undefined;
    values.push(uri.slice(at, end));
    at = end;
  }
  return values;
}

/** Whether a variable may end at a place: the text behind it is there, and what follows fits. */
function canEnd(
  uri: string,
  at: number,
  rest: string,
  next: { readonly before: string; readonly ends: Int32Array } | undefined,
): boolean {
  if (next === undefined) return at + rest.length === uri.length;
  return uri.startsWith(next.before, at) && (next.ends[at + next.before.length] ?? -1) !== -1;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    // bytes that are no UTF-8 stay escaped; with a broken escape it is no URI
    return /%(?![\da-f]{2})/i.test(text) ? undefined : text;
  }
}
