import type { Attributes, Events } from '../markdown/html-parser.ts';

const MAX_TEXT = 1000;
const MAX_DATA = 2_000_000;
const MAX_METAS = 500;
const MAX_LINKS = 10_000;
const MAX_LINK_TEXT = 200;

export interface PageLink {
  readonly attribs: Attributes;
  /** whether it is a `link` element of the head, which readers do not see */
  readonly head: boolean;
  text: string;
  /** including the links to the same URL beyond the bound */
  times: number;
}

/** A listener that collects the metadata and links of a page. */
export class PageFacts implements Events {
  readonly metas: { readonly name: string; readonly content: string }[] = [];
  readonly links: PageLink[] = [];
  /** blocks of JSON-LD */
  readonly data: string[] = [];
  /** the first of each, if there is one */
  readonly first: Partial<Record<'title' | 'heading' | 'base' | 'language' | 'time', string | undefined>> =
    {};
  author: string | undefined;
  /** scripts that are loaded from other files */
  scripts = 0;
  /** approximate characters outside scripts, styles and links */
  ownText = 0;

  #taken: { readonly name: string; text: string; readonly end: (text: string) => void } | undefined;
  #link: PageLink | undefined;
  /** the links within the bound by URL, once a page has more */
  #byAddress: Map<string | undefined, PageLink> | undefined;
  #dataLength = 0;
  #silent = 0;
  /** open svg elements, whose titles are not the page's */
  #drawn = 0;

  open(name: string, attribs: Attributes): void {
    if (name === 'meta') this.#addMeta(attribs);
    else if (name === 'link') this.#addLink(attribs, true);
    else if (name === 'a') this.#link = this.#addLink(attribs, false);
    else if (name === 'base') this.first.base ??= attribs.href;
    else if (name === 'html') this.first.language ??= attribs.lang ?? attribs['xml:lang'];
    else if (name === 'time') this.first.time ??= attribs.datetime;
    else if (name === 'script' && attribs.src !== undefined) this.scripts++;
    if (name === 'svg') this.#drawn++;
    if (isSilent(name)) this.#silent++;
    this.#takeText(name, attribs);
  }

  text(data: string): void {
    const taken = this.#taken;
    if (taken !== undefined) {
      taken.text += data;
      if (taken.text.length > (taken.name === 'script' ? MAX_DATA : 4 * MAX_TEXT)) this.#endTaken();
    }
    if (this.#silent > 0) return;
    const link = this.#link;
    if (link === undefined) this.ownText += data.trim().length;
    else if (link.text.length < MAX_LINK_TEXT) link.text += data;
  }

  close(name: string): void {
    if (name === 'a') this.#link = undefined;
    if (name === 'svg' && this.#drawn > 0) this.#drawn--;
    if (isSilent(name) && this.#silent > 0) this.#silent--;
    if (this.#taken?.name === name) this.#endTaken();
  }

  cease(name: string): void {
    if (name === 'a') this.#link = undefined;
  }

  #endTaken(): void {
    const taken = this.#taken!;
    this.#taken = undefined;
    taken.end(taken.text);
  }

  #addMeta(attribs: Attributes): void {
    const name = attribs.property ?? attribs.name ?? attribs.itemprop ?? attribs['http-equiv'];
    const content = attribs.content?.trim();
    if (name === undefined || content === undefined || content === '' || this.metas.length >= MAX_METAS)
      return;
    this.metas.push({ name: name.toLowerCase(), content: content.slice(0, 4 * MAX_TEXT) });
  }

  #addLink(attribs: Attributes, head: boolean): PageLink | undefined {
    if (attribs.href === undefined) return undefined;
    if (this.links.length >= MAX_LINKS) {
      this.#byAddress ??= new Map(this.links.map((link) => [link.attribs.href, link]));
      const known = this.#byAddress.get(attribs.href);
      if (known !== undefined) known.times++;
      return undefined;
    }
    const link = { attribs, head, text: '', times: 1 };
    this.links.push(link);
    return link;
  }

  #takeText(name: string, attribs: Attributes): void {
    if (this.#taken !== undefined) return;
    const take = (end: (text: string) => void): void => {
      this.#taken = { name, text: '', end };
    };
    if (name === 'title' && this.#drawn === 0 && this.first.title === undefined) {
      take((text) => {
        this.first.title = text.slice(0, MAX_TEXT);
      });
    } else if (name === 'script' && /ld\+json/i.test(attribs.type ?? '')) {
      take((text) => {
        this.#dataLength += text.length;
        if (this.#dataLength <= MAX_DATA) this.data.push(text);
      });
    } else if (name === 'h1' && this.first.heading === undefined) {
      take((text) => {
        if (text.trim() !== '') this.first.heading = text.slice(0, MAX_TEXT);
      });
    } else if (this.author === undefined && (attribs.rel === 'author' || attribs.itemprop === 'author')) {
      take((text) => {
        if (text.trim() !== '') this.author = text.slice(0, MAX_TEXT);
      });
    }
  }
}

function isSilent(name: string): boolean {
  return (
    name === 'script' || name === 'style' || name === 'title' || name === 'noscript' || name === 'template'
  );
}
