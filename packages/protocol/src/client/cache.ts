import type { Params } from '../jsonrpc/message.ts';
import { LruMap } from '../protocol/lru-map.ts';
import type { Change } from './changes.ts';

/**
 * The limits of a result cache.
 * @example const options: ResultCacheOptions = { maxEntries: 100, maxSize: 1024 * 1024 };
 */
export interface ResultCacheOptions {
  /** maximum number of results; default 500 */
  maxEntries?: number;
  /** maximum number of characters of JSON; default 16 Mi */
  maxSize?: number;
}

/** The request that a result belongs to. */
export interface CacheKey {
  /** separates results that depend on more than the request, such as the revision */
  group: string;
  method: string;
  params: Params;
}

interface Entry {
  method: string;
  uri: unknown;
  owner: string;
  text: string;
  received: number;
  ttl: number;
}

/** The owner of entries that every client may use; other owners are a client with its credentials. */
const everybody = 'everybody';

const DEFAULT_ENTRIES = 500;
const DEFAULT_SIZE = 16 * 1024 * 1024;

/**
 * A cache of results in memory; the least recently used are dropped first. By default each client has its
 * own. Clients of the same server may share one: they then share public results. Private results are only
 * used for the client that requested them, with the same credentials.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching
 * @example
 * const cache = new ResultCache({ maxEntries: 100 });
 * for (const user of ['ada', 'bob']) {
 *   const one = await connect(transport, { name: user, version: '1.0.0', cache });
 *   await one.listTools();
 *   await one.close();
 * }
 */
export class ResultCache {
  readonly #maxSize: number;
  readonly #entries: LruMap<Entry>;
  #owners = 0;

  constructor({ maxEntries = DEFAULT_ENTRIES, maxSize = DEFAULT_SIZE }: ResultCacheOptions = {}) {
    if (!(maxEntries > 0) || !(maxSize > 0))
      throw new TypeError('maxEntries and maxSize must be greater than 0');
    this.#maxSize = maxSize;
    this.#entries = new LruMap({ maxEntries, maxSize, sizeOf });
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Returns a unique name for a new client. */
  newOwner(): string {
    this.#owners += 1;
    return `client ${this.#owners}`;
  }

  /** Returns a copy of a result that is fresh for an owner. */
  find(owner: string, key: CacheKey): Params | undefined {
    const request = textOf(key);
    const entry = this.#fresh(`${owner}\n${request}`) ?? this.#fresh(`${everybody}\n${request}`);
    return entry && (JSON.parse(entry.text) as Params); // the text was made from a result
  }

  /** Stores a copy of a result for its ttl, in place of an earlier result of the same request. */
  keep(owner: string, key: CacheKey, result: Params): boolean {
    const request = textOf(key);
    this.#entries.delete(`${owner}\n${request}`);
    this.#entries.delete(`${everybody}\n${request}`);
    const { ttlMs: ttl, cacheScope } = result;
    if (typeof ttl !== 'number' || !(ttl > 0)) return false;
    const text = JSON.stringify(result);
    const entryOwner = cacheScope === 'public' ? everybody : owner;
    const id = `${entryOwner}\n${request}`;
    const { method, params } = key;
    const entry = { method, uri: params.uri, owner: entryOwner, text, received: Date.now(), ttl };
    if (sizeOf(id, entry) > this.#maxSize) return false;
    this.#entries.set(id, entry);
    return true;
  }

  /** Removes results of public entries and of one owner: those that a change affects, those of a method, or all. */
  forget(owner: string, what: Change | string | undefined): void {
    for (const [id, entry] of this.#entries.entries()) {
      if (entry.owner !== everybody && !isOwnedBy(entry.owner, owner)) continue;
      if (isAffected(entry.method, entry.uri, what)) this.#entries.delete(id);
    }
  }

  #fresh(id: string): Entry | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined) return undefined;
    const age = Date.now() - entry.received;
    // if the clock was set back, the age is unknown
    if (age >= 0 && age < entry.ttl) return entry;
    this.#entries.delete(id);
    return undefined;
  }
}

function sizeOf(id: string, { text }: Entry): number {
  return id.length + text.length;
}

/** Returns true if a change, a method or undefined (everything) affects the result of a request. */
export function isAffected(method: string, uri: unknown, what: Change | string | undefined): boolean {
  if (what === undefined || typeof what === 'string') return what === undefined || what === method;
  if (what.kind === 'resource')
    return method === 'resources/read' && typeof uri === 'string' && overlap(uri, what.uri);
  if (what.list === 'resources') return method === 'resources/list' || method === 'resources/templates/list';
  return method === `${what.list}/list`;
}

/** Returns true if one URI is equal to or below the other. */
function overlap(a: string, b: string): boolean {
  return a === b || a.startsWith(withSlash(b)) || b.startsWith(withSlash(a));
}

function withSlash(uri: string): string {
  return uri.endsWith('/') ? uri : `${uri}/`;
}

/** Returns true if an owner is this client, with or without credentials. */
function isOwnedBy(entryOwner: string, client: string): boolean {
  return entryOwner === client || entryOwner.startsWith(`${client} `);
}

function textOf({ group, method, params }: CacheKey): string {
  return `${group}\n${method}\n${JSON.stringify(params, sorted)}`;
}

/** Sorts the members, so that their order does not matter. */
function sorted(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}
