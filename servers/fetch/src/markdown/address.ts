import type { Attributes } from './parse.ts';
import { resolveUrl } from './urls.ts';

/** a longer base would be written again with every link */
const LONGEST_BASE = 4_000;
/** Links that are known once resolved: a page repeats its own, and each costs a parse. */
const KNOWN = 1_000;
const LONGEST_KNOWN = 500;

/** What the links of a page are resolved against. */
export class Address {
  #base: string;
  #isDeclared = false;
  readonly #known = new Map<string, string | undefined>();

  constructor(base: string) {
    this.#base = base;
  }

  /** Whether the page itself says what its links are resolved against. */
  get isDeclared(): boolean {
    return this.#isDeclared;
  }

  /** Takes the base that a page says first. */
  rebase({ href }: Attributes): void {
    if (href === undefined || this.#isDeclared || !URL.canParse(href, this.#base)) return;
    const { href: base } = new URL(href, this.#base);
    if (base.length > LONGEST_BASE) return;
    this.#base = base;
    this.#isDeclared = true;
    this.#known.clear();
  }

  /** A link's address in full, or undefined where it leads to no page. */
  resolve(href: string): string | undefined {
    const known = this.#known.get(href);
    if (known !== undefined || this.#known.has(href)) return known;
    const url = resolveUrl(href, this.#base);
    if (this.#known.size < KNOWN && href.length <= LONGEST_KNOWN) this.#known.set(href, url);
    return url;
  }
}
