import { codeSpan, fence, trimCode } from '../code-blocks.ts';
import type { Flow, Sink } from '../flow.ts';

/** Elements that are lines inside code. */
const lineTags = new Set(['div', 'li', 'p', 'tr', 'table', 'ol', 'ul']);
/** lines of code in a table cell */
const MOST_CELL_LINES = 400;

/** The text of a code block. */
class Listing implements Sink {
  text = '';
  language: string | undefined;
  #isAtLineStart = true;
  /** whether a line element has ended */
  #endsLine = false;
  /** end of the last code element */
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

  /** Begins a code element; one that follows another directly starts a new line. */
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

/** A writer of code blocks; one is open at a time. */
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

  /** Begins an element in code, which may be a line or name the language. */
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

/** Returns code for a table cell: a code span for each line. */
function spansOf(code: string): string {
  const lines = code.split('\n', MOST_CELL_LINES).map((line) => line.trim());
  return lines.map((line) => (line === '' ? '' : codeSpan(line))).join('\n');
}
