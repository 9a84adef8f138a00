import { isPunctuation, isSpace, isWord } from './characters.ts';
import { isLink, type Mark } from './mark.ts';
import { Pieces } from './pieces.ts';
import type { Steps } from './steps.ts';

const MOST_MARKS = 32;

/** Returns whether emphasis cannot begin or end between two characters. */
function isStuck(outer: number, inner: number): boolean {
  return isWord(outer) && isPunctuation(inner);
}

/** Markers that end at the current end of the line. */
interface Ended {
  /** the code unit before them */
  readonly before: number;
  readonly marks: { readonly mark: Mark; readonly from: number; readonly at: number }[];
}

/**
 * A paragraph of Markdown that is being written. White space is collapsed and kept outside of markers, markers begin
 * with their first text, and characters that prevent a marker are moved outside of it.
 */
export class Inline {
  readonly #steps: Steps;
  #pieces = new Pieces();
  #marks: Mark[] = [];
  #space = false;
  #breaks = 0;
  #ended: Ended | undefined;
  #onlyImages = true;

  constructor(steps: Steps) {
    this.#steps = steps;
  }

  get isEmpty(): boolean {
    return this.#pieces.count === 0;
  }

  get breaks(): number {
    return this.#breaks;
  }

  begin(mark: Mark): void {
    // deeper marks look the same, and each takes time for every word
    if (this.#marks.length < MOST_MARKS) this.#marks.push(mark);
  }

  end(mark: Mark): void {
    const at = this.#marks.lastIndexOf(mark);
    if (at < 0) return;
    if (mark.from >= 0) this.#closeFrom(at);
    this.#marks.splice(at, 1);
  }

  space(): void {
    this.#space = true;
  }

  lineBreak(): void {
    this.#breaks += 1;
    this.#space = false;
  }

  /** Writes text of the page. */
  write(text: string): void {
    let from = -1;
    let to = -1;
    // words with single spaces between them are one piece
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (!isSpace(unit)) {
        if (from < 0) from = at;
        to = at + 1;
        continue;
      }
      if (from < 0) {
        this.#space = true;
        continue;
      }
      if (unit === 0x20 && at + 1 < text.length && !isSpace(text.charCodeAt(at + 1))) continue;
      this.#words(text.slice(from, to));
      from = -1;
      this.#space = true;
    }
    if (from >= 0) this.#words(text.slice(from, to));
  }

  /** Writes Markdown unchanged. */
  atom(markdown: string, isImage = false): void {
    this.#open(markdown.charCodeAt(0), true);
    if (!isImage) this.#onlyImages = false;
    this.#pieces.whole(markdown);
  }

  /** Returns the paragraph; open markers are closed, and begin again in the next one. */
  take(): string {
    this.#closeFrom(0);
    const text = this.#pieces.join();
    this.#steps.count += text.length + this.#pieces.count;
    this.#pieces = new Pieces();
    this.#space = false;
    this.#breaks = 0;
    this.#ended = undefined;
    this.#onlyImages = true;
    return text;
  }

  #words(words: string): void {
    let rest = words;
    let inner = this.#open(rest.charCodeAt(0));
    while (!inner) {
      // emphasis cannot begin between a letter and punctuation, so the punctuation stays before it
      let end = 1;
      while (end < rest.length && isPunctuation(rest.charCodeAt(end))) end += 1;
      this.#put(rest.slice(0, end));
      rest = rest.slice(end);
      if (rest === '') return;
      if (isSpace(rest.charCodeAt(0))) {
        this.#space = true;
        rest = rest.slice(1);
      }
      inner = this.#open(rest.charCodeAt(0));
    }
    this.#put(rest);
  }

  #put(words: string): void {
    const inLink = this.#marks.some((mark) => isLink(mark) && mark.from >= 0);
    this.#pieces.words(words, inLink);
    this.#onlyImages = false;
  }

  /** Writes the pending space and markers; returns false if emphasis cannot begin here, unless Markdown follows. */
  #open(next: number, isWhole = false): boolean {
    if (this.#breaks > 0 && !this.isEmpty) {
      this.#pieces.lineBreak();
      this.#ended = undefined;
    } else if (this.#space && !this.isEmpty && this.#pieces.last !== 0) {
      this.#pieces.space();
      this.#ended = undefined;
    }
    this.#space = false;
    this.#breaks = 0;
    if (this.#ended !== undefined) this.#settle(next);
    this.#steps.count += this.#marks.length;
    for (const mark of this.#marks) {
      if (mark.from >= 0 || mark.spent) continue;
      if (isLink(mark)) this.#pieces.escapeBang();
      else {
        if (this.#goOn(mark) || this.#isWithin(mark.begin)) continue;
        if (!isWhole && isStuck(this.#lastBefore(mark), next)) {
          this.#ended = undefined;
          return false;
        }
      }
      mark.from = this.#pieces.begin(mark.begin);
    }
    this.#ended = undefined;
    return true;
  }

  /** Returns whether the text has this emphasis already. */
  #isWithin(begin: string): boolean {
    return this.#marks.some((other) => other.begin === begin && other.from >= 0);
  }

  /** Returns the code unit before a marker and the markers that it joins. */
  #lastBefore(mark: Mark): number {
    const ended = this.#ended;
    const { last } = this.#pieces;
    return ended !== undefined && last === mark.begin.charCodeAt(0) ? ended.before : last;
  }

  /** Continues emphasis that ended here. */
  #goOn(mark: Mark): boolean {
    const ended = this.#ended?.marks[this.#ended.marks.length - 1];
    if (ended === undefined || ended.mark.end !== mark.end || ended.at !== this.#pieces.count - 1)
      return false;
    this.#ended!.marks.pop();
    mark.from = ended.from;
    const [other] = this.#ended!.marks.slice(-1);
    this.#pieces.reopen(other === undefined ? this.#ended!.before : other.mark.end.charCodeAt(0));
    if (other === undefined) this.#ended = undefined;
    return true;
  }

  /** Moves punctuation out of emphasis that ends between it and a letter, if possible. */
  #settle(next: number): void {
    const { before, marks } = this.#ended!;
    if (marks.length === 0 || !isStuck(next, before)) return;
    if (this.#pieces.moveSigns(marks[0]!.at - 1, before)) this.#ended = undefined;
  }

  /** Closes the markers from one on; all but the first begin again with the next text. */
  #closeFrom(first: number): void {
    for (const mark of this.#marks.slice(first).reverse()) {
      if (mark.from < 0) continue;
      const before = this.#pieces.last;
      const at = this.#pieces.end(mark.begin, mark.from, mark.end, !isLink(mark));
      if (isLink(mark)) {
        mark.spent = !this.#onlyImages;
        this.#ended = undefined;
      } else {
        this.#ended ??= { before, marks: [] };
        this.#ended.marks.push({ mark, from: mark.from, at });
      }
      mark.from = -1;
    }
  }
}
