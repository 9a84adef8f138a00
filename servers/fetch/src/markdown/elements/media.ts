import type { BaseUrl } from '../base-url.ts';
import { onOneLine } from '../characters.ts';
import type { Flow } from '../flow.ts';
import type { Attributes } from '../html-parser.ts';
import { removeInvisible } from '../invisible.ts';
import type { OpenElements } from '../open-elements.ts';
import type { Tally } from '../removed-counts.ts';
import { imageSource, linkTarget } from '../urls.ts';
import type { Links } from './links.ts';

const MOST_ALT = 1_000;
const MOST_LABEL = 300;

/** A writer of images, and of links to embedded pages, audio and video. */
export class Media {
  readonly #flow: Flow;
  readonly #address: BaseUrl;
  readonly #links: Links;
  readonly #elements: OpenElements;
  readonly #tally: Tally;
  readonly #areWritten: boolean;

  constructor(
    flow: Flow,
    address: BaseUrl,
    links: Links,
    elements: OpenElements,
    tally: Tally,
    areWritten: boolean,
  ) {
    this.#flow = flow;
    this.#address = address;
    this.#links = links;
    this.#elements = elements;
    this.#tally = tally;
    this.#areWritten = areWritten;
  }

  /** Writes an image, unless it is decoration or a tracking pixel. */
  image(attributes: Attributes): void {
    if (this.#elements.inner?.sight.isVisible === false) return;
    const source = imageSource(attributes);
    this.#flow.lacksImage = source === undefined;
    if (source === undefined || isTiny(attributes)) return;
    const text = onOneLine(attributes.alt ?? '').slice(0, MOST_ALT);
    const url = this.#address.resolve(source);
    const isInLink = this.#flow.link !== undefined;
    if (!this.#areWritten || url === undefined) {
      if (isInLink && text !== '') this.#flow.write(text);
      return;
    }
    if (attributes.alt === '' && !isInLink && this.#elements.find('figure') === undefined) return;
    const visible = removeInvisible(text);
    this.#tally.invisible += visible.removed;
    const alt = visible.text.replace(/[\\[\]`*_<&]/g, '\\$&');
    this.#flow.atom(`![${alt}](${linkTarget(url)})`, isInLink ? visible.text : '', true);
  }

  /** Writes a link to the source of an embedded element. */
  embed(name: string, attributes: Attributes): void {
    const source = attributes.src ?? attributes['data-src'] ?? attributes.data;
    const url = source === undefined ? undefined : this.#address.resolve(source);
    if (url === undefined || !/^https?:/.test(url) || isTiny(attributes)) return;
    if (/googletagmanager\.com/.test(url)) return;
    const label = attributes.title ?? attributes['aria-label'] ?? '';
    this.#flow.flush();
    const end = this.#links.write(url, '', {});
    this.#flow.write(label === '' ? `${name}: ${new URL(url).hostname}` : label.slice(0, MOST_LABEL));
    end();
    this.#flow.flush();
  }
}

function isTiny({ width = '', height = '' }: Attributes): boolean {
  return /^[0-2](?:px)?$/.test(width) || /^[0-2](?:px)?$/.test(height);
}
