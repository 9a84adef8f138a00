import { hash } from 'node:crypto';
import { LruMap } from '../../protocol/lru-map.ts';
import type { Identity } from '../authorizer.ts';

export interface TokenCacheOptions {
  /** maximum number of tokens; the least recently used are dropped */
  readonly size: number;
  /** seconds after which a token is verified again */
  readonly seconds: number;
}

/** Caches the identities of verified tokens for a short time. It stores digests, never tokens. */
export class TokenCache {
  readonly #entries: LruMap<{ readonly identity: Identity; readonly until: number }> | undefined;
  readonly #lifetime: number;

  constructor({ size, seconds }: TokenCacheOptions) {
    this.#entries = seconds > 0 && size > 0 ? new LruMap({ maxEntries: size }) : undefined;
    this.#lifetime = seconds * 1000;
  }

  get(token: string): Identity | undefined {
    if (this.#entries === undefined || this.#entries.size === 0) return undefined;
    const key = digest(token);
    const entry = this.#entries.get(key);
    if (entry === undefined || Date.now() < entry.until) return entry?.identity;
    this.#entries.delete(key);
    return undefined;
  }

  /** Stores an identity, at most until `end` in milliseconds since 1970. */
  add(token: string, identity: Identity, end: number): void {
    this.#entries?.set(digest(token), { identity, until: Math.min(Date.now() + this.#lifetime, end) });
  }
}

function digest(token: string): string {
  return hash('sha256', token, 'base64');
}
