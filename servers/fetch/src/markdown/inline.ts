import { isPunctuation, isSpace, isWord } from './characters.ts';
import { escapeText } from './escape.ts';
import type { Steps } from './steps.ts';

/** What text between two places is: a pair of markers that Markdown puts around it. */
export interface Mark {
  readonly begin: string;
  readonly end: string;
  /** where it begins in the pieces, less than zero while it has no text */
  from: number;
  /** whether it has had all that it may have */
  spent: boolean;
}

const MOST_MARKS = 32;

export function markOf(begin: string, end = begin): Mark {
  return { begin, end, from: -1, spent: false };
}

function isLink(mark: Mark): boolean {
  return mark.begin === '[';
}

/** Whether emphasis could neither begin nor end between two characters as it should. */
function isStuck(outer: number, inner: number): boolean {
  return isWord(outer) && isPunctuation(inner);
}

/** Markers that end where the line ends by now. */
interface Ended {
  /** the code unit in front of them */
  readonly before: number;
  readonly marks: { readonly mark: Mark; readonly from: number; readonly at: number }[];
}

/**
 * One paragraph of Markdown as it grows. White space comes out once and never next to a marker's inside, markers come
 * with the first text in them, and what they cannot stand next to goes out of them.
 */
export class Inline {
  readonly #steps: Steps;
  #pieces: string[] = [];
  #marks: Mark[] = [];
  #space = false;
  #breaks = 0;
  /** the code unit before what comes next, 0 at the beginning of a line */
  #last = 0;
  /** the piece that is text and last, so that its end can be moved */
  #textAt = -1;
  #ended: Ended | undefined;
  #onlyImages = true;

  constructor(steps: Steps) {
    this.#steps = steps;
  }

  get isEmpty(): boolean {
    return this.#pieces.length === 0;
  }

  get breaks(): number {
    return this.#breaks;
  }

  begin(mark: Mark): void {
    // what is deeper looks the same, and each one is walked with every word
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

  /** Text as a page has it. */
  write(text: string): void {
    let from = -1;
    let to = -1;
    // a run of words with single spaces between them is one piece
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

  /** A piece of Markdown as it is. */
  atom(markdown: string, isImage = false): void {
    this.#open(markdown.charCodeAt(0));
    if (!isImage) this.#onlyImages = false;
    this.#pieces.push(markdown);
    this.#last = markdown.charCodeAt(markdown.length - 1);
    this.#textAt = -1;
  }

  /** The paragraph, markers that are open ended; they begin again in the next one. */
  take(): string {
    this.#closeFrom(0);
    const text = this.#pieces.join('');
    this.#steps.count += text.length;
    this.#pieces = [];
    this.#space = false;
    this.#breaks = 0;
    this.#last = 0;
    this.#textAt = -1;
    this.#ended = undefined;
    this.#onlyImages = true;
    return text;
  }

  #words(words: string): void {
    let rest = words;
    let inner = this.#open(rest.charCodeAt(0));
    while (!inner) {
      // emphasis cannot begin between a letter and punctuation: that stays in front of it
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
    this.#pieces.push(escapeText(words, this.#last, inLink));
    this.#textAt = this.#pieces.length - 1;
    this.#last = words.charCodeAt(words.length - 1);
    this.#onlyImages = false;
  }

  /** Writes space and markers that wait for text; false where emphasis cannot begin before this. */
  #open(next: number): boolean {
    if (this.#breaks > 0 && this.#pieces.length > 0) {
      this.#pieces.push('  \n');
      this.#last = 0;
      this.#ended = undefined;
    } else if (this.#space && this.#pieces.length > 0 && this.#last !== 0) {
      this.#pieces.push(' ');
      this.#last = 0x20;
      this.#textAt = -1;
      this.#ended = undefined;
    }
    this.#space = false;
    this.#breaks = 0;
    if (this.#ended !== undefined) this.#settle(next);
    this.#steps.count += this.#marks.length;
    for (const mark of this.#marks) {
      if (mark.from >= 0 || mark.spent) continue;
      if (isLink(mark)) this.#escapeBang();
      else {
        if (this.#goOn(mark) || this.#isWithin(mark.begin)) continue;
        if (isStuck(this.#lastBefore(mark), next)) {
          this.#ended = undefined;
          return false;
        }
      }
      mark.from = this.#pieces.length;
      this.#pieces.push(mark.begin);
      this.#last = mark.begin.charCodeAt(mark.begin.length - 1);
      this.#textAt = -1;
    }
    this.#ended = undefined;
    return true;
  }

  /** Whether the text is emphasised by these markers already. */
  #isWithin(begin: string): boolean {
    return this.#marks.some((other) => other.begin === begin && other.from >= 0);
  }

  /** The code unit before what a marker is read as one with. */
  #lastBefore(mark: Mark): number {
    const ended = this.#ended;
    return ended !== undefined && this.#last === mark.begin.charCodeAt(0) ? ended.before : this.#last;
  }

  /** Goes on with emphasis that ended right here. */
  #goOn(mark: Mark): boolean {
    const ended = this.#ended?.marks[this.#ended.marks.length - 1];
    if (ended === undefined || ended.mark.end !== mark.end || ended.at !== this.#pieces.length - 1)
      return false;
    this.#pieces.pop();
    this.#ended!.marks.pop();
    mark.from = ended.from;
    this.#last = this.#ended!.before;
    if (this.#ended!.marks.length === 0) this.#ended = undefined;
    return true;
  }

  /** Emphasis cannot end between punctuation and a letter: the punctuation goes out of it, or its markers go. */
  #settle(next: number): void {
    const { before, marks } = this.#ended!;
    if (marks.length === 0 || !isStuck(next, before)) return;
    const at = marks[0]!.at - 1;
    const text = this.#textAt === at ? this.#pieces[at]! : '';
    let end = text.length;
    while (end > 0 && isPunctuation(text.charCodeAt(end - 1))) end -= 1;
    if (end > 0 && text.charCodeAt(end - 1) !== 0x20) {
      this.#pieces[at] = text.slice(0, end);
      this.#pieces.push(text.slice(end));
    } else {
      for (const { from, at: to } of marks) {
        this.#pieces[from] = '';
        this.#pieces[to] = '';
      }
    }
    this.#last = before;
    this.#ended = undefined;
  }

  #escapeBang(): void {
    if (this.#last !== 0x21 || this.#textAt !== this.#pieces.length - 1) return;
    this.#pieces[this.#textAt] = `${this.#pieces[this.#textAt]!.slice(0, -1)}\\!`;
  }

  /** Ends the markers from one on; those but the first begin again with the next text. */
  #closeFrom(first: number): void {
    for (let at = this.#marks.length - 1; at >= first; at--) {
      const mark = this.#marks[at]!;
      if (mark.from < 0) continue;
      const place = this.#pieces.length;
      this.#pieces.push(mark.end);
      if (isLink(mark)) {
        mark.spent = !this.#onlyImages;
        this.#last = 0x29;
        this.#ended = undefined;
        this.#textAt = -1;
      } else {
        this.#ended ??= { before: this.#last, marks: [] };
        this.#ended.marks.push({ mark, from: mark.from, at: place });
        this.#last = mark.end.charCodeAt(mark.end.length - 1);
      }
      mark.from = -1;
    }
  }
}
