import type { BaseUrl } from '../base-url.ts';
import type { Flow } from '../flow.ts';
import { noteLabel, noteTarget } from '../footnote-links.ts';
import type { Attributes } from '../html-parser.ts';
import type { OpenElements } from '../open-elements.ts';
import type { Links } from './links.ts';

/** number of ancestors in which the sup element of a link is looked for */
const RAISED_WITHIN = 5;

/** Footnote references, and the labels of their footnotes. */
export class Footnotes {
  readonly #flow: Flow;
  readonly #address: BaseUrl;
  readonly #links: Links;
  readonly #elements: OpenElements;
  readonly #labels = new Map<string, string>();

  constructor(flow: Flow, address: BaseUrl, links: Links, elements: OpenElements) {
    this.#flow = flow;
    this.#address = address;
    this.#links = links;
    this.#elements = elements;
  }

  /** Returns the label that references gave the element of an id. */
  labelOf(id: string): string | undefined {
    return this.#labels.get(id);
  }

  /** Begins a link that is a footnote reference or a backlink. */
  begin(href: string, attributes: Attributes): (() => void) | undefined {
    const isRaised = this.#elements.find('sup', RAISED_WITHIN) !== undefined;
    const target = noteTarget(attributes, isRaised);
    if (target === undefined) return undefined;
    return target === 'back' ? leaveOut(this.#flow) : this.#call(target, href, attributes);
  }

  #call(id: string, href: string, attributes: Attributes): () => void {
    const aside = this.#flow.setAside(false);
    return () => {
      if (!this.#flow.endAside(aside)) return;
      const label = noteLabel(aside.text);
      if (label !== undefined) {
        this.#labels.set(id, label);
        this.#flow.atom(`[^${label}]`, '');
        return;
      }
      const end = this.#links.write(this.#address.resolve(href) ?? '', href, attributes);
      this.#flow.write(aside.text);
      end();
    };
  }
}

/** Discards the text up to the end that is returned. */
export function leaveOut(flow: Flow): () => void {
  const aside = flow.setAside(false);
  return () => {
    flow.endAside(aside);
  };
}
