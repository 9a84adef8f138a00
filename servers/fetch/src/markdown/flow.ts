import { Blocks, type Held } from './blocks.ts';
import { isBlank, onOneLine } from './characters.ts';
import type { Container } from './containers.ts';
import { Inline } from './inline.ts';
import type { Mark } from './mark.ts';
import type { Steps } from './steps.ts';

/** What takes text while its element is open, so that none comes into the paragraph. */
export interface Sink {
  add(text: string): void;
}

/** Text set aside until its element ends; what is of the page's words comes back where something else than text comes. */
export interface Aside {
  readonly isOfPage: boolean;
  text: string;
}

/** A link that is open: what it says. */
export interface LinkText {
  text: string;
}

const MOST_LINK_TEXT = 300;

/** The page's text as it is written: paragraphs and headings, one after the other, and what they are in. */
export class Flow {
  readonly blocks: Blocks;
  readonly #line: Inline;
  #heading: { readonly level: number; text: string } | undefined;
  #aside: Aside | undefined;
  /** the link that the text is in */
  link: LinkText | undefined;
  /** what takes the text instead of the paragraph */
  sink: Sink | undefined;
  /** whether the last that came was an image without an address */
  lacksImage = false;

  constructor(mostLength: number, steps: Steps) {
    this.blocks = new Blocks(mostLength, steps);
    this.#line = new Inline(steps);
  }

  get isInHeading(): boolean {
    return this.#heading !== undefined;
  }

  /** Takes text of the page, wherever it goes. */
  add(text: string): void {
    if (this.sink !== undefined) this.sink.add(text);
    else if (this.#aside !== undefined) this.#aside.text += text;
    else this.write(text);
  }

  /** Writes text into the paragraph. */
  write(text: string): void {
    if (this.#heading !== undefined) this.#heading.text += text;
    if (this.link !== undefined && this.link.text.length < MOST_LINK_TEXT) this.link.text += text;
    if (this.#line.isEmpty && isBlank(text)) {
      this.#line.space();
      return;
    }
    if (this.#line.breaks > 1 && !isBlank(text)) this.flush();
    this.lacksImage = false;
    this.#line.write(text);
  }

  /** Writes Markdown as it is; `plain` is what it says. */
  atom(markdown: string, plain: string, isImage = false): void {
    this.regain();
    if (this.#heading !== undefined) this.#heading.text += plain;
    if (this.link !== undefined) this.link.text += plain;
    if (this.#line.breaks > 1) this.flush();
    this.#line.atom(markdown, isImage);
  }

  /** Writes what a link says that has no text; nothing else hears of it. */
  label(text: string): void {
    this.#line.write(text);
  }

  space(): void {
    this.#line.space();
  }

  lineBreak(): void {
    if (this.#heading !== undefined) this.#line.space();
    else this.#line.lineBreak();
    if (this.link !== undefined) this.link.text += ' ';
  }

  begin(mark: Mark): void {
    this.#line.begin(mark);
  }

  end(mark: Mark): void {
    this.#line.end(mark);
  }

  /** Writes a line across the page. */
  rule(): void {
    this.flush();
    if (this.#heading === undefined) this.blocks.put({ kind: 'rule', body: '---' });
  }

  /** Writes a box to tick at the beginning of an item. */
  checkbox(isChecked: boolean): void {
    const item = this.blocks.inner;
    if (item?.kind !== 'item' || item.used || !this.#line.isEmpty || /\[.\] $/.test(item.first)) return;
    item.first += isChecked ? '[x] ' : '[ ] ';
  }

  /** Ends the paragraph. */
  flush(): void {
    if (this.#heading !== undefined) {
      this.#line.space();
      return;
    }
    if (this.#line.isEmpty) return;
    const body = this.#line.take();
    if (body !== '') this.blocks.put({ kind: 'text', body });
  }

  /** Puts what comes into a container, until the end that is given back. */
  contain(container: Container): () => void {
    this.flush();
    if (this.#heading !== undefined || this.blocks.isFull) return this.flushes;
    this.blocks.enter(container);
    return () => {
      this.flush();
      this.blocks.leave(container);
    };
  }

  /** Keeps the blocks aside that come until the end that is given back, which hands them on. */
  hold(take: (held: readonly Held[]) => void): () => void {
    const release = this.blocks.hold();
    return () => {
      this.flush();
      take(release());
    };
  }

  /** Begins a heading, and gives back its end. */
  beginHeading(level: number): () => void {
    this.flush();
    if (this.#heading !== undefined) return this.flushes;
    const heading = { level: Math.min(6, Math.max(1, Math.trunc(level))), text: '' };
    this.#heading = heading;
    return () => {
      this.regain();
      this.#heading = undefined;
      const body = this.#line.take().replaceAll('\n', ' ');
      if (body === '') return;
      this.blocks.put({ kind: 'heading', body, level: heading.level, plain: onOneLine(heading.text) });
    };
  }

  /** The end of what ends a paragraph and does nothing else. */
  readonly flushes = (): void => this.flush();

  /** Sets aside the text that comes. */
  setAside(isOfPage: boolean): Aside {
    this.regain();
    this.#aside = { isOfPage, text: '' };
    return this.#aside;
  }

  /** Ends an aside; false where its text has come back already. */
  endAside(aside: Aside): boolean {
    if (this.#aside !== aside) return false;
    this.#aside = undefined;
    return true;
  }

  /** Writes what was set aside of the page's words. */
  regain(): void {
    const aside = this.#aside;
    if (aside === undefined || !aside.isOfPage) return;
    this.#aside = undefined;
    if (aside.text !== '') this.write(aside.text);
  }
}
