import type { Document } from './document.ts';
import { Finder } from './finder.ts';
import { countNewlines, lineStart } from './scan.ts';
import { type Sliced, STEPS_IN_ONE_GO } from './slices.ts';

/** Lines of a file that look most like what was searched. */
export interface Nearest {
  /** the lines of the searched text, without their ends but for CR */
  readonly wanted: readonly string[];
  readonly lines: readonly string[];
  /** the first of them, from 1 */
  readonly line: number;
}

/** Less in common than this is chance. */
const LEAST_SHARE = 0.5;

/** Every line that is looked at costs; of a longer file it is those around a line of the searched text. */
const LOOKED_AT_BYTES = 512 * 1024;
/** As much of the searched text is compared. */
const WANTED_CHARACTERS = 64 * 1024;
const PROBED_LINES = 8;
const COMPARED_CHARACTERS = 1000;

/** Places of one line within the searched text that are tried when windows are aligned. */
const MAX_PLACES = 8;
/** A text in which so many lines are known is nothing but these lines. */
const MAX_COUNTED = 100_000;

/** Where a file comes closest to a text that it does not hold, or undefined when nothing in it looks alike. */
export function* nearestLines(document: Document, searched: string): Sliced<Nearest | undefined> {
  const wanted = searched.slice(0, WANTED_CHARACTERS).replace(/\n$/, '').split('\n');
  const { coding, length } = document;
  const from = length > LOOKED_AT_BYTES ? yield* partAround(document, wanted) : coding.start;
  if (from === undefined) return undefined;
  const end = Math.min(length, from + LOOKED_AT_BYTES * coding.unit);
  const lines = coding.decode(document.read(from, end)).split('\n');
  yield;
  const start = (yield* equalLines(lines, wanted)) ?? (yield* alikeLine(lines, wanted));
  if (start === undefined) return undefined;
  return {
    wanted,
    lines: lines.slice(start, start + wanted.length),
    line: (yield* countNewlines(document, 0, from)) + start + 1,
  };
}

/** The start of the line from which a part of a file has one of the longest searched lines in its middle. */
function* partAround(document: Document, wanted: readonly string[]): Sliced<number | undefined> {
  const { coding } = document;
  const lines = [...new Set(wanted.map((line) => line.trim()))].filter((line) => line.length > 2);
  for (const line of lines.sort((a, b) => b.length - a.length).slice(0, PROBED_LINES)) {
    const searched = coding.encode(line);
    const found = searched === undefined ? -1 : yield* new Finder(document, searched).next(coding.start);
    if (found >= 0) return Math.max(coding.start, yield* lineStart(document, found - LOOKED_AT_BYTES / 2));
  }
  return undefined;
}

/**
 * Where most lines of the searched text stand together, white space at their ends aside; of several such places the
 * one where most of them stand at the distance from its start that they have in the searched text.
 */
function* equalLines(lines: readonly string[], wanted: readonly string[]): Sliced<number | undefined> {
  const places = placesOf(wanted);
  const hits: (readonly number[] | undefined)[] = [];
  for (const line of lines) {
    hits.push(places.get(line.trim()));
    if (hits.length % STEPS_IN_ONE_GO === 0) yield;
  }
  const aligned = alignedAt(hits);
  yield;
  let best = { start: -1, score: 0, aligned: 0 };
  let score = 0;
  for (let at = 0; at < lines.length + wanted.length - 1; at++) {
    if (at % STEPS_IN_ONE_GO === 0) yield;
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
function* alikeLine(lines: readonly string[], wanted: readonly string[]): Sliced<number | undefined> {
  const longest = wanted.reduce((a, b) => (b.trim().length > a.trim().length ? b : a), '');
  const pairs = pairsOf(longest);
  if (pairs.size === 0) return undefined;
  let best = { at: -1, share: 0 };
  for (const [at, line] of lines.entries()) {
    const share = shareOf(pairs, pairsOf(line));
    if (share > best.share) best = { at, share };
    if (at % 64 === 0) yield;
  }
  if (best.share < LEAST_SHARE) return undefined;
  return Math.max(0, best.at - wanted.indexOf(longest));
}

function pairsOf(line: string): Set<string> {
  const text = line.slice(0, COMPARED_CHARACTERS).trim();
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
