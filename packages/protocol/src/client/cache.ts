import type { Params } from '../jsonrpc/message.ts';
import type { Change } from './changes.ts';

/**
 * How much is kept.
 * @example const options: ResultCacheOptions = { maxEntries: 100, maxSize: 1024 * 1024 };
 */
export interface ResultCacheOptions {
  /** most results that are kept; default 500 */
  maxEntries?: number;
  /** most characters of JSON that are kept; default 16 Mi */
  maxSize?: number;
}

/** What a result is the answer to. */
export interface CacheKey {
  /** whose results may be told apart by nothing but the request, such as those of one revision */
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

/** Who may be given an entry: everybody, or a client with the credentials that it had then. */
const everybody = 'everybody';

const DEFAULT_ENTRIES = 500;
const DEFAULT_SIZE = 16 * 1024 * 1024;

/**
 * Results that servers allow to keep, in memory, the least used dropped first. Each client has one of its own; clients
 * of the same server may be given one together, which shares what the server calls public. What it calls private stays
 * with the client that asked, and with the credentials it had.
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
  readonly #maxEntries: number;
  readonly #maxSize: number;
  /** in the order of use */
  readonly #entries = new Map<string, Entry>();
  #size = 0;
  #owners = 0;

  constructor({ maxEntries = DEFAULT_ENTRIES, maxSize = DEFAULT_SIZE }: ResultCacheOptions = {}) {
    if (!(maxEntries > 0) || !(maxSize > 0)) throw new TypeError('maxEntries and maxSize must be above 0');
    this.#maxEntries = maxEntries;
    this.#maxSize = maxSize;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** A name for a new client, which no other has. */
  newOwner(): string {
    this.#owners += 1;
    return `client ${this.#owners}`;
  }

  /** A copy of a result that is still fresh for an owner. */
  find(owner: string, key: CacheKey): Params | undefined {
    const request = textOf(key);
    const entry = this.#fresh(`${owner}\n${request}`) ?? this.#fresh(`${everybody}\n${request}`);
    return entry && (JSON.parse(entry.text) as Params); // it was made from a result
  }

  /** Keeps a copy of a result as long as it says; what it says goes for what was kept before, too. */
  keep(owner: string, key: CacheKey, result: Params): boolean {
    const request = textOf(key);
    this.#drop(`${owner}\n${request}`);
    this.#drop(`${everybody}\n${request}`);
    const { ttlMs: ttl, cacheScope } = result;
    if (typeof ttl !== 'number' || !(ttl > 0)) return false;
    const text = JSON.stringify(result);
    const id = `${cacheScope === 'public' ? everybody : owner}\n${request}`;
    if (id.length + text.length > this.#maxSize) return false;
    const { method, params } = key;
    const to = cacheScope === 'public' ? everybody : owner;
    this.#entries.set(id, { method, uri: params.uri, owner: to, text, received: Date.now(), ttl });
    this.#size += id.length + text.length;
    this.#trim();
    return true;
  }

  /** Drops what everybody and an owner have of what a change is about, of a method, or of all. */
  forget(owner: string, what: Change | string | undefined): void {
    for (const [id, entry] of this.#entries) {
      if (entry.owner !== everybody && !isOf(entry.owner, owner)) continue;
      if (isAbout(entry.method, entry.uri, what)) this.#drop(id);
    }
  }

  #fresh(id: string): Entry | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined) return undefined;
    const age = Date.now() - entry.received;
    // a clock that was set back says nothing about the age
    if (age < 0 || age >= entry.ttl) {
      this.#drop(id);
      return undefined;
    }
    this.#entries.delete(id);
    this.#entries.set(id, entry);
    return entry;
  }

  #trim(): void {
    for (const id of this.#entries.keys()) {
      if (this.#entries.size <= this.#maxEntries && this.#size <= this.#maxSize) return;
      this.#drop(id);
    }
  }

  #drop(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#entries.delete(id);
    this.#size -= id.length + entry.text.length;
  }
}

/** Whether a change, a method or everything means the result of a request. */
export function isAbout(method: string, uri: unknown, what: Change | string | undefined): boolean {
  if (what === undefined || typeof what === 'string') return what === undefined || what === method;
  if (what.kind === 'resource')
    return method === 'resources/read' && typeof uri === 'string' && overlap(uri, what.uri);
  if (what.list === 'resources') return method === 'resources/list' || method === 'resources/templates/list';
  return method === `${what.list}/list`;
}

/** Whether one URI is the other or lies below it. */
function overlap(a: string, b: string): boolean {
  return a === b || a.startsWith(withSlash(b)) || b.startsWith(withSlash(a));
}

function withSlash(uri: string): string {
  return uri.endsWith('/') ? uri : `${uri}/`;
}

/** An owner is a client, or a client with credentials. */
function isOf(entryOwner: string, client: string): boolean {
  return entryOwner === client || entryOwner.startsWith(`${client} `);
}

function textOf({ group, method, params }: CacheKey): string {
  return `${group}\n${method}\n${JSON.stringify(params, sorted)}`;
}

/** The order of members says nothing. */
function sorted(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}
