import type { Params } from '../jsonrpc/message.ts';
import { type CacheKey, isAbout, type ResultCache } from './cache.ts';
import type { Change } from './changes.ts';

interface CachedRequestsOptions {
  cache: ResultCache;
  /** names what besides method and params the results depend on */
  group(): string;
  /** names the credentials that requests carry now */
  credentials(): string | undefined;
}

/** An answer and whether it may be kept at all. */
export interface Answered {
  result: Params;
  keepable: boolean;
}

/** A request on its way. */
interface Flight {
  key: CacheKey;
  /** something has changed since it was sent, so that its answer may be of before */
  spoiled: boolean;
  landed: Promise<void>;
}

/** Most requests of which it is remembered that their results are not to be kept. */
const MOST_UNKEPT = 500;

/**
 * The requests of one client whose results may be kept: answered from the cache while they are fresh, asked for once
 * when several want the same, and asked for again after a change.
 */
export class CachedRequests {
  readonly #options: CachedRequestsOptions;
  readonly #client: string;
  readonly #flights = new Map<string, Flight>();
  readonly #all = new Set<Flight>();
  readonly #unkept = new Set<string>();

  constructor(options: CachedRequestsOptions) {
    this.#options = options;
    this.#client = options.cache.newOwner();
  }

  /**
   * The result of a request. `ask` sends it; `wait` waits, as long as the caller does, for another caller's request
   * for the same. With `fresh` nothing that was kept is used.
   */
  async get(
    method: string,
    params: Params,
    fresh: boolean,
    ask: () => Promise<Answered>,
    wait: (landing: Promise<void>) => Promise<void>,
  ): Promise<Params> {
    const { cache, group } = this.#options;
    const key = { group: group(), method, params };
    const owner = this.#owner();
    const id = `${owner}\n${key.group}\n${method}\n${JSON.stringify(params)}`;
    if (!fresh) {
      const kept = cache.find(owner, key);
      if (kept !== undefined) return kept;
      const flight = this.#flights.get(id);
      if (flight !== undefined && !this.#unkept.has(id)) {
        await wait(flight.landed);
        // what failed or may not be kept is nobody's but the one's who asked
        const shared = cache.find(owner, key);
        if (shared !== undefined) return shared;
      }
    }
    return this.#fly(id, key, owner, ask);
  }

  /** Nothing that a change is about, or nothing of a method, or nothing at all is fresh any more. */
  forget(what: Change | string | undefined): void {
    this.#options.cache.forget(this.#client, what);
    for (const flight of this.#all) {
      if (isAbout(flight.key.method, flight.key.params.uri, what)) flight.spoiled = true;
    }
    for (const [id, flight] of this.#flights) if (flight.spoiled) this.#flights.delete(id);
  }

  async #fly(id: string, key: CacheKey, owner: string, ask: () => Promise<Answered>): Promise<Params> {
    let land: () => void = () => {};
    const landed = new Promise<void>((resolve) => {
      land = resolve;
    });
    const flight: Flight = { key, spoiled: false, landed };
    this.#all.add(flight);
    if (!this.#flights.has(id)) this.#flights.set(id, flight);
    try {
      const { result, keepable } = await ask();
      if (keepable && !flight.spoiled && this.#owner() === owner) {
        const kept = this.#options.cache.keep(owner, key, result);
        if (kept) this.#unkept.delete(id);
        else this.#remember(id);
      }
      return result;
    } finally {
      this.#all.delete(flight);
      if (this.#flights.get(id) === flight) this.#flights.delete(id);
      land();
    }
  }

  #owner(): string {
    const credentials = this.#options.credentials();
    return credentials === undefined ? this.#client : `${this.#client} ${JSON.stringify(credentials)}`;
  }

  /** Results that may not be kept are not waited for the next time. */
  #remember(id: string): void {
    if (this.#unkept.size >= MOST_UNKEPT) this.#unkept.clear();
    this.#unkept.add(id);
  }
}
