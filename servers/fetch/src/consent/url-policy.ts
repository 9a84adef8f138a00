import { WebError } from '../failure.ts';
import { withoutFragment } from '../url-fragment.ts';
import type { Identity } from '../web/visit.ts';
import { Consents } from './consents.ts';
import { SeenUrls } from './seen-urls.ts';
import { urlsOf } from './urls-in.ts';

export interface UrlPolicyOptions {
  /** the user confirms each origin before the first request to it */
  readonly confirmHosts: boolean;
  /** a URL is requested only if the user picked it or a fetched page contains it */
  readonly seenOnly: boolean;
  /** whether the operator's options name the host of a URL */
  readonly isNamed: (url: URL) => boolean;
}

/** The scope of a confirmation that is missing: this URL, or all URLs of its origin. */
export type Confirmation = 'address' | 'origin';

/**
 * The policy for URLs that a model may fetch, where the operator requires a user's confirmation or a URL that was seen.
 */
export class UrlPolicy {
  readonly #options: UrlPolicyOptions;
  readonly #agreed = new Consents();
  readonly #seen = new SeenUrls();

  constructor(options: UrlPolicyOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return !this.#options.confirmHosts && !this.#options.seenOnly;
  }

  /** Returns the confirmation that a URL needs before it is requested; undefined if it needs none. */
  wants(owner: string, url: URL): Confirmation | undefined {
    const { confirmHosts, seenOnly } = this.#options;
    if (seenOnly && !this.#isSeen(owner, url)) return 'address';
    return confirmHosts && !this.#agreed.has(owner, url) ? 'origin' : undefined;
  }

  /** Throws a WebError if a model may not fetch a URL; a URL that the user picked counts as confirmed. */
  admit(owner: string, url: URL, identity: Identity): void {
    if (this.isOpen) return;
    if (identity === 'user') this.agree(owner, url);
    const wanted = this.wants(owner, url);
    if (wanted !== undefined) throw refusal(wanted, url);
  }

  /** Records that the user confirmed a URL. */
  agree(owner: string, url: URL): void {
    if (this.#options.confirmHosts) this.#agreed.give(owner, url);
    this.see(owner, [url.href]);
  }

  /** Records URLs of a fetched page as seen. */
  see(owner: string, addresses: Iterable<string>): void {
    if (!this.#options.seenOnly) return;
    for (const address of addresses) this.#seen.add(owner, withoutFragment(address));
  }

  /** Awaits a response; if it fails, records the URLs of its redirect chain as seen. */
  async follow<T>(owner: string, answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      if (error instanceof WebError) this.see(owner, urlsOf(error.way));
      throw error;
    }
  }

  /** Returns whether a URL was seen. The start page of a named host needs no sighting: its URL cannot carry data. */
  #isSeen(owner: string, url: URL): boolean {
    const isStart = url.pathname === '/' && url.search === '';
    return (isStart && this.#options.isNamed(url)) || this.#seen.has(owner, withoutFragment(url));
  }
}

function refusal(wanted: Confirmation, url: URL): WebError {
  if (wanted === 'origin')
    return new WebError(`the user has not agreed to fetch from ${url.origin}`, {
      code: 'consent-refused',
      hint: 'ask the user, who can confirm it or pick the page with the prompt fetch',
    });
  return new WebError('this URL was not seen before, and the server fetches only seen URLs', {
    code: 'unseen-url',
    hint: 'fetch a link of a fetched page, or let the user confirm this URL or pick it with the prompt fetch',
  });
}
