import { globTest, isPlain } from './name-glob.ts';

/** Patterns for one name each, as one test. */
export interface NameSet {
  /** returns whether both ends show that none matches, for a name that folding only makes lower case */
  excludes(name: string): boolean;
  has(folded: string): boolean;
}

/**
 * Returns the set of these folded patterns; the first test builds it, so nothing is built that most names never need.
 */
export function nameSet(globs: readonly string[]): NameSet {
  const exact = new Set<string>();
  const extensions = new Set<string>();
  const others: string[] = [];
  // the first characters of patterns, and the last ones of those that begin with a star
  const firsts = new Uint8Array(128);
  const lasts = new Uint8Array(128);
  for (const glob of globs) {
    if (isPlain(glob)) {
      exact.add(glob);
      mark(firsts, glob, 0);
      continue;
    }
    if (glob.startsWith('*.') && isExtension(glob.slice(2))) extensions.add(glob.slice(2));
    else others.push(glob);
    if (isPlain(glob[0]!)) mark(firsts, glob, 0);
    else if (isPlain(glob.at(-1)!) && !glob.endsWith(']')) mark(lasts, glob, glob.length - 1);
    else lasts.fill(1);
  }
  let tests: ((folded: string) => boolean)[] | undefined;
  return {
    excludes: (name) => firsts[name.charCodeAt(0)] === 0 && lasts[name.charCodeAt(name.length - 1)] === 0,
    has(folded) {
      if (exact.has(folded)) return true;
      const dot = folded.lastIndexOf('.');
      if (dot >= 0 && extensions.has(folded.slice(dot + 1))) return true;
      tests ??= others.map(globTest);
      return tests.some((test) => test(folded));
    },
  };
}

function isExtension(text: string): boolean {
  return isPlain(text) && !text.includes('.');
}

/** Marks a folded character in both cases; characters outside ASCII are tested in any case. */
function mark(table: Uint8Array, glob: string, index: number): void {
  const code = glob.charCodeAt(index);
  table[code] = 1;
  if (code >= 97 && code <= 122) table[code - 32] = 1;
}
