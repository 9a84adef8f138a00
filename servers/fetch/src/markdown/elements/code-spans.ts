import type { BaseUrl } from '../base-url.ts';
import { isBlank, onOneLine } from '../characters.ts';
import { codeSpan } from '../code-blocks.ts';
import type { Flow, Sink } from '../flow.ts';
import type { Attributes } from '../html-parser.ts';
import { blockTags } from '../html-tags.ts';
import type { Links } from './links.ts';

const MOST_LINK_TEXT = 300;

interface CodeLink {
  readonly url: string;
  readonly from: number;
  /** end of the link, -1 while it is open */
  to: number;
  text: string;
}

/** The text of a code span, and its first link. */
class CodeText implements Sink {
  text = '';
  first: CodeLink | undefined;
  #link: CodeLink | undefined;

  add(text: string): void {
    this.text += text;
    if (this.#link !== undefined && this.#link.text.length < MOST_LINK_TEXT) this.#link.text += text;
  }

  beginLink(url: string): CodeLink {
    this.#link = { url, from: this.text.length, to: -1, text: '' };
    return this.#link;
  }

  endLink(link: CodeLink): void {
    link.to = this.text.length;
    this.first ??= link;
    if (this.#link === link) this.#link = undefined;
  }

  /** The link that spans the whole code. */
  get whole(): CodeLink | undefined {
    const link = this.first;
    if (link === undefined || !isBlank(this.text.slice(0, link.from))) return undefined;
    return isBlank(this.text.slice(link.to)) ? link : undefined;
  }
}

/** A writer of code spans; one is open at a time. */
export class CodeSpans {
  readonly #flow: Flow;
  readonly #address: BaseUrl;
  readonly #links: Links;
  #code: CodeText | undefined;

  constructor(flow: Flow, address: BaseUrl, links: Links) {
    this.#flow = flow;
    this.#address = address;
    this.#links = links;
  }

  get isOpen(): boolean {
    return this.#code !== undefined;
  }

  begin(): () => void {
    this.#flow.regain();
    const code = new CodeText();
    this.#code = code;
    this.#flow.sink = code;
    return () => {
      this.#code = undefined;
      this.#flow.sink = undefined;
      this.#put(code);
    };
  }

  /** Begins an element in code; only links have an effect. */
  beginWithin(name: string, { href, rel }: Attributes): (() => void) | undefined {
    const code = this.#code!;
    if (name === 'br' || blockTags.has(name)) code.add(' ');
    const url = name === 'a' && href !== undefined ? this.#address.resolve(href) : undefined;
    if (url === undefined) return undefined;
    const link = code.beginLink(url);
    return () => {
      code.endLink(link);
      this.#links.record(url, link.text.trim().slice(0, MOST_LINK_TEXT), rel);
    };
  }

  #put(code: CodeText): void {
    const { text, whole } = code;
    const trimmed = onOneLine(text);
    if (trimmed === '') {
      if (text !== '') this.#flow.space();
      return;
    }
    if (/^\s/.test(text)) this.#flow.space();
    const span = codeSpan(trimmed);
    this.#flow.atom(whole === undefined ? span : this.#links.aroundCode(span, whole.url), trimmed);
    if (/\s$/.test(text)) this.#flow.space();
  }
}
