import { scanHtml } from './html-scanner.ts';
import {
  blockTags,
  breakoutTags,
  formattingTags,
  headingTags,
  headTags,
  integrationTags,
  scopeTags,
  voidTags,
} from './html-tags.ts';

export type Attributes = Readonly<Record<string, string>>;

/** A listener for the elements and text of a page, well nested except for `cease`. */
export interface Events {
  open(name: string, attributes: Attributes): void;
  text(data: string): void;
  close(name: string): void;
  /** Ends the effect of the innermost open element of a name, although elements inside it stay open. */
  cease(name: string): void;
}

const noAttributes: Attributes = Object.freeze({});
/** Tags that imply the end of open elements of these kinds, within the nearest of the scopes. */
const endedBy = new Map<string, { readonly ends: readonly string[]; readonly within: readonly string[] }>([
  ['li', { ends: ['li'], within: ['ul', 'ol', 'menu', 'dir'] }],
  ['dt', { ends: ['dt', 'dd'], within: ['dl'] }],
  ['dd', { ends: ['dt', 'dd'], within: ['dl'] }],
  ['td', { ends: ['td', 'th', 'caption'], within: ['table'] }],
  ['th', { ends: ['td', 'th', 'caption'], within: ['table'] }],
  ['tr', { ends: ['tr', 'caption', 'colgroup'], within: ['table'] }],
  ['thead', { ends: ['thead', 'tbody', 'tfoot', 'caption', 'colgroup'], within: ['table'] }],
  ['tbody', { ends: ['thead', 'tbody', 'tfoot', 'caption', 'colgroup'], within: ['table'] }],
  ['tfoot', { ends: ['thead', 'tbody', 'tfoot', 'caption', 'colgroup'], within: ['table'] }],
  ['option', { ends: ['option'], within: ['select', 'datalist'] }],
  ['optgroup', { ends: ['optgroup', 'option'], within: ['select'] }],
  ['select', { ends: ['select'], within: [] }],
  ['rt', { ends: ['rt', 'rp'], within: ['ruby'] }],
  ['rp', { ends: ['rt', 'rp'], within: ['ruby'] }],
  ['button', { ends: ['button'], within: [] }],
  ['body', { ends: ['head'], within: [] }],
]);
const tableTags = new Set(['table', 'thead', 'tbody', 'tfoot', 'tr', 'td', 'th', 'caption', 'colgroup']);
const attributeNames = new Set(
  (
    'alt alttext aria-controls aria-expanded aria-hidden aria-label aria-level align checked cite class clip colspan ' +
    'color content data data-code-language data-lang data-language data-lazy-src data-original data-src data-aos ' +
    'data-framer-appear-id datetime display encoding height hidden href hreflang http-equiv id itemprop lang ' +
    'language media name open property rel reversed role rowspan shadowrootmode src srcset start style title type ' +
    'value width xlink:href xml:lang'
  ).split(' '),
);

/**
 * Parses a page in one pass and emits its elements and text; missing and misplaced end tags are corrected. Emits all
 * attributes, or those that the conversion and metadata need.
 */
export function parseHtml(html: string, events: Events, attributes: 'all' | 'needed' = 'needed'): void {
  new HtmlParser(html, events, attributes === 'all').run();
}

/** Returns a listener that passes all events to two others. */
export function both(first: Events, second: Events): Events {
  return {
    open: (name, attributes) => {
      first.open(name, attributes);
      second.open(name, attributes);
    },
    text: (data) => {
      first.text(data);
      second.text(data);
    },
    close: (name) => {
      first.close(name);
      second.close(name);
    },
    cease: (name) => {
      first.cease(name);
      second.cease(name);
    },
  };
}

/** A parser that tracks open elements by the HTML standard's rules for omitted tags, in constant time for each tag. */
class HtmlParser {
  readonly #html: string;
  readonly #events: Events;
  readonly #wantsAll: boolean;
  readonly #open: string[] = [];
  readonly #ceased: boolean[] = [];
  /** indexes of the open elements by name */
  readonly #places = new Map<string, number[]>();
  readonly #scopes: number[] = [];
  /** index of the innermost scope element, -1 for none */
  #scope = -1;
  /** where foreign content begins, and where HTML begins again inside it */
  readonly #foreign: { readonly at: number; readonly is: boolean }[] = [];
  #isForeign = false;

  constructor(html: string, events: Events, wantsAll: boolean) {
    this.#html = html;
    this.#events = events;
    this.#wantsAll = wantsAll;
  }

  run(): void {
    scanHtml(this.#html, this.#wantsAll ? undefined : attributeNames, {
      isForeign: () => this.#isForeign,
      text: (data) => this.#text(data),
      begin: (name, attributes, selfClosing) => this.#begin(name, attributes ?? noAttributes, selfClosing),
      end: (name) => this.#end(name),
    });
    while (this.#open.length > 0) this.#pop();
  }

  #text(data: string): void {
    if (
      this.#places.get('head')?.length &&
      this.#open[this.#open.length - 1] === 'head' &&
      data.trim() !== ''
    )
      this.#popTo(this.#at('head'));
    this.#events.text(data);
  }

  #begin(tag: string, attributes: Attributes, selfClosing: boolean): void {
    const name = tag === 'image' ? 'img' : tag;
    if (this.#isForeign) {
      if (!breakoutTags.has(name)) {
        this.#push(name, attributes);
        if (selfClosing) this.#pop();
        return;
      }
      while (this.#isForeign) this.#popTo(this.#foreign.at(-1)!.at);
    }
    if ((name === 'html' || name === 'body' || name === 'head') && this.#at(name) >= 0) return;
    if (name === 'form' && this.#at('form') >= 0) return;
    if (this.#at('head') >= 0 && !headTags.has(name) && this.#open[this.#open.length - 1] === 'head')
      this.#pop();
    this.#endImplied(name);
    if (voidTags.has(name)) {
      this.#events.open(name, attributes);
      this.#events.close(name);
    } else this.#push(name, attributes);
  }

  /** Ends the open elements whose end this tag implies. */
  #endImplied(name: string): void {
    const rule = endedBy.get(name);
    if (rule !== undefined) {
      const top = rule.within.includes('table') ? this.#at('table') : this.#floor(rule.within);
      let from = this.#open.length;
      for (const ended of rule.ends) {
        const at = this.#at(ended);
        if (at > top && at < from) from = at;
      }
      if (from < this.#open.length) this.#popTo(from);
    }
    if (blockTags.has(name)) {
      const paragraph = this.#at('p');
      if (paragraph > this.#scope) this.#popTo(paragraph);
      if (headingTags.has(name) && headingTags.has(this.#open[this.#open.length - 1] ?? '')) this.#pop();
    } else if (name === 'a') {
      const link = this.#at('a');
      if (link > this.#scope) this.#endAt(link);
    }
  }

  #floor(within: readonly string[]): number {
    let floor = this.#scope;
    for (const name of within) floor = Math.max(floor, this.#at(name));
    return floor;
  }

  #end(name: string): void {
    const at = this.#at(name);
    if (at < 0) {
      if (name !== 'p' && name !== 'br') return;
      this.#events.open(name, noAttributes);
      this.#events.close(name);
      return;
    }
    const barrier = name === 'table' ? -1 : tableTags.has(name) ? this.#at('table') : this.#scope;
    if (at < barrier) return;
    this.#endAt(at);
  }

  #endAt(at: number): void {
    const name = this.#open[at]!;
    if (at === this.#open.length - 1 || !formattingTags.has(name)) {
      this.#popTo(at);
      return;
    }
    // its content continues in elements that stay open, and text inside them is no longer formatted
    this.#places.get(name)!.pop();
    this.#ceased[at] = true;
    this.#events.cease(name);
  }

  #at(name: string): number {
    const places = this.#places.get(name);
    return places === undefined || places.length === 0 ? -1 : places[places.length - 1]!;
  }

  #push(name: string, attributes: Attributes): void {
    const at = this.#open.length;
    this.#open.push(name);
    this.#ceased.push(false);
    const places = this.#places.get(name);
    if (places === undefined) this.#places.set(name, [at]);
    else places.push(at);
    if (scopeTags.has(name)) {
      this.#scopes.push(at);
      this.#scope = at;
    }
    if (name === 'svg' || name === 'math') this.#enter(at, true);
    else if (this.#isForeign && integrationTags.has(name)) this.#enter(at, false);
    this.#events.open(name, attributes);
  }

  #pop(): void {
    const at = this.#open.length - 1;
    const name = this.#open.pop()!;
    if (!this.#ceased.pop()!) this.#places.get(name)!.pop();
    if (this.#scope === at) {
      this.#scopes.pop();
      this.#scope = this.#scopes.at(-1) ?? -1;
    }
    if (this.#foreign.length > 0 && this.#foreign.at(-1)!.at === at) {
      this.#foreign.pop();
      this.#isForeign = this.#foreign.at(-1)?.is === true;
    }
    this.#events.close(name);
  }

  #enter(at: number, isForeign: boolean): void {
    this.#foreign.push({ at, is: isForeign });
    this.#isForeign = isForeign;
  }

  #popTo(at: number): void {
    while (this.#open.length > at) this.#pop();
  }
}
