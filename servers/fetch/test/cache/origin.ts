import { Buffer } from 'node:buffer';
import { type Fetched, fetchThrough, type ThroughOptions } from '../../src/cache/fetch-through.ts';
import { HttpCache } from '../../src/cache/http-cache.ts';
import type { CacheRequest, Fields, Store } from '../../src/cache/stored-response.ts';
import type { Hop } from '../../src/failure.ts';
import type { Visit } from '../../src/web/visit.ts';

export const begin = Date.parse('2026-03-01T12:00:00Z');

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly finalUrl?: string;
  readonly redirects?: readonly Hop[];
  /** thrown instead of a response */
  readonly error?: Error;
  /** thrown within the body */
  readonly cut?: Error;
}

export interface Seen {
  readonly conditions: Fields;
  readonly signal: AbortSignal;
}

/** An origin with scripted responses, a cache before it, and a clock that tests move. */
export class Origin {
  now = begin;
  readonly seen: Seen[] = [];
  discarded = 0;
  readonly cache: HttpCache<Fetched>;
  #replies: Reply[] = [];
  /** replies wait for it, if it is set */
  gate: Promise<void> | undefined;

  constructor(store?: Store) {
    this.cache = new HttpCache({ store, now: () => this.now });
  }

  /** Sets the replies of the next visits; the last one repeats. */
  will(...replies: Reply[]): this {
    this.#replies = replies;
    return this;
  }

  later(seconds: number): this {
    this.now += seconds * 1000;
    return this;
  }

  get visits(): number {
    return this.seen.length;
  }

  readonly visit = async (url: URL, conditions: Fields, signal: AbortSignal): Promise<Visit> => {
    this.seen.push({ conditions, signal });
    const reply = this.#replies.length > 1 ? this.#replies.shift()! : this.#replies[0]!;
    await this.gate;
    if (reply.error !== undefined) throw reply.error;
    const { status = 200, headers = {}, body = 'body', redirects = [], finalUrl = url.href, cut } = reply;
    const bytes = Buffer.from(body);
    const pieces = async function* () {
      yield bytes.subarray(0, 2);
      if (cut !== undefined) throw cut;
      yield bytes.subarray(2);
    };
    return {
      url: new URL(finalUrl),
      status,
      redirects,
      length: bytes.length,
      body: pieces(),
      headers: { date: new Date(this.now).toUTCString(), ...headers },
      wireBytes: () => bytes.length,
      elapsedMs: () => 5,
      discard: () => {
        this.discarded++;
      },
    };
  };

  fetch(request: Partial<CacheRequest> = {}, options: ThroughOptions = {}): Promise<Fetched> {
    const asked = requestOf(request);
    return fetchThrough(
      this.cache,
      asked,
      (conditions, signal) => this.visit(asked.url, conditions, signal),
      options,
    );
  }

  /** Returns the text of a response and where it came from. */
  async read(request: Partial<CacheRequest> = {}, options: ThroughOptions = {}): Promise<string> {
    const { body, from } = await this.fetch(request, options);
    return `${Buffer.from(body).toString()} from ${from}`;
  }
}

export function requestOf(request: Partial<CacheRequest> = {}): CacheRequest {
  return {
    url: new URL('https://example.com/page'),
    identity: 'autonomous',
    redirects: 'follow',
    owner: 'ann',
    ...request,
  };
}

/** Returns an HTTP date so many seconds from the start. */
export function date(seconds: number): string {
  return new Date(begin + seconds * 1000).toUTCString();
}
