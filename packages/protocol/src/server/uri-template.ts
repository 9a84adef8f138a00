/** The part of RFC 6570 that can be matched back: simple and reserved expansion of one variable. */
export interface UriTemplate {
  readonly parts: readonly Part[];
  /** the text behind the last variable */
  readonly rest: string;
}

/** A variable, and the text between it and the one before. */
interface Part {
  readonly before: string;
  readonly name: string;
  readonly takesSlashes: boolean;
}

const expression = /\{(\+?)([A-Za-z0-9_]+)\}/g;

/** Reads a template. Throws a TypeError that names it where it holds anything but `{name}` and `{+name}`. */
export function parseTemplate(template: string): UriTemplate {
  const parts: Part[] = [];
  let end = 0;
  for (const found of template.matchAll(expression)) {
    parts.push({ before: template.slice(end, found.index), name: found[2]!, takesSlashes: found[1] === '+' });
    end = found.index + found[0].length;
  }
  if (/[{}]/.test(template.replace(expression, ''))) {
    throw new TypeError(`uriTemplate ${template} must use only {name} and {+name}`);
  }
  return { parts, rest: template.slice(end) };
}
