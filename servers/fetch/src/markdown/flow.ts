import { Blocks, type Held } from './blocks.ts';
import { isBlank, onOneLine } from './characters.ts';
import type { Container } from './containers.ts';
import { Inline } from './inline.ts';
import type { Mark } from './mark.ts';
import type { Steps } from './steps.ts';

/** A receiver of text, instead of the paragraph, while an element is open. */
export interface Sink {
  add(text: string): void;
}

/** Text that is set aside until its element ends; page text is written after all if something other than text comes. */
export interface Aside {
  readonly isOfPage: boolean;
  text: string;
}

/** An open link with its text. */
export interface LinkText {
  text: string;
}

const MOST_LINK_TEXT = 300;

/** A writer of a page's text: paragraphs and headings in sequence, in their containers. */
export class Flow {
  readonly blocks: Blocks;
  readonly #line: Inline;
  #heading: { readonly level: number; text: string } | undefined;
  #aside: Aside | undefined;
  /** the link around the text */
  link: LinkText | undefined;
  /** receives the text instead of the paragraph */
  sink: Sink | undefined;
  /** whether the last element was an image without a URL */
  lacksImage = false;

  constructor(mostLength: number, steps: Steps) {
    this.blocks = new Blocks(mostLength, steps);
    this.#line = new Inline(steps);
  }

  get isInHeading(): boolean {
    return this.#heading !== undefined;
  }

  /** Adds text of the page, to the sink, the aside or the paragraph. */
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

  /** Writes Markdown unchanged; `plain` is its text. */
  atom(markdown: string, plain: string, isImage = false): void {
    this.regain();
    if (this.#heading !== undefined) this.#heading.text += plain;
    if (this.link !== undefined) this.link.text += plain;
    if (this.#line.breaks > 1) this.flush();
    this.#line.atom(markdown, isImage);
  }

  /** Writes the label of a link without text; it does not count as text of the page. */
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

  /** Writes a thematic break. */
  rule(): void {
    this.flush();
    if (this.#heading === undefined) this.blocks.put({ kind: 'rule', body: '---' });
  }

  /** Writes a checkbox at the beginning of a list item. */
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

  /** Puts the following blocks into a container, up to the end that is returned. */
  contain(container: Container): () => void {
    this.flush();
    if (this.#heading !== undefined || this.blocks.isFull) return this.flushes;
    this.blocks.enter(container);
    return () => {
      this.flush();
      this.blocks.leave(container);
    };
  }

  /** Holds back the blocks up to the end that is returned, which passes them to `take`. */
  hold(take: (held: readonly Held[]) => void): () => void {
    const release = this.blocks.hold();
    return () => {
      this.flush();
      take(release());
    };
  }

  /** Begins a heading and returns its end. */
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

  /** Ends a paragraph; the end of elements that do nothing else. */
  readonly flushes = (): void => this.flush();

  /** Sets the following text aside. */
  setAside(isOfPage: boolean): Aside {
    this.regain();
    this.#aside = { isOfPage, text: '' };
    return this.#aside;
  }

  /** Ends an aside; returns false if its text was written already. */
  endAside(aside: Aside): boolean {
    if (this.#aside !== aside) return false;
    this.#aside = undefined;
    return true;
  }

  /** Writes the page text that was set aside. */
  regain(): void {
    const aside = this.#aside;
    if (aside === undefined || !aside.isOfPage) return;
    this.#aside = undefined;
    if (aside.text !== '') this.write(aside.text);
  }
}
