/** The directives of a Cache-Control field by lower-case name; of one that is repeated the first counts. */
export type Directives = ReadonlyMap<string, string | undefined>;

const DIRECTIVE = /^[\s;="]*([^\s;="]+)(?:=(?:"((?:[^"\\]|\\.)*)"|([^\s"]*)))?/s;
/** A field that is longer allows nothing: it counts as `no-store`. */
const LONGEST = 8192;

/** Reads a Cache-Control field; what is no directive is left out. */
export function parseCacheControl(field = ''): Directives {
  if (field.length > LONGEST) return new Map([['no-store', undefined]]);
  const directives = new Map<string, string | undefined>();
  for (const member of membersOf(field)) {
    const [, name, quoted, token] = DIRECTIVE.exec(member) ?? [];
    const key = name?.toLowerCase();
    if (key === undefined || directives.has(key)) continue;
    directives.set(key, quoted?.replace(/\\(.)/gs, '$1') ?? token);
  }
  return directives;
}

/** The members of a list that commas part, less those in quotes; a quote that nothing ends quotes nothing. */
function membersOf(field: string): string[] {
  const members: string[] = [];
  let from = 0;
  let isQuoted = false;
  for (let at = 0; at < field.length; at++) {
    const sign = field[at];
    if (isQuoted && sign === '\\') at += 1;
    else if (sign === '"') isQuoted = !isQuoted;
    else if (sign === ',' && !isQuoted) {
      members.push(field.slice(from, at));
      from = at + 1;
    }
  }
  const rest = field.slice(from);
  return isQuoted ? [...members, ...rest.split(',')] : [...members, rest];
}

/** RFC 9111 section 1.2.2: what is larger counts as this */
const MOST_SECONDS = 2 ** 31;

/** A directive's number of seconds: undefined when it is absent, 0 when it is none. */
export function secondsOf(directives: Directives, name: string): number | undefined {
  if (!directives.has(name)) return undefined;
  const value = directives.get(name) ?? '';
  return /^\d+$/.test(value) ? Math.min(Number(value), MOST_SECONDS) : 0;
}
