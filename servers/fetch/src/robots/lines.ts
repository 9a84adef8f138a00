/** A line of robots.txt with a known field. */
export interface RobotsLine {
  readonly field: Field;
  readonly value: string;
  /** counted from 1 */
  readonly line: number;
}

export type Field = 'user-agent' | 'allow' | 'disallow' | 'crawl-delay' | 'sitemap';

/** Fields by their lower-case names, with the misspellings that Google's parser accepts. */
const fields: ReadonlyMap<string, Field> = new Map([
  ['user-agent', 'user-agent'],
  ['useragent', 'user-agent'],
  ['user agent', 'user-agent'],
  ['allow', 'allow'],
  ['disallow', 'disallow'],
  ['dissallow', 'disallow'],
  ['dissalow', 'disallow'],
  ['disalow', 'disallow'],
  ['diasllow', 'disallow'],
  ['disallaw', 'disallow'],
  ['crawl-delay', 'crawl-delay'],
  ['sitemap', 'sitemap'],
  ['site-map', 'sitemap'],
]);

/** Yields the lines of a robots.txt with known fields; others are ignored. */
export function* robotsLines(text: string): Generator<RobotsLine> {
  let line = 0;
  for (const source of text.split(/\r\n|\r|\n/)) {
    line += 1;
    const parts = splitLine(source);
    const field = parts && fields.get(parts.name.toLowerCase());
    if (field !== undefined) yield { field, value: parts!.value, line };
  }
}

/** Splits a line into name and value, without its comment; the colon may be missing between two words. */
function splitLine(source: string): { name: string; value: string } | undefined {
  const comment = source.indexOf('#');
  const line = trim(comment < 0 ? source : source.slice(0, comment));
  const colon = line.indexOf(':');
  if (colon >= 0) return { name: trim(line.slice(0, colon)), value: trim(line.slice(colon + 1)) };
  const words = line.split(/[ \t]+/, 3);
  return words.length === 2 ? { name: words[0]!, value: words[1]! } : undefined;
}

/** Removes spaces, tabs and NUL bytes at both ends; other Unicode white space is part of a path. */
function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start += 1;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0b || code === 0x0c || code === 0;
}
