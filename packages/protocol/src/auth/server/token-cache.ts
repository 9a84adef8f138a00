import { hash } from 'node:crypto';
import type { Identity } from '../authorizer.ts';

export interface TokenCacheOptions {
  /** tokens, of which the oldest leave first */
  readonly size: number;
  /** seconds after which a token is checked anew */
  readonly seconds: number;
}

/** Keeps for a short time whom a token stands for; it holds digests, never tokens. */
export class TokenCache {
  readonly #entries = new Map<string, { readonly identity: Identity; readonly until: number }>();
  readonly #size: number;
  readonly #lifetime: number;

  constructor({ size, seconds }: TokenCacheOptions) {
    this.#size = seconds > 0 ? size : 0;
    this.#lifetime = seconds * 1000;
  }

  get(token: string): Identity | undefined {
    if (this.#entries.size === 0) return undefined;
    const key = digest(token);
    const entry = this.#entries.get(key);
    if (entry === undefined || Date.now() < entry.until) return entry?.identity;
    this.#entries.delete(key);
    return undefined;
  }

  /** Keeps an identity, at most until `end`, in milliseconds since 1970. */
  add(token: string, identity: Identity, end: number): void {
    if (this.#size === 0) return;
    const key = digest(token);
    // an entry that comes back counts as new
    this.#entries.delete(key);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size < this.#size) break;
      this.#entries.delete(oldest);
    }
    this.#entries.set(key, { identity, until: Math.min(Date.now() + this.#lifetime, end) });
  }
}

function digest(token: string): string {
  return hash('sha256', token, 'base64');
}
