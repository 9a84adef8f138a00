import { withoutFragment } from '../addresses.ts';
import { Flights } from './flights.ts';
import { type AgeLimits, judge, type Verdict } from './freshness.ts';
import { answers, keyOf, selectingFields, variantOf } from './keys.ts';
import { MemoryStore } from './memory-store.ts';
import type { CacheRequest, Fields, Store, Stored } from './stored.ts';
import { isCacheable, keptFields, mayStore } from './storing.ts';

export interface HttpCacheOptions {
  /** in memory unless given */
  readonly store?: Store | undefined;
  /** ms since 1970 */
  readonly now?: (() => number) | undefined;
}

/** What is kept for a request, and whether it may be given as it is. */
export interface Cached extends Verdict {
  readonly stored: Stored;
}

/** An answer that may be kept. */
export interface Answer
  extends Pick<
    Stored,
    'finalUrl' | 'redirects' | 'status' | 'headers' | 'body' | 'requestedAt' | 'receivedAt'
  > {}

/** A request on its way, whose answer a change of the address makes too old to keep. */
export interface Keeping {
  readonly keys: ReadonlySet<string>;
  spoiled: boolean;
}

/**
 * A private cache as RFC 9111 has it. What is kept belongs to its owner and to the operator's configuration that it
 * was fetched under; nobody else is given it, and nobody else can tell that it is there.
 */
export class HttpCache<Shared = unknown> {
  /** requests under way that equal ones join; `fetchThrough` is what uses them */
  readonly flights = new Flights<Shared>();
  readonly now: () => number;
  readonly #store: Store;
  readonly #keeping = new Set<Keeping>();

  constructor({ store = new MemoryStore(), now = Date.now }: HttpCacheOptions = {}) {
    this.#store = store;
    this.now = now;
  }

  /** The newest of what is kept for a request, fresh or not; `limits` decide whether it is usable. */
  async get(request: CacheRequest, limits: AgeLimits = {}): Promise<Cached | undefined> {
    if (!isCacheable(request)) return undefined;
    const found = await this.#store.find(keyOf(request));
    const [stored] = found
      .filter((one) => answers(one, request))
      .sort((one, other) => other.receivedAt - one.receivedAt);
    return stored && { stored, ...judge(stored, this.now(), limits) };
  }

  /** Marks a request as on its way: `keep` with this mark does nothing once the address was changed. */
  depart(request: CacheRequest): Keeping {
    const keeping = { keys: new Set([keyOf(request)]), spoiled: false };
    this.#keeping.add(keeping);
    return keeping;
  }

  arrive(keeping: Keeping): void {
    this.#keeping.delete(keeping);
  }

  /** Keeps an answer where that is allowed; what was kept in its place is gone either way. */
  async keep(request: CacheRequest, answer: Answer, keeping: Keeping): Promise<Stored> {
    const { owner, configuration = '', url, identity, redirects: policy, headers: sent } = request;
    const vary = selectingFields(answer.headers.vary, sent) ?? {};
    const headers = keptFields(answer.headers);
    const asked = { owner, configuration, url: withoutFragment(url), identity, policy };
    const stored: Stored = { ...asked, ...answer, headers, vary };
    if (!isCacheable(request) || keeping.spoiled) return stored;
    if (mayStore(answer.status, answer.headers, answer.receivedAt)) await this.renew(stored, keeping);
    else if (answer.status < 500) await this.#dropAnswers(request);
    return stored;
  }

  /** Puts what its origin has confirmed in the place of its older form. */
  async renew(stored: Stored, keeping: Keeping): Promise<void> {
    if (!keeping.spoiled) await this.#store.put(keyOf(stored), variantOf(stored), stored);
  }

  /** Forgets an address after a method that may change it, with what the answer says it has changed (section 4.4). */
  async invalidate(request: CacheRequest, headers: Fields = {}): Promise<void> {
    const locations = [headers.location, headers['content-location']]
      .filter((field) => field !== undefined && URL.canParse(field, request.url.href))
      .map((field) => new URL(field!, request.url.href));
    const urls = [request.url, ...locations.filter((url) => url.origin === request.url.origin)];
    for (const url of urls) {
      const key = keyOf({ ...request, url });
      for (const keeping of this.#keeping) if (keeping.keys.has(key)) keeping.spoiled = true;
      await this.#store.remove(key);
    }
  }

  async #dropAnswers(request: CacheRequest): Promise<void> {
    const key = keyOf(request);
    const found = await this.#store.find(key);
    for (const stored of found)
      if (answers(stored, request)) await this.#store.remove(key, variantOf(stored));
  }
}
