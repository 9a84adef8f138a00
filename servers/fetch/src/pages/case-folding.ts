import { lastBelow } from './layout.ts';
import type { SearchableText } from './searchable-text.ts';

/** A text without differences of case, accents and punctuation, with a map to the original positions. */
export interface Folded {
  readonly text: string;
  /** the position in the original of a position in the folded text */
  readonly origin: (at: number) => number;
  /** the first position in the folded text at or after a position of the original */
  readonly place: (at: number) => number;
}

const DROPPED = 0xffff;
/** the folded form of each UTF-16 code unit, computed at its first occurrence */
const table = new Uint16Array(0x1_0000);

const BEYOND_ASCII = /[^\0-\x7f]/;
const MARKS = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670]/g;
const ALIKE: Readonly<Record<string, string>> = {
  '\u2018': "'",
  '\u2019': "'",
  '\u201b': "'",
  '\u201c': '"',
  '\u201d': '"',
  '\u201f': '"',
  '\u2010': '-',
  '\u2011': '-',
  '\u2012': '-',
  '\u2013': '-',
  '\u2014': '-',
  '\u2212': '-',
  '\u00a0': ' ',
  '\u2009': ' ',
  '\u202f': ' ',
  '\u3000': ' ',
};

/** Folds case, accents, and variants of quotes, dashes and spaces. */
export function fold(text: string): string {
  return foldText(text).text;
}

/** Folds a text and maps its positions to the original. */
export function foldText(text: string): Folded {
  if (!BEYOND_ASCII.test(text)) return { text: text.toLowerCase(), origin: same, place: same };
  const units = new Uint16Array(text.length);
  let places: Uint32Array | undefined;
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const folded = table[unit] || foldUnit(unit);
    if (folded === DROPPED) {
      places ??= identity(length, text.length);
      continue;
    }
    units[length] = folded;
    if (places !== undefined) places[length] = at;
    length++;
  }
  if (places !== undefined) places[length] = text.length;
  const folded = Buffer.from(units.buffer, 0, 2 * length).toString('utf16le');
  if (places === undefined) return { text: folded, origin: same, place: same };
  const origins = places;
  const origin = (at: number) => origins[at]!;
  return { text: folded, origin, place: (at) => lastBelow(length, (index) => origin(index) < at) + 1 };
}

const same = (at: number) => at;

const foldings = new WeakMap<SearchableText, Folded>();

/** Returns the folded text of a page; it is folded once. */
export function foldedOf(page: SearchableText): Folded {
  const known = foldings.get(page);
  if (known !== undefined) return known;
  const folded = foldText(page.text);
  foldings.set(page, folded);
  return folded;
}

function identity(upTo: number, length: number): Uint32Array {
  const places = new Uint32Array(length + 1);
  for (let at = 0; at < upTo; at++) places[at] = at;
  return places;
}

function foldUnit(unit: number): number {
  const folded = foldedUnit(unit);
  table[unit] = folded;
  return folded;
}

function foldedUnit(unit: number): number {
  const sign = String.fromCharCode(unit);
  const plain = sign.normalize('NFD').replace(MARKS, '');
  if (plain === '') return DROPPED;
  const lower = (ALIKE[sign] ?? plain).toLowerCase().replace(MARKS, '');
  // a unit that would become several stays as it is, so that positions correspond, as for Hangul syllables
  return lower.length === 1 ? lower.charCodeAt(0) : unit;
}
