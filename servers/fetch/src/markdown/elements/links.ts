import { defined } from '@rootbound/kit/primitives';
import type { Link } from '../../reading/reading.ts';
import type { BaseUrl } from '../base-url.ts';
import { onOneLine } from '../characters.ts';
import type { Aside, Flow, LinkText } from '../flow.ts';
import type { Attributes } from '../html-parser.ts';
import { type Mark, markOf } from '../mark.ts';
import type { Tally } from '../removed-counts.ts';
import { linkTarget } from '../urls.ts';

const MOST_LINKS = 20_000;
const MOST_LABEL = 300;

/** A writer of links, which collects them for the result. */
export class Links {
  readonly found: Link[] = [];
  readonly #flow: Flow;
  readonly #address: BaseUrl;
  readonly #tally: Tally;
  readonly #areWritten: boolean;
  /** number of open navigation elements */
  #navigation = 0;
  #isCut = false;

  constructor(flow: Flow, address: BaseUrl, tally: Tally, areWritten: boolean) {
    this.#flow = flow;
    this.#address = address;
    this.#tally = tally;
    this.#areWritten = areWritten;
  }

  /** Whether links beyond the limit were left out. */
  get isCut(): boolean {
    return this.#isCut;
  }

  enterNavigation(): void {
    this.#navigation += 1;
  }

  leaveNavigation(): void {
    this.#navigation -= 1;
  }

  /** Begins a link; a harmful one is written as text. */
  begin(href: string, attributes: Attributes): (() => void) | undefined {
    const url = this.#address.resolve(href);
    if (url !== undefined) return this.write(url, href, attributes);
    this.#tally.links += 1;
    return undefined;
  }

  /** Writes a link around the following text up to its end. */
  write(url: string, href: string, attributes: Attributes): () => void {
    const flow = this.#flow;
    flow.regain();
    const outer = flow.link;
    const link: LinkText = { text: '' };
    flow.link = link;
    const isFragment = href.trim().startsWith('#');
    // a link within the page needs only its fragment
    const target = isFragment && !this.#address.isDeclared ? href.trim() : url;
    const mark = this.#areWritten ? markOf('[', `](${linkTarget(target)})`) : undefined;
    const isAnchor = isFragment && flow.isInHeading;
    if (mark !== undefined && !isAnchor && outer === undefined) flow.begin(mark);
    const aside = isAnchor ? flow.setAside(true) : undefined;
    return () => {
      if (aside !== undefined && isSignOf(aside, flow)) flow.link = outer;
      else this.#end(url, link, outer, mark, attributes);
    };
  }

  /** Adds a link to those of the page. */
  record(url: string, text: string, rel: string | undefined): void {
    if (this.found.length >= MOST_LINKS) {
      this.#isCut = true;
      return;
    }
    const place = this.#navigation > 0 ? 'navigation' : 'content';
    this.found.push({ url, text, place, ...defined({ rel }) });
  }

  /** Returns a code span inside its link. */
  aroundCode(span: string, url: string): string {
    const isWritten = this.#areWritten && this.#flow.link === undefined;
    return isWritten ? `[${span}](${linkTarget(url)})` : span;
  }

  #end(
    url: string,
    link: LinkText,
    outer: LinkText | undefined,
    mark: Mark | undefined,
    attributes: Attributes,
  ): void {
    const flow = this.#flow;
    flow.regain();
    let text = onOneLine(link.text);
    flow.link = outer;
    const label = attributes['aria-label'] ?? attributes.title ?? '';
    if (text === '' && label !== '' && mark !== undefined && mark.from < 0 && !mark.spent) {
      text = label.slice(0, MOST_LABEL);
      flow.label(text);
    }
    if (mark !== undefined) flow.end(mark);
    if (outer !== undefined) outer.text += text;
    this.record(url, text, attributes.rel);
  }
}

/** Returns whether a link in a heading is only an anchor sign for the heading; if so, ends it. */
function isSignOf(aside: Aside, flow: Flow): boolean {
  return /^[#¶§🔗\s]*$/u.test(aside.text) && flow.endAside(aside);
}
