/** Lines of a text that look most like what was searched. */
export interface Nearest {
  /** the first of them, from 1 */
  line: number;
  shown: string;
}

/** Less in common than this is chance. */
const LEAST_SHARE = 0.5;

/** Where a text comes closest to one that it does not hold, or undefined when nothing in it looks alike. */
export function nearestLines(text: string, searched: string, most: number): Nearest | undefined {
  const wanted = searched.split(/\r?\n/);
  const lines = text.split(/\r?\n/);
  const start = equalLines(lines, wanted) ?? alikeLine(lines, wanted);
  if (start === undefined) return undefined;
  return { line: start + 1, shown: lines.slice(start, start + Math.min(wanted.length, most)).join('\n') };
}

/** Where most lines of the searched text stand together, white space at their ends aside. */
function equalLines(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const anchors = new Set(wanted.map((line) => line.trim()).filter((line) => line.length > 2));
  const hits = lines.map((line) => (anchors.has(line.trim()) ? 1 : 0));
  let best = { start: -1, score: 0 };
  let score = 0;
  for (const [at, hit] of hits.entries()) {
    score += hit - (hits[at - wanted.length] ?? 0);
    if (score > best.score) best = { start: Math.max(0, at - wanted.length + 1), score };
  }
  return best.score > 0 ? best.start : undefined;
}

/** The line that shares most letters in a row with the longest searched line. */
function alikeLine(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const longest = wanted.reduce((a, b) => (b.trim().length > a.trim().length ? b : a), '');
  const pairs = pairsOf(longest);
  if (pairs.size === 0) return undefined;
  let best = { at: -1, share: 0 };
  for (const [at, line] of lines.entries()) {
    const share = shareOf(pairs, pairsOf(line));
    if (share > best.share) best = { at, share };
  }
  if (best.share < LEAST_SHARE) return undefined;
  return Math.max(0, best.at - wanted.indexOf(longest));
}

function pairsOf(line: string): Set<string> {
  const text = line.trim();
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < text.length; at++) pairs.add(text.slice(at, at + 2));
  return pairs;
}

/** Twice what both have over what each has: 1 for equal sets. */
function shareOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const pair of a) if (b.has(pair)) common += 1;
  return (2 * common) / (a.size + b.size || 1);
}
