import { guarded } from '@rootbound/kit/call';
import type { Page, Response } from 'playwright-core';
import { type Hop, type Way, WebError } from '../failure.ts';
import type { Lifetime } from '../web/lifetime.ts';
import { assertFollowable } from '../web/redirects.ts';
import { displayUrl, parseUrl } from '../web/urls.ts';
import type { RedirectPolicy } from '../web/visit.ts';
import type { WebClient } from '../web/web-client.ts';

export interface NavigationOptions {
  readonly web: Pick<WebClient, 'admit' | 'heed'>;
  readonly redirects: RedirectPolicy;
  readonly lifetime: Lifetime;
}

/** The navigation result of a page. */
export interface Arrival {
  readonly finalUrl: string;
  readonly redirects: readonly Hop[];
  readonly status: number;
  /** by lower-case name, without Set-Cookie */
  readonly headers: Readonly<Record<string, string>>;
}

/** Documents of one navigation, more than any redirect chain has. */
const DOCUMENTS = 11;

/** The navigation of a page through redirects by HTTP and by scripts; each document is checked before its request. */
export class Navigation {
  /** why the last document was not requested */
  refusal: WebError | undefined;
  /** number of documents so far */
  documents = 0;
  /** URL of the document that was requested last */
  at: URL | undefined;
  readonly #options: NavigationOptions;
  readonly #answers: Omit<Arrival, 'redirects'>[] = [];
  #giveTurn: () => void = () => {};

  constructor(options: NavigationOptions) {
    this.#options = options;
  }

  /** Collects the responses for the page's documents. */
  follow(page: Page): void {
    const hear = (response: Response): void => {
      if (response.request().isNavigationRequest() && response.frame() === page.mainFrame())
        this.#note(response);
    };
    page.on(
      'response',
      guarded(hear, (error) => this.#options.lifetime.stop(error)),
    );
  }

  /** Throws if a document may not be requested; else waits for a turn at its host. */
  async depart(url: URL): Promise<void> {
    const { web, redirects, lifetime } = this.#options;
    const from = this.at;
    this.documents++;
    this.at = url;
    try {
      if (this.documents > DOCUMENTS)
        throw new WebError(`the page navigates more than ${DOCUMENTS - 1} times`, {
          code: 'too-many-redirects',
        });
      if (from !== undefined) await this.#assertFollowable(from, url, redirects);
      this.end();
      this.#giveTurn = await web.admit(url, lifetime);
      lifetime.stage = 'page';
    } catch (error) {
      if (error instanceof WebError) this.refusal = error;
      throw error;
    }
  }

  /** Returns the navigation result; throws a WebError if no document was received. */
  arrive(currentUrl: string): Arrival {
    const last = this.#answers.at(-1);
    if (last === undefined) throw new WebError('the URL returns nothing that a browser displays', unshown);
    const current = parseUrl(currentUrl);
    // scripts may change the URL within its origin
    const finalUrl = current?.origin === new URL(last.finalUrl).origin ? displayUrl(current) : last.finalUrl;
    return { ...last, finalUrl, redirects: this.#hops() };
  }

  get way(): Way {
    const { finalUrl, status } = this.#answers.at(-1) ?? {};
    return { finalUrl, status, redirects: this.#hops() };
  }

  /** Ends the turn at the host. */
  end(): void {
    this.#giveTurn();
    this.#giveTurn = () => {};
  }

  async #assertFollowable(from: URL, to: URL, policy: RedirectPolicy): Promise<void> {
    await assertFollowable(from, to, policy);
    if (policy === 'report')
      throw new WebError(`the page redirects to ${displayUrl(to)}`, {
        code: 'redirect-refused',
        hint: 'fetch that URL if it is wanted',
        leadsTo: displayUrl(to),
      });
  }

  #note(response: Response): void {
    const url = parseUrl(response.url());
    if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return;
    const status = response.status();
    const { 'set-cookie': _, ...headers } = response.headers();
    this.#options.web.heed(url, { status, headers });
    this.#answers.push({ finalUrl: displayUrl(url), status, headers });
  }

  #hops(): Hop[] {
    return this.#answers.slice(0, -1).map(({ finalUrl, status }) => ({ url: finalUrl, status }));
  }
}

/** The failure of a URL without content that a browser displays. */
export const unshown = {
  code: 'unreadable',
  hint: 'fetch it without render, or save it with download',
} as const;
