import type { Document } from './document.ts';
import { Finder } from './finder.ts';
import { countNewlines, lineStart } from './scan.ts';
import { type Sliced, STEPS_IN_ONE_GO } from './slices.ts';

/** The lines of a file that are most similar to a searched text. */
export interface Nearest {
  /** the lines of the searched text, without LF and with CR */
  readonly wanted: readonly string[];
  readonly lines: readonly string[];
  /** number of the first of them, from 1 */
  readonly line: number;
}

/** Least share of common character pairs; less is chance. */
const LEAST_SHARE = 0.5;

/** Bytes of a file that are compared; in a longer file those around one of the searched lines. */
const LOOKED_AT_BYTES = 512 * 1024;
/** Characters of the searched text that are compared. */
const WANTED_CHARACTERS = 64 * 1024;
const PROBED_LINES = 8;
const COMPARED_CHARACTERS = 1000;

/** Occurrences of one line in the searched text that are tried when windows are aligned. */
const MAX_PLACES = 8;
/** Alignments that are counted; a text with more consists of the same lines. */
const MAX_COUNTED = 100_000;

/** Finds the lines most similar to a text that the file does not contain, or undefined if none are similar. */
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

/** Returns the line start from which a part of the file has one of the longest searched lines in its middle. */
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
 * Returns the start of the window with most lines of the searched text, compared without white space at their ends;
 * of several such windows the one in which most lines have the index that they have in the searched text.
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

/** Maps the start of each window to the number of its lines that have the same index in the searched text. */
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

/** Maps each line of more than two characters to its indices. */
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

/** Returns the window whose line shares most character pairs with the longest searched line. */
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

/** Returns the Dice coefficient of two sets: 1 for equal ones. */
function shareOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const pair of a) if (b.has(pair)) common += 1;
  return (2 * common) / (a.size + b.size || 1);
}
