import { withoutFragment } from '../addresses.ts';
import { WebError } from '../failure.ts';
import { Consents } from '../requesting/consents.ts';
import type { Identity } from '../web/visit.ts';
import { addressesOn } from './addresses-in.ts';
import { SeenAddresses } from './seen-addresses.ts';

export interface AdmissionOptions {
  /** a person agrees to each origin before it is first asked for something */
  readonly confirmHosts: boolean;
  /** an address is asked for only where a person has picked it, or what was fetched before has it */
  readonly seenOnly: boolean;
  /** whether the operator's own words name the host of an address */
  readonly isNamed: (url: URL) => boolean;
}

/** What a person would have to agree to: this address, or whatever its origin is asked for. */
export type Wanted = 'address' | 'origin';

/** Which addresses a model may have fetched, where the operator wants a person's word or a page's for each. */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #agreed = new Consents();
  readonly #seen = new SeenAddresses();

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return !this.#options.confirmHosts && !this.#options.seenOnly;
  }

  /** What is missing before an address may be asked for; undefined where nothing is. */
  wants(owner: string, url: URL): Wanted | undefined {
    const { confirmHosts, seenOnly } = this.#options;
    if (seenOnly && !this.#isSeen(owner, url)) return 'address';
    return confirmHosts && !this.#agreed.has(owner, url) ? 'origin' : undefined;
  }

  /** Throws a WebError where a model may not have an address fetched; what a person picks is agreed to. */
  admit(owner: string, url: URL, identity: Identity): void {
    if (this.isOpen) return;
    if (identity === 'user') this.agree(owner, url);
    const wanted = this.wants(owner, url);
    if (wanted !== undefined) throw refusal(wanted, url);
  }

  /** A person has agreed to what an address wants. */
  agree(owner: string, url: URL): void {
    if (this.#options.confirmHosts) this.#agreed.give(owner, url);
    this.see(owner, [url.href]);
  }

  /** What was fetched has these addresses. */
  see(owner: string, addresses: Iterable<string>): void {
    if (!this.#options.seenOnly) return;
    for (const address of addresses) this.#seen.add(owner, withoutFragment(address));
  }

  /** Waits for an answer; where it fails, the addresses on the way to it were seen. */
  async follow<T>(owner: string, answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      if (error instanceof WebError) this.see(owner, addressesOn(error.way));
      throw error;
    }
  }

  /** Of a host that the operator names the start page needs nobody's word: it has nothing in it to be told. */
  #isSeen(owner: string, url: URL): boolean {
    const isStart = url.pathname === '/' && url.search === '';
    return (isStart && this.#options.isNamed(url)) || this.#seen.has(owner, withoutFragment(url));
  }
}

function refusal(wanted: Wanted, url: URL): WebError {
  if (wanted === 'origin')
    return new WebError(`the user has not agreed to fetch from ${url.origin}`, {
      code: 'consent-refused',
      hint: 'ask the user, who can agree to it or pick the page by the prompt fetch',
    });
  return new WebError('the address was not seen before, and only such addresses are fetched', {
    code: 'unseen-url',
    hint: 'follow a link of a page that was fetched, or have the user agree to it or pick it by the prompt fetch',
  });
}
