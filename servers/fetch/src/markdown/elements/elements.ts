import type { Link } from '../../reading/reading.ts';
import { BaseUrl } from '../base-url.ts';
import { definition, quote } from '../containers.ts';
import { Flow } from '../flow.ts';
import type { Attributes } from '../html-parser.ts';
import { blockTags, navigationTags } from '../html-tags.ts';
import type { Formula } from '../math.ts';
import { type OpenElement, OpenElements } from '../open-elements.ts';
import type { Tally } from '../removed-counts.ts';
import type { Steps } from '../steps.ts';
import { CodeSpans } from './code-spans.ts';
import { Footnotes, leaveOut } from './footnotes.ts';
import { Formulas } from './formulas.ts';
import { emphasise, emphasiseBlock, enclose, shift } from './inline.ts';
import { Links } from './links.ts';
import { Listings } from './listings.ts';
import { Lists } from './lists.ts';
import { Media } from './media.ts';
import { Tables } from './tables.ts';

export interface ElementOptions {
  readonly base: string;
  readonly links: boolean;
  readonly images: boolean;
  readonly mostLength: number;
}

/** Called at the end of an element. */
type End = () => void;

const nothing: End = () => {};

/** number of ancestors in which the ruby element of a reading is looked for */
const RUBY_WITHIN = 3;

const emphasis = new Map<string, string>([
  ['b', '**'],
  ['strong', '**'],
  ['em', '*'],
  ['i', '*'],
  ['cite', '*'],
  ['dfn', '*'],
  ['var', '*'],
  ['del', '~~'],
  ['s', '~~'],
  ['strike', '~~'],
]);

/** The effects of elements on the text: each element's start returns the function that ends it. */
export class Elements {
  readonly open: OpenElements;
  readonly flow: Flow;
  readonly address: BaseUrl;
  readonly media: Media;
  readonly #links: Links;
  readonly #footnotes: Footnotes;
  readonly #codeSpans: CodeSpans;
  readonly #listings: Listings;
  readonly #formulas: Formulas;
  readonly #lists: Lists;
  readonly #tables: Tables;

  constructor({ base, links, images, mostLength }: ElementOptions, tally: Tally, steps: Steps) {
    const open = new OpenElements(steps);
    const flow = new Flow(mostLength, steps);
    const address = new BaseUrl(base);
    this.open = open;
    this.flow = flow;
    this.address = address;
    this.#links = new Links(flow, address, tally, links);
    this.media = new Media(flow, address, this.#links, open, tally, images);
    this.#footnotes = new Footnotes(flow, address, this.#links, open);
    this.#codeSpans = new CodeSpans(flow, address, this.#links);
    this.#listings = new Listings(flow);
    this.#formulas = new Formulas(flow, open, steps);
    this.#lists = new Lists(flow, this.#footnotes);
    this.#tables = new Tables(flow, open);
  }

  /** The open formula, which receives elements and text instead of the page. */
  get formula(): Formula | undefined {
    return this.#formulas.open;
  }

  get isInListing(): boolean {
    return this.#listings.isOpen;
  }

  get links(): Link[] {
    return this.#links.found;
  }

  /** Whether links or blocks beyond the limits were left out. */
  get isCut(): boolean {
    return this.#links.isCut || this.flow.blocks.isCut;
  }

  /** Begins an element that is open now. */
  begin(name: string, attributes: Attributes, element: OpenElement): End {
    if (this.#listings.isOpen) return this.#listings.beginWithin(name, element.language) ?? nothing;
    if (this.#codeSpans.isOpen) return this.#codeSpans.beginWithin(name, attributes) ?? nothing;
    const marker = emphasis.get(name);
    if (marker !== undefined) return emphasise(this.flow, marker);
    if (attributes.role === 'heading' && !/^h[1-6]$/.test(name))
      return this.flow.beginHeading(Number(attributes['aria-level'] ?? 2) || 2);
    const isNavigation = navigationTags.has(name);
    if (isNavigation) this.#links.enterNavigation();
    const end = this.#beginNamed(name, attributes, element);
    if (!isNavigation) return end ?? this.#beginOther(name);
    this.flow.flush();
    return () => {
      this.flow.flush();
      this.#links.leaveNavigation();
    };
  }

  /** Begins an element without a meaning of its own: a block or inline text. Custom elements separate words. */
  #beginOther(name: string): End {
    if (blockTags.has(name)) {
      this.flow.flush();
      return this.flow.flushes;
    }
    if (!name.includes('-')) return nothing;
    this.flow.space();
    return () => this.flow.space();
  }

  #beginNamed(name: string, attributes: Attributes, element: OpenElement): End | undefined {
    const { flow } = this;
    switch (name) {
      case 'a':
        return this.#beginLink(attributes);
      case 'audio':
      case 'iframe':
      case 'video':
        this.media.embed(name, attributes);
        return leaveOut(flow);
      case 'base':
        this.address.rebase(attributes);
        return undefined;
      case 'blockquote':
        return flow.contain(quote());
      case 'br':
        flow.lineBreak();
        return undefined;
      case 'caption':
      case 'thead':
        flow.flush();
        return flow.flushes;
      case 'code':
      case 'kbd':
      case 'samp':
      case 'tt':
        return this.#codeSpans.begin();
      case 'dd':
        return flow.contain(definition(flow.blocks.inner?.kind === 'definition'));
      case 'dir':
      case 'menu':
      case 'ol':
      case 'ul':
        return this.#lists.begin(name, attributes);
      case 'dt':
      case 'summary':
        return emphasiseBlock(flow);
      case 'h1':
      case 'h2':
      case 'h3':
      case 'h4':
      case 'h5':
      case 'h6':
        return flow.beginHeading(Number(name[1]));
      case 'hr':
        flow.rule();
        return flow.flushes;
      case 'img':
        this.media.image(attributes);
        return undefined;
      case 'input':
        flow.checkbox(attributes.checked !== undefined);
        return undefined;
      case 'li':
        return this.#lists.beginItem(attributes);
      case 'listing':
      case 'plaintext':
      case 'pre':
      case 'xmp':
        return this.#listings.begin(element.language);
      case 'math':
        return this.#formulas.begin(attributes);
      case 'q':
        return enclose(flow, '“', '”');
      case 'rt':
        return this.open.find('ruby', RUBY_WITHIN) && enclose(flow, '(', ')');
      case 'script':
        return this.#formulas.beginTex(attributes);
      case 'sub':
      case 'sup':
        return shift(flow, name);
      case 'table':
        return this.#tables.begin(attributes);
      case 'td':
      case 'th':
        return this.#tables.beginCell(name, attributes);
      case 'tr':
        return this.#tables.beginRow();
      default:
        return undefined;
    }
  }

  #beginLink(attributes: Attributes): End | undefined {
    const { href } = attributes;
    if (href === undefined) return undefined;
    return this.#footnotes.begin(href, attributes) ?? this.#links.begin(href, attributes);
  }
}
