import { type Dialect, dialects, misreadIn } from './delimiters.ts';
import type { Pair } from './runs.ts';

const tags: Readonly<Record<string, readonly [string, string]>> = {
  '*': ['<i>', '</i>'],
  '**': ['<b>', '</b>'],
  '~~': ['<del>', '</del>'],
};
/** What one tag in the place of a marker changes for others settles soon. */
const MOST_ROUNDS = 4;
/** Markers of one paragraph beyond which each is a tag: no reader is looked at for those. */
const MOST_PAIRS = 500;

/** The paragraph that pieces are, with tags of HTML in the place of markers that would not be read as such. */
export function readable(pieces: string[], pairs: readonly Pair[]): string {
  let left = pairs;
  for (let round = 0; left.some(({ marker }) => marker !== '['); round++) {
    const misread =
      round < MOST_ROUNDS && left.length <= MOST_PAIRS ? misreadByAny(pieces, left) : new Set(left);
    if (misread.size === 0) break;
    for (const { marker, begin, end } of misread) {
      const tag = tags[marker];
      if (tag !== undefined) [pieces[begin], pieces[end]] = tag;
    }
    left = left.filter((pair) => pair.marker === '[' || !misread.has(pair));
  }
  return pieces.join('');
}

function misreadByAny(pieces: readonly string[], pairs: readonly Pair[]): ReadonlySet<Pair> {
  const all = dialects.flatMap((dialect: Dialect) => [...misreadIn(pieces, pairs, dialect)]);
  return new Set(all);
}
