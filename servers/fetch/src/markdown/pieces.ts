import { isPunctuation } from './characters.ts';
import { escapeText } from './escape.ts';
import { readable } from './readable.ts';
import type { Pair } from './runs.ts';

const BACKTICK = 0x60;
const BANG = 0x21;
const LONGEST_CODE = 200;

/** What a paragraph has so far: text, markers and Markdown that is whole, one behind the other. */
export class Pieces {
  #pieces: string[] = [];
  /** the markers that have ended */
  #pairs: Pair[] = [];
  /** the piece that is text and last, so that its end can be moved */
  #textAt = -1;
  /** the code unit before what comes next, 0 at the beginning of a line */
  last = 0;

  get count(): number {
    return this.#pieces.length;
  }

  /** Words of the page, escaped. */
  words(words: string, inLink: boolean): void {
    this.#pieces.push(escapeText(words, this.last, inLink));
    this.#textAt = this.#pieces.length - 1;
    this.last = words.charCodeAt(words.length - 1);
  }

  /** Markdown as it is. */
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

  /** Writes a marker, and tells its place. */
  begin(marker: string): number {
    this.#pieces.push(marker);
    this.last = marker.charCodeAt(marker.length - 1);
    this.#textAt = -1;
    return this.#pieces.length - 1;
  }

  /** Writes the end of a marker that begins at a place, and tells its own; `isText` where text may go on. */
  end(marker: string, begin: number, ending: string, isText: boolean): number {
    const end = this.#pieces.push(ending) - 1;
    this.#pairs.push({ marker, begin, end });
    this.last = ending.charCodeAt(ending.length - 1);
    if (!isText) this.#textAt = -1;
    return end;
  }

  /** Takes the end of a marker away that is the last piece; `last` is the code unit that is read before what comes. */
  reopen(last: number): void {
    this.#pieces.pop();
    this.#pairs.pop();
    this.last = last;
  }

  /** Moves the punctuation at the end of the text in a place behind all, if it has some and is the last text. */
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

  /** Keeps a link from becoming an image. */
  escapeBang(): void {
    if (this.last !== BANG || this.#textAt !== this.#pieces.length - 1) return;
    this.#pieces[this.#textAt] = `${this.#pieces[this.#textAt]!.slice(0, -1)}\\!`;
  }

  /** The Markdown of all of it. */
  join(): string {
    return readable(this.#pieces, this.#pairs);
  }
}

/** Two code spans side by side: as one where both are short, or with a comment between their fences. */
function joinedCode(one: string, other: string): string {
  const isPlain = (span: string): boolean => /^`[^`\s](?:[^`]*[^`\s])?`$/.test(span);
  const isShort = one.length + other.length <= LONGEST_CODE;
  return isShort && isPlain(one) && isPlain(other)
    ? one.slice(0, -1) + other.slice(1)
    : `${one}<!-- -->${other}`;
}
