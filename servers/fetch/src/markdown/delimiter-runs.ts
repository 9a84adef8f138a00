/** Markers around a part of a paragraph, by the indexes of their pieces; `[` stands for a link. */
export interface Pair {
  readonly marker: string;
  readonly begin: number;
  readonly end: number;
}

/** Adjacent markers of one sign, which Markdown reads as one delimiter run: some may close, others open. */
export interface Run {
  readonly sign: string;
  readonly length: number;
  /** length that is not matched yet */
  left: number;
  ends: Pair[];
  begins: Pair[];
  /** the pieces before and after it, empty at the ends of the paragraph */
  readonly before: string;
  readonly after: string;
}

/** Returns the delimiter runs of a paragraph in order; a run of `[` has one pair. */
export function runsOf(pieces: readonly string[], pairs: readonly Pair[]): Run[] {
  const places = new Map<number, Pair>();
  for (const pair of pairs) places.set(pair.begin, pair).set(pair.end, pair);
  const runs: Run[] = [];
  for (let at = 0; at < pieces.length; at++) {
    const first = places.get(at);
    if (first === undefined) continue;
    const sign = first.marker[0]!;
    const before = pieces[at - 1] ?? '';
    const ends: Pair[] = [];
    const begins: Pair[] = [];
    let length = 0;
    for (let pair: Pair | undefined = first; pair?.marker[0] === sign; pair = places.get(++at)) {
      (pair.end === at ? ends : begins).push(pair);
      length += pair.marker.length;
      if (sign === '[') {
        at++;
        break;
      }
    }
    runs.push({ sign, length, left: length, ends, begins, before, after: pieces[at] ?? '' });
    at--;
  }
  return runs;
}
