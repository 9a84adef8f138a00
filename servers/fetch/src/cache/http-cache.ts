import { withoutFragment } from '../url-fragment.ts';
import { isCacheable, keptFields, mayStore } from './cacheable.ts';
import { type AgeLimits, judge, type Verdict } from './freshness.ts';
import { answers, keyOf, selectingFields, variantOf } from './keys.ts';
import { MemoryStore } from './memory-store.ts';
import { SharedRequests } from './shared-requests.ts';
import type { CacheRequest, Fields, Store, StoredResponse } from './stored-response.ts';

export interface HttpCacheOptions {
  /** in memory unless given */
  readonly store?: Store | undefined;
  /** ms since 1970 */
  readonly now?: (() => number) | undefined;
}

/** A stored response, and whether it may be returned without validation. */
export interface Cached extends Verdict {
  readonly stored: StoredResponse;
}

/** A response that may be stored. */
export interface Answer
  extends Pick<
    StoredResponse,
    'finalUrl' | 'redirects' | 'status' | 'headers' | 'body' | 'requestedAt' | 'receivedAt'
  > {}

/** A pending request; after a change of its URL, its response is not stored. */
export interface Keeping {
  readonly keys: ReadonlySet<string>;
  spoiled: boolean;
}

/**
 * A private cache as RFC 9111 defines it. A stored response belongs to its owner and to the operator's configuration at
 * the time; other owners neither get it nor can detect it.
 */
export class HttpCache<Shared = unknown> {
  /** pending requests that equal requests join, for `fetchThrough` */
  readonly pending = new SharedRequests<Shared>();
  readonly now: () => number;
  readonly #store: Store;
  readonly #keeping = new Set<Keeping>();

  constructor({ store = new MemoryStore(), now = Date.now }: HttpCacheOptions = {}) {
    this.#store = store;
    this.now = now;
  }

  /** Returns the newest stored response for a request, fresh or stale; `limits` decide whether it is usable. */
  async get(request: CacheRequest, limits: AgeLimits = {}): Promise<Cached | undefined> {
    if (!isCacheable(request)) return undefined;
    const found = await this.#store.find(keyOf(request));
    const [stored] = found
      .filter((one) => answers(one, request))
      .sort((one, other) => other.receivedAt - one.receivedAt);
    return stored && { stored, ...judge(stored, this.now(), limits) };
  }

  /** Registers a pending request: `keep` stores nothing for it if the URL was changed meanwhile. */
  depart(request: CacheRequest): Keeping {
    const keeping = { keys: new Set([keyOf(request)]), spoiled: false };
    this.#keeping.add(keeping);
    return keeping;
  }

  arrive(keeping: Keeping): void {
    this.#keeping.delete(keeping);
  }

  /** Stores a response if that is allowed; it replaces the one that was stored, which is removed in any case. */
  async keep(request: CacheRequest, answer: Answer, keeping: Keeping): Promise<StoredResponse> {
    const { owner, configuration = '', url, identity, redirects: policy, headers: sent } = request;
    const vary = selectingFields(answer.headers.vary, sent) ?? {};
    const headers = keptFields(answer.headers);
    const asked = { owner, configuration, url: withoutFragment(url), identity, policy };
    const stored: StoredResponse = { ...asked, ...answer, headers, vary };
    if (!isCacheable(request) || keeping.spoiled) return stored;
    if (mayStore(answer.status, answer.headers, answer.receivedAt)) await this.renew(stored, keeping);
    else if (answer.status < 500) await this.#dropAnswers(request);
    return stored;
  }

  /** Replaces a stored response by its revalidated form. */
  async renew(stored: StoredResponse, keeping: Keeping): Promise<void> {
    if (!keeping.spoiled) await this.#store.put(keyOf(stored), variantOf(stored), stored);
  }

  /** Removes the responses of a URL after an unsafe method, and those of its Location fields (RFC 9111 section 4.4). */
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
