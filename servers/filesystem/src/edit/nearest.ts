import { clipText } from '@rootbound/kit/budget';

/** Lines of a text that look most like what was searched. */
export interface Nearest {
  /** the first of them, from 1 */
  line: number;
  shown: string;
}

/** Less in common than this is chance. */
const LEAST_SHARE = 0.5;

/** Every line that is looked at costs; of a longer text it is those around the longest searched line. */
const MAX_CHARACTERS = 512 * 1024;

const SHOWN_LINES = 10;
const SHOWN_LINE_BYTES = 120;
const SHOWN_BYTES = 600;

/** Places of one line within the searched text that are tried when windows are aligned. */
const MAX_PLACES = 8;
/** A text in which so many lines are known is nothing but these lines. */
const MAX_COUNTED = 100_000;

/** Where a text comes closest to one that it does not hold, or undefined when nothing in it looks alike. */
export function nearestLines(text: string, searched: string): Nearest | undefined {
  const wanted = searched.split(/\r?\n/);
  const from = text.length > MAX_CHARACTERS ? partStart(text, longestOf(wanted).trim()) : 0;
  if (from === undefined) return undefined;
  const lines = text.slice(from, from + MAX_CHARACTERS).split(/\r?\n/);
  const start = equalLines(lines, wanted) ?? alikeLine(lines, wanted);
  if (start === undefined) return undefined;
  return {
    line: linesBefore(text, from) + start + 1,
    shown: show(lines.slice(start, start + Math.min(wanted.length, SHOWN_LINES))),
  };
}

/** The start of the line from which a part of a text has what is searched in its middle. */
function partStart(text: string, searched: string): number | undefined {
  const found = text.indexOf(searched);
  if (found < 0) return undefined;
  const start = text.indexOf('\n', Math.max(0, found - MAX_CHARACTERS / 2)) + 1;
  return found < MAX_CHARACTERS / 2 ? 0 : Math.min(start, text.lastIndexOf('\n', found) + 1);
}

function linesBefore(text: string, offset: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

function longestOf(lines: readonly string[]): string {
  return lines.reduce((a, b) => (b.trim().length > a.trim().length ? b : a), '');
}

function show(lines: readonly string[]): string {
  return clip(lines.map((line) => clip(line, SHOWN_LINE_BYTES)).join('\n'), SHOWN_BYTES);
}

function clip(text: string, bytes: number): string {
  const { kept, truncated } = clipText(text.toWellFormed(), bytes, { measure: 'json' });
  return truncated ? `${kept}…` : kept;
}

/**
 * Where most lines of the searched text stand together, white space at their ends aside; of several such places the
 * one where most of them stand at the distance from its start that they have in the searched text.
 */
function equalLines(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const places = placesOf(wanted);
  const hits = lines.map((line) => places.get(line.trim()));
  const aligned = alignedAt(hits);
  let best = { start: -1, score: 0, aligned: 0 };
  let score = 0;
  for (let at = 0; at < lines.length + wanted.length - 1; at++) {
    const start = at - wanted.length + 1;
    score += Number(hits[at] !== undefined) - Number(hits[start - 1] !== undefined);
    if (score < best.score) continue;
    const now = { start, score, aligned: aligned.get(start) ?? 0 };
    if (score > best.score || now.aligned > best.aligned) best = now;
  }
  return best.score > 0 ? Math.max(0, best.start) : undefined;
}

/** Starts of windows to how many of their lines stand where the searched text has them. */
function alignedAt(hits: readonly (readonly number[] | undefined)[]): Map<number, number> {
  const aligned = new Map<number, number>();
  let counted = 0;
  for (const [at, places = []] of hits.entries()) {
    for (const place of places) aligned.set(at - place, (aligned.get(at - place) ?? 0) + 1);
    counted += places.length;
    if (counted > MAX_COUNTED) break;
  }
  return aligned;
}

/** Lines that are long enough to tell something, with where they are. */
function placesOf(lines: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [at, line] of lines.entries()) {
    const text = line.trim();
    if (text.length <= 2) continue;
    const known = places.get(text);
    if (known === undefined) places.set(text, [at]);
    else if (known.length < MAX_PLACES) known.push(at);
  }
  return places;
}

/** The line that shares most letters in a row with the longest searched line. */
function alikeLine(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const longest = longestOf(wanted);
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
