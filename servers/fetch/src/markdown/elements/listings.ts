import { codeSpan, fence, trimCode } from '../code.ts';
import type { Flow, Sink } from '../flow.ts';

/** Elements that are lines where they stand in code. */
const lineTags = new Set(['div', 'li', 'p', 'tr', 'table', 'ol', 'ul']);
/** lines of code that a cell may have */
const MOST_CELL_LINES = 400;

/** Code in lines of its own as it comes. */
class Listing implements Sink {
  text = '';
  language: string | undefined;
  #isAtLineStart = true;
  /** whether an element that is a line has ended */
  #endsLine = false;
  /** where the last code element ended */
  #codeEnd = 0;

  constructor(language: string | undefined) {
    this.language = language;
  }

  add(text: string): void {
    if (this.#endsLine) this.startLine();
    if (text === '') return;
    this.text += text;
    this.#isAtLineStart = text.endsWith('\n');
  }

  startLine(): void {
    this.#endsLine = false;
    if (!this.#isAtLineStart) this.lineBreak();
    this.#codeEnd = 0;
  }

  lineBreak(): void {
    this.text += '\n';
    this.#isAtLineStart = true;
  }

  /** Another code element begins where one has just ended: each of them is a line. */
  startCode(): void {
    if (this.#codeEnd > 0 && this.#codeEnd === this.text.length) this.startLine();
  }

  readonly endLine = (): void => {
    this.#endsLine = true;
  };

  readonly endCode = (): void => {
    this.#codeEnd = this.text.length;
  };
}

/** Code that stands for itself, one listing open at a time. */
export class Listings {
  readonly #flow: Flow;
  #listing: Listing | undefined;

  constructor(flow: Flow) {
    this.#flow = flow;
  }

  get isOpen(): boolean {
    return this.#listing !== undefined;
  }

  begin(language: string | undefined): () => void {
    this.#flow.flush();
    const listing = new Listing(language);
    this.#listing = listing;
    this.#flow.sink = listing;
    return () => {
      this.#listing = undefined;
      this.#flow.sink = undefined;
      this.#put(listing);
    };
  }

  /** Begins an element in code, which may be a line of it or name its language. */
  beginWithin(name: string, language: string | undefined): (() => void) | undefined {
    const listing = this.#listing!;
    listing.language ??= language;
    if (name === 'br') listing.lineBreak();
    if (name === 'code') {
      listing.startCode();
      return listing.endCode;
    }
    if (!lineTags.has(name)) return undefined;
    listing.startLine();
    return listing.endLine;
  }

  #put({ text, language = '' }: Listing): void {
    const code = trimCode(text);
    if (code === '') return;
    if (this.#flow.isInHeading) {
      this.#flow.write(code);
      return;
    }
    this.#flow.blocks.put({ kind: 'code', body: fence(code, language), inCell: () => spansOf(code) });
  }
}

/** Code as a cell has it: a span for each of its lines. */
function spansOf(code: string): string {
  const lines = code.split('\n', MOST_CELL_LINES).map((line) => line.trim());
  return lines.map((line) => (line === '' ? '' : codeSpan(line))).join('\n');
}
