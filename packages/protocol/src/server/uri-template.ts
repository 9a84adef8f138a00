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
  const variables: string[] = [];
  let pattern = '';
  let end = 0;
  for (const found of template.matchAll(expression)) {
    pattern += literal(template.slice(end, found.index)) + (found[1] === '+' ? '(.*)' : '([^/]*)');
    variables.push(found[2]!);
    end = found.index + found[0].length;
  }
  const rest = template.slice(end);
  if (/[{}]/.test(template.replace(expression, ''))) {
    throw new TypeError(`uriTemplate ${template} must use only {name} and {+name}`);
  }
  const matcher = new RegExp(`^${pattern}${literal(rest)}$`, 's');
  return {
    variables,
    match(uri) {
      const found = matcher.exec(uri);
      if (found === null) return undefined;
      const values: Record<string, string> = {};
      for (const [index, name] of variables.entries()) {
        const value = decode(found[index + 1]!);
        if (value === undefined) return undefined;
        values[name] = value;
      }
      return values;
    },
  };
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    // bytes that are no UTF-8 stay escaped; with a broken escape it is no URI
    return /%(?![\da-f]{2})/i.test(text) ? undefined : text;
  }
}
