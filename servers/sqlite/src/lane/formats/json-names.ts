/** Strings with the colon behind a name, and what objects and lists begin and end with. */
const pieces = /("(?:[^"\\]|\\.)*"?)(\s*:)?|[{}[\]]/g;

/** A colon that does not follow its name at once. */
const spaced = /"\s+:/;

/** Returns a name that an object has twice, of which a parser keeps the last value alone. */
export function repeatedName(text: string, value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  if (endsOfNames(text) === Object.keys(value).length && !spaced.test(text)) return undefined;
  const names = new Set<string>();
  let depth = 0;
  for (const [piece, string, colon] of text.matchAll(pieces)) {
    if (piece === '{' || piece === '[') depth += 1;
    else if (piece === '}' || piece === ']') depth -= 1;
    else if (depth === 1 && string !== undefined && colon !== undefined) {
      const name = JSON.parse(string) as string; // the text was parsed before
      if (names.has(name)) return name;
      names.add(name);
    }
  }
  return undefined;
}

/** How often a quote and a colon follow each other: at least as often as there are names without space behind them. */
function endsOfNames(text: string): number {
  let count = 0;
  for (let at = text.indexOf('":'); at !== -1; at = text.indexOf('":', at + 2)) count += 1;
  return count;
}
