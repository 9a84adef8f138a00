import type { Document } from './document.ts';
import { lineStart, nextLine } from './scan.ts';
import { type Sliced, STEPS_IN_ONE_GO } from './slices.ts';

const CHUNK = 64 * 1024;

/** Returns the text with CRLF in place of each LF. */
export function* toCrlf(text: string): Sliced<string> {
  if (!text.includes('\n')) return text;
  if (text.length <= CHUNK) return text.replace(/\r?\n/g, '\r\n');
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    // never between CR and LF
    const end = text[at + CHUNK] === '\n' ? at + CHUNK + 1 : at + CHUNK;
    pieces.push(text.slice(at, end).replace(/\r?\n/g, '\r\n'));
    at = end;
    yield;
  }
  return pieces.join('');
}

/** Counts the line ends of a text, and those of them that are CRLF. */
export function* countEnds(text: string): Sliced<{ ends: number; pairs: number }> {
  let ends = 0;
  let pairs = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    ends += 1;
    pairs += Number(text[at - 1] === '\r');
    if (ends % STEPS_IN_ONE_GO === 0) yield;
  }
  return { ends, pairs };
}

/** Returns whether the bytes before an offset are CRLF. */
export function isCrlf(document: Document, end: number): boolean {
  const { unit, decode } = document.coding;
  return end >= 2 * unit && decode(document.read(end - 2 * unit, end)) === '\r\n';
}

/** Finds out, for ascending offsets, whether the line ends in CRLF; a last line without end counts like the one before. */
export class LineEnds {
  readonly #document: Document;
  #from = -1;
  #next = -1;
  #crlf = false;

  constructor(document: Document) {
    this.#document = document;
  }

  *isCrlfAt(offset: number): Sliced<boolean> {
    if (offset >= this.#from && offset < this.#next) return this.#crlf;
    const document = this.#document;
    this.#from = offset;
    this.#next = yield* nextLine(document, offset);
    this.#crlf = isCrlf(document, this.#next);
    if (this.#next < document.length || this.#crlf) return this.#crlf;
    const start = yield* lineStart(document, document.length);
    this.#crlf = isCrlf(document, start);
    this.#next = Number.POSITIVE_INFINITY;
    return this.#crlf;
  }
}
