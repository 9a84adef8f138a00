import { isPunctuation, isSpace } from './characters.ts';
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
  if (pairs.every((pair) => isPlain(pieces, pair))) return pieces.join('');
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

/**
 * Whether markers stand alone, with letters inside and none outside: they can begin or end and not both, so that
 * pairs which are all like that are read as they were written.
 */
function isPlain(pieces: readonly string[], { marker, begin, end }: Pair): boolean {
  if (marker === '[') return true;
  return (
    isOutside(pieces[begin - 1]?.at(-1)) &&
    isLetter(pieces[begin + 1]?.charCodeAt(0)) &&
    isLetter(pieces[end - 1]!.charCodeAt(pieces[end - 1]!.length - 1)) &&
    isOutside(pieces[end + 1]?.[0])
  );
}

function isLetter(unit: number | undefined): boolean {
  // halves of a character are of different kinds to different readers
  const isHalf = unit !== undefined && unit >= 0xd800 && unit <= 0xdfff;
  return unit !== undefined && unit >= 0 && !isHalf && !isSpace(unit) && !isPunctuation(unit);
}

function isOutside(sign: string | undefined): boolean {
  if (sign === undefined) return true;
  if (sign === '*' || sign === '~') return false;
  const unit = sign.charCodeAt(0);
  return isSpace(unit) || isPunctuation(unit);
}

function misreadByAny(pieces: readonly string[], pairs: readonly Pair[]): ReadonlySet<Pair> {
  const all = dialects.flatMap((dialect: Dialect) => [...misreadIn(pieces, pairs, dialect)]);
  return new Set(all);
}
