/** The directives of a Cache-Control field by lower-case name; the first of a repeated directive counts. */
export type Directives = ReadonlyMap<string, string | undefined>;

const DIRECTIVE = /^[\s;="]*([^\s;="]+)(?:=(?:"((?:[^"\\]|\\.)*)"|([^\s"]*)))?/s;
/** Characters of a field; a longer one counts as `no-store`. */
const LONGEST = 8192;

/** Parses a Cache-Control field; invalid directives are left out. */
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

/** Splits a list at its commas outside quotes; a quote that is not closed is an ordinary character. */
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

/** largest number of seconds (RFC 9111 section 1.2.2) */
const MOST_SECONDS = 2 ** 31;

/** Returns the seconds of a directive: undefined if it is absent, 0 if it is not a number. */
export function secondsOf(directives: Directives, name: string): number | undefined {
  if (!directives.has(name)) return undefined;
  const value = directives.get(name) ?? '';
  return /^\d+$/.test(value) ? Math.min(Number(value), MOST_SECONDS) : 0;
}
