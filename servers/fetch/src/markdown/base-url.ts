import type { Attributes } from './html-parser.ts';
import { resolveUrl } from './urls.ts';

/** a longer base URL would be repeated in every link */
const LONGEST_BASE = 4_000;
/**
 * Limits of the cache of resolved links: its entries, and characters of a link. A page repeats its links, and each
 * takes a parse.
 */
const KNOWN = 1_000;
const LONGEST_KNOWN = 500;

/** The base URL of a page's links. */
export class BaseUrl {
  #base: string;
  #isDeclared = false;
  readonly #known = new Map<string, string | undefined>();

  constructor(base: string) {
    this.#base = base;
  }

  /** Whether the page has a base element. */
  get isDeclared(): boolean {
    return this.#isDeclared;
  }

  /** Sets the base URL from the page's first base element. */
  rebase({ href }: Attributes): void {
    if (href === undefined || this.#isDeclared || !URL.canParse(href, this.#base)) return;
    const { href: base } = new URL(href, this.#base);
    if (base.length > LONGEST_BASE) return;
    this.#base = base;
    this.#isDeclared = true;
    this.#known.clear();
  }

  /** Returns the absolute URL of a link, or undefined if it is not a URL of a page. */
  resolve(href: string): string | undefined {
    const known = this.#known.get(href);
    if (known !== undefined || this.#known.has(href)) return known;
    const url = resolveUrl(href, this.#base);
    if (this.#known.size < KNOWN && href.length <= LONGEST_KNOWN) this.#known.set(href, url);
    return url;
  }
}
