import type { Params } from '../jsonrpc/message.ts';
import { LruMap } from '../protocol/lru-map.ts';
import { type CacheKey, isAffected, type ResultCache } from './cache.ts';
import type { Change } from './changes.ts';

interface CachedRequestsOptions {
  cache: ResultCache;
  /** returns the values besides method and params that results depend on */
  group(): string;
  /** returns an identifier of the credentials that requests carry now */
  credentials(): string | undefined;
}

/** A result, and whether it may be cached. */
export interface Answered {
  result: Params;
  cacheable: boolean;
}

/** A request in progress. */
interface InFlight {
  key: CacheKey;
  /** true if something has changed since it was sent, so that its result may be outdated */
  stale: boolean;
  settled: Promise<void>;
}

/** The maximum number of requests that are remembered as not cacheable. */
const MAX_UNCACHEABLE = 500;

/**
 * The cacheable requests of one client. A fresh result comes from the cache, equal requests are sent once,
 * and results are requested again after a change.
 */
export class CachedRequests {
  readonly #options: CachedRequestsOptions;
  readonly #client: string;
  readonly #shared = new Map<string, InFlight>();
  readonly #inFlight = new Set<InFlight>();
  readonly #uncacheable = new LruMap<true>({ maxEntries: MAX_UNCACHEABLE });

  constructor(options: CachedRequestsOptions) {
    this.#options = options;
    this.#client = options.cache.newOwner();
  }

  /**
   * Returns the result of a request. `ask` sends it; `wait` waits for an equal request of another caller,
   * within this caller's limits. With `fresh` the cache is not used.
   */
  async get(
    method: string,
    params: Params,
    fresh: boolean,
    ask: () => Promise<Answered>,
    wait: (settled: Promise<void>) => Promise<void>,
  ): Promise<Params> {
    const { cache, group } = this.#options;
    const key = { group: group(), method, params };
    const owner = this.#owner();
    const id = `${owner}\n${key.group}\n${method}\n${JSON.stringify(params)}`;
    if (!fresh) {
      const kept = cache.find(owner, key);
      if (kept !== undefined) return kept;
      const flight = this.#shared.get(id);
      if (flight !== undefined && this.#uncacheable.get(id) === undefined) {
        await wait(flight.settled);
        // a failure, or a result that may not be cached, is only for the caller that sent the request
        const shared = cache.find(owner, key);
        if (shared !== undefined) return shared;
      }
    }
    return this.#send(id, key, owner, ask);
  }

  /** Makes cached results stale: those that a change affects, those of a method, or all. */
  forget(what: Change | string | undefined): void {
    this.#options.cache.forget(this.#client, what);
    for (const flight of this.#inFlight) {
      if (isAffected(flight.key.method, flight.key.params.uri, what)) flight.stale = true;
    }
    for (const [id, flight] of this.#shared) if (flight.stale) this.#shared.delete(id);
  }

  async #send(id: string, key: CacheKey, owner: string, ask: () => Promise<Answered>): Promise<Params> {
    let settle: () => void = () => {};
    const settled = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const flight: InFlight = { key, stale: false, settled };
    this.#inFlight.add(flight);
    if (!this.#shared.has(id)) this.#shared.set(id, flight);
    try {
      const { result, cacheable } = await ask();
      if (cacheable && !flight.stale && this.#owner() === owner) {
        const kept = this.#options.cache.keep(owner, key, result);
        if (kept) this.#uncacheable.delete(id);
        // so that later callers do not wait for each other
        else this.#uncacheable.set(id, true);
      }
      return result;
    } finally {
      this.#inFlight.delete(flight);
      if (this.#shared.get(id) === flight) this.#shared.delete(id);
      settle();
    }
  }

  #owner(): string {
    const credentials = this.#options.credentials();
    return credentials === undefined ? this.#client : `${this.#client} ${JSON.stringify(credentials)}`;
  }
}
