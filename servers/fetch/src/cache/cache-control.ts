/** The directives of a Cache-Control field by lower-case name; of one that is repeated the first counts. */
export type Directives = ReadonlyMap<string, string | undefined>;

const DIRECTIVE = /([^\s,;="]+)(?:=(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*)))?[^,"]*(?:,|$)/g;

/** Reads a Cache-Control field; what is no directive is left out. */
export function parseCacheControl(field: string | undefined): Directives {
  const directives = new Map<string, string | undefined>();
  for (const [, name, quoted, token] of (field ?? '').matchAll(DIRECTIVE)) {
    const key = name!.toLowerCase();
    if (!directives.has(key)) directives.set(key, quoted?.replace(/\\(.)/g, '$1') ?? token);
  }
  return directives;
}

/** RFC 9111 section 1.2.2: what is larger counts as this */
const MOST_SECONDS = 2 ** 31;

/** A directive's number of seconds: undefined when it is absent, 0 when it is none. */
export function secondsOf(directives: Directives, name: string): number | undefined {
  if (!directives.has(name)) return undefined;
  const value = directives.get(name) ?? '';
  return /^\d+$/.test(value) ? Math.min(Number(value), MOST_SECONDS) : 0;
}
