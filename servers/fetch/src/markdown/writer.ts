import type { Heading, Link, Removed } from '../reading/reading.ts';
import { isBlank, mayHideCharacters } from './characters.ts';
import { languageOf } from './code-blocks.ts';
import { Elements } from './elements/elements.ts';
import { isTex } from './elements/formulas.ts';
import type { Attributes, Events } from './html-parser.ts';
import { blockTags, unreadTags } from './html-tags.ts';
import { removeInvisible } from './invisible.ts';
import { Omission, type Reason } from './omission.ts';
import type { OpenElement } from './open-elements.ts';
import type { Tally } from './removed-counts.ts';
import type { Steps } from './steps.ts';
import { noStyles, type Styles } from './style-sheets.ts';
import { isUnseen, plainSight, sightIn } from './text-visibility.ts';
import { isUnread } from './unread-elements.ts';
import { isCopy, Visibility } from './visibility.ts';

export interface WriterOptions {
  /** the base of relative links */
  readonly base: string;
  readonly links?: boolean;
  readonly images?: boolean;
  /** the declarations of the page's style sheets */
  readonly styles?: Styles;
  /** whether scripts of the page move hidden parts into place as they arrive */
  readonly streamed?: boolean;
  /** whether hidden content is kept, for pages that have nothing else */
  readonly keepHidden?: boolean;
  /** UTF-16 code units of Markdown */
  readonly mostLength?: number;
  /** counts the work for the page */
  readonly steps?: Steps;
}

export interface Converted {
  readonly text: string;
  readonly headings: Heading[];
  readonly links: Link[];
  readonly removed: Removed;
  /** characters of text in hidden elements */
  readonly hiddenText: number;
  /** whether content beyond the limits was left out */
  readonly isCut: boolean;
}

const MOST_LENGTH = 16_000_000;

/** A writer of Markdown that listens to the events of a page. */
export class MarkdownWriter implements Events {
  readonly #tally: Tally = { hidden: 0, hiddenText: 0, invisible: 0, links: 0 };
  readonly #steps: Steps;
  readonly #elements: Elements;
  readonly #sight: Visibility;
  readonly #omission = new Omission(this.#tally);
  readonly #keepsHidden: boolean;
  /** the text since the last tag */
  #text = '';
  /** open elements beyond the depth limit */
  #beyond = 0;
  /** whether the outermost invisible element has text */
  #saysUnseen = false;

  constructor(options: WriterOptions) {
    const { base, links = true, images = true, mostLength = MOST_LENGTH } = options;
    this.#steps = options.steps ?? { count: 0 };
    this.#keepsHidden = options.keepHidden ?? false;
    this.#sight = new Visibility(options.styles ?? noStyles, options.streamed ?? false);
    this.#elements = new Elements({ base, links, images, mostLength }, this.#tally, this.#steps);
  }

  open(name: string, attributes: Attributes): void {
    const elements = this.#elements;
    if (this.#omission.isOpen) {
      this.#openOmitted(name, attributes);
      return;
    }
    if (elements.formula !== undefined) {
      elements.formula.open(name, attributes.encoding);
      this.#push(name);
      return;
    }
    const reason = this.#omits(name, attributes);
    this.#settle();
    if (reason !== undefined) {
      if (reason === 'unread' && (name === 'embed' || name === 'object'))
        elements.media.embed(name, attributes);
      this.#omission.begin(reason);
    } else if (elements.open.isFull) {
      this.#beyond += 1;
      if (blockTags.has(name)) elements.flow.flush();
    } else {
      const element = this.#push(name, attributes);
      element.end = elements.begin(name, attributes, element);
    }
  }

  text(data: string): void {
    if (this.#omission.isOpen) this.#omission.text(data);
    else if (this.#elements.formula !== undefined) this.#elements.formula.text(data);
    else this.#text += data;
  }

  close(name: string): void {
    const { open, flow, formula } = this.#elements;
    if (this.#omission.isOpen) {
      this.#omission.close();
      return;
    }
    if (this.#beyond > 0) {
      this.#settle();
      this.#beyond -= 1;
      if (blockTags.has(name)) flow.flush();
      return;
    }
    const element = open.inner;
    if (element === undefined) return;
    this.#settle();
    open.pop();
    if (formula !== undefined && element.end === undefined) formula.close(name);
    if (isUnseen(element.sight) && !open.isUnseen) this.#countUnseen();
    element.end?.();
  }

  cease(name: string): void {
    if (this.#omission.isOpen || this.#elements.formula !== undefined) return;
    this.#elements.open.cease(name, () => this.#settle());
  }

  end(): Converted {
    const { open, flow, links } = this.#elements;
    while (!open.isEmpty || this.#omission.isOpen) this.close('');
    this.#settle();
    flow.flush();
    const { hidden, hiddenText, invisible, links: harmful } = this.#tally;
    return {
      text: flow.blocks.take(),
      headings: flow.blocks.headings,
      links,
      removed: { hidden, invisible, links: harmful },
      hiddenText,
      isCut: this.#elements.isCut,
    };
  }

  /** Returns why an element is left out with its content; undefined if it is not. */
  #omits(name: string, attributes: Attributes): Reason | undefined {
    if (this.#isHidden(name, attributes)) return 'hidden';
    if (!isUnread(name, attributes, this.#elements)) return undefined;
    return name === 'noscript' ? 'noscript' : 'unread';
  }

  #isHidden(name: string, attributes: Attributes): boolean {
    if (name === 'template') return attributes.shadowrootmode === undefined;
    if (this.#keepsHidden || isTex(name, attributes) || unreadTags.has(name)) return false;
    return this.#sight.look(name, attributes).isGone && !isCopy(name, attributes);
  }

  /**
   * Reads only the base element inside an element that is left out, and the noscript image that replaces an image
   * without a URL.
   */
  #openOmitted(name: string, attributes: Attributes): void {
    const { address, flow, media } = this.#elements;
    this.#omission.open(name);
    if (name === 'base') address.rebase(attributes);
    else if (name === 'img' && flow.lacksImage && this.#omission.isNoscript) media.image(attributes);
  }

  #push(name: string, attributes?: Attributes): OpenElement {
    const { open } = this.#elements;
    const { inner } = open;
    const around = inner?.sight ?? plainSight;
    const sight =
      attributes === undefined || this.#keepsHidden
        ? around
        : sightIn(around, this.#sight.look(name, attributes), attributes);
    const language = (attributes === undefined ? undefined : languageOf(attributes)) ?? inner?.language;
    const element: OpenElement = { name, end: undefined, sight, language };
    open.push(element);
    return element;
  }

  /** Writes the text since the last tag. */
  #settle(): void {
    if (this.#text === '') return;
    const text = this.#text;
    this.#text = '';
    this.#steps.count += text.length;
    if (this.#elements.open.isUnseen && !isBlank(text)) {
      this.#saysUnseen = true;
      this.#tally.hiddenText += text.length;
    } else if (mayHideCharacters(text)) {
      const visible = removeInvisible(text);
      this.#tally.invisible += visible.removed;
      if (visible.text !== '') this.#elements.flow.add(visible.text);
    } else this.#elements.flow.add(text);
  }

  #countUnseen(): void {
    if (this.#saysUnseen) this.#tally.hidden += 1;
    this.#saysUnseen = false;
  }
}
