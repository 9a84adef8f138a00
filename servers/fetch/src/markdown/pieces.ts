import { isPunctuation } from './characters.ts';
import type { Pair } from './delimiter-runs.ts';
import { escapeText } from './escape.ts';
import { readable } from './readable.ts';

const BACKTICK = 0x60;
const BANG = 0x21;
const LONGEST_CODE = 200;

/** The pieces of a paragraph in order: text, markers and finished Markdown. */
export class Pieces {
  #pieces: string[] = [];
  /** the markers that have ended */
  #pairs: Pair[] = [];
  /** index of the last text piece, whose end can be moved */
  #textAt = -1;
  /** the code unit before the next piece, 0 at the beginning of a line */
  last = 0;

  get count(): number {
    return this.#pieces.length;
  }

  /** Adds words of the page, with escapes. */
  words(words: string, inLink: boolean): void {
    this.#pieces.push(escapeText(words, this.last, inLink));
    this.#textAt = this.#pieces.length - 1;
    this.last = words.charCodeAt(words.length - 1);
  }

  /** Adds Markdown unchanged. */
  whole(markdown: string): void {
    if (this.last === BACKTICK && markdown.startsWith('`'))
      this.#pieces.push(joinedCode(this.#pieces.pop()!, markdown));
    else this.#pieces.push(markdown);
    this.last = markdown.charCodeAt(markdown.length - 1);
    this.#textAt = -1;
  }

  space(): void {
    this.#pieces.push(' ');
    this.last = 0x20;
    this.#textAt = -1;
  }

  lineBreak(): void {
    this.#pieces.push('  \n');
    this.last = 0;
  }

  /** Adds a marker and returns its index. */
  begin(marker: string): number {
    this.#pieces.push(marker);
    this.last = marker.charCodeAt(marker.length - 1);
    this.#textAt = -1;
    return this.#pieces.length - 1;
  }

  /** Adds the end of the marker at an index and returns its own; `isText` if its text may continue. */
  end(marker: string, begin: number, ending: string, isText: boolean): number {
    const end = this.#pieces.push(ending) - 1;
    this.#pairs.push({ marker, begin, end });
    this.last = ending.charCodeAt(ending.length - 1);
    if (!isText) this.#textAt = -1;
    return end;
  }

  /** Removes the end marker that is the last piece; `last` is the code unit before the next piece. */
  reopen(last: number): void {
    this.#pieces.pop();
    this.#pairs.pop();
    this.last = last;
  }

  /** Moves the punctuation at the end of the last text behind all pieces; returns false if there is none. */
  moveSigns(at: number, last: number): boolean {
    const text = this.#textAt === at ? this.#pieces[at]! : '';
    let end = text.length;
    while (end > 0 && isPunctuation(text.charCodeAt(end - 1))) end -= 1;
    if (end === 0 || text.charCodeAt(end - 1) === 0x20) return false;
    this.#pieces[at] = text.slice(0, end);
    this.#textAt = this.#pieces.push(text.slice(end)) - 1;
    this.last = last;
    return true;
  }

  /** Escapes a `!` that would turn the following link into an image. */
  escapeBang(): void {
    if (this.last !== BANG || this.#textAt !== this.#pieces.length - 1) return;
    this.#pieces[this.#textAt] = `${this.#pieces[this.#textAt]!.slice(0, -1)}\\!`;
  }

  /** Returns the Markdown of all pieces. */
  join(): string {
    return readable(this.#pieces, this.#pairs);
  }
}

/** Joins two adjacent code spans: as one if both are short, else with a comment between them. */
function joinedCode(one: string, other: string): string {
  const isPlain = (span: string): boolean => /^`[^`\s](?:[^`]*[^`\s])?`$/.test(span);
  const isShort = one.length + other.length <= LONGEST_CODE;
  return isShort && isPlain(one) && isPlain(other)
    ? one.slice(0, -1) + other.slice(1)
    : `${one}<!-- -->${other}`;
}
