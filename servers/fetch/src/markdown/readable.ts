import { isPunctuation, isSpace } from './characters.ts';
import type { Pair } from './delimiter-runs.ts';
import { type Dialect, dialects, misreadIn } from './delimiters.ts';

const tags: Readonly<Record<string, readonly [string, string]>> = {
  '*': ['<i>', '</i>'],
  '**': ['<b>', '</b>'],
  '~~': ['<del>', '</del>'],
};
/** Rounds of replacement: a tag in place of a marker may change how other markers are read. */
const MOST_ROUNDS = 4;
/** Pairs of one paragraph beyond which all become tags without a check. */
const MOST_PAIRS = 500;

/** Returns the paragraph of these pieces, with HTML tags in place of markers that a reader would not match. */
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
 * Returns whether markers have letters inside and none outside: they can open or close but not both, so paragraphs with
 * only such pairs are read as written.
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
  // readers classify surrogates differently
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
