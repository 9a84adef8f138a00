import { WebError } from '../failure.ts';
import { parseRobots, type Robots } from '../robots/robots.ts';
import type { Lifetime } from './lifetime.ts';

/** The result of a request for robots.txt. */
export type RobotsAnswer =
  | { readonly kind: 'rules'; readonly bytes: Uint8Array }
  /** there is none: everything is allowed */
  | { readonly kind: 'none' }
  /** nothing is allowed; if `own` is set, the failure concerns the page as well and is thrown instead */
  | { readonly kind: 'unreachable'; readonly error: WebError; readonly own: boolean };

export interface RobotsOptions {
  readonly productToken: string;
  /** milliseconds that rules are cached, at most a day */
  readonly keepMs: number;
  readonly fetch: (url: URL, signal: AbortSignal) => Promise<RobotsAnswer>;
}

interface Verdict {
  readonly robots: Robots | undefined;
  readonly failure: { readonly error: WebError; readonly own: boolean } | undefined;
  readonly bytes: number;
  readonly until: number;
}

interface Asking {
  readonly verdict: Promise<Verdict>;
  readonly controller: AbortController;
  waiting: number;
}

const DAY_MS = 86_400_000;
const AFTER_FAILURE_MS = 60_000;
const ORIGINS = 1000;
const BYTES = 8 * 1024 * 1024;

/** A cache of the robots.txt of each origin (RFC 9309); concurrent callers share one request. */
export class RobotsFiles {
  readonly #options: RobotsOptions;
  readonly #kept = new Map<string, Verdict>();
  readonly #asking = new Map<string, Asking>();
  #bytes = 0;

  constructor(options: RobotsOptions) {
    this.#options = { ...options, keepMs: Math.min(options.keepMs, DAY_MS) };
  }

  /** Throws if robots.txt forbids a page for programs; returns the delay between requests that the site asks for. */
  async assertAllowed(url: URL, lifetime: Lifetime): Promise<number> {
    const { robots, failure } = this.#keptOf(url.origin) ?? (await this.#ask(url.origin, lifetime));
    if (failure !== undefined) throw toRefusal(failure.error, failure.own, url.origin);
    if (robots === undefined) return 0;
    const { productToken } = this.#options;
    const { allowed, rule, line, crawlDelayMs = 0 } = robots.judge(productToken, url);
    if (allowed) return crawlDelayMs;
    const why = rule === undefined ? '' : `: line ${line} says "${rule}"`;
    throw new WebError(`the robots.txt of ${url.origin} forbids this page to ${productToken}${why}`, {
      code: 'robots-refused',
      hint: 'the user can pick it with the prompt fetch, or the operator can set --ignore-robots-txt',
    });
  }

  #keptOf(origin: string): Verdict | undefined {
    const kept = this.#kept.get(origin);
    if (kept === undefined || kept.until > performance.now()) return kept;
    this.#drop(origin, kept);
    return undefined;
  }

  async #ask(origin: string, lifetime: Lifetime): Promise<Verdict> {
    const asking = this.#asking.get(origin) ?? this.#begin(origin);
    asking.waiting++;
    try {
      return await lifetime.wait(asking.verdict);
    } finally {
      if (--asking.waiting === 0) {
        if (this.#asking.get(origin) === asking) this.#asking.delete(origin);
        asking.controller.abort();
      }
    }
  }

  #begin(origin: string): Asking {
    const controller = new AbortController();
    const verdict = this.#fetch(origin, controller.signal);
    const asking: Asking = { verdict, controller, waiting: 0 };
    this.#asking.set(origin, asking);
    const forget = () => {
      if (this.#asking.get(origin) === asking) this.#asking.delete(origin);
    };
    // callers get the failure from the promise; without callers it is dropped
    verdict.then(forget, forget);
    return asking;
  }

  async #fetch(origin: string, signal: AbortSignal): Promise<Verdict> {
    const answer = await this.#options.fetch(new URL('/robots.txt', origin), signal);
    const bytes = answer.kind === 'rules' ? answer.bytes.length : 0;
    const keepMs = answer.kind === 'unreachable' ? failureMs(answer.error, answer.own) : this.#options.keepMs;
    const verdict: Verdict = {
      robots: answer.kind === 'rules' ? parseRobots(answer.bytes) : undefined,
      failure: answer.kind === 'unreachable' ? answer : undefined,
      bytes,
      until: performance.now() + keepMs,
    };
    if (keepMs > 0) this.#keep(origin, verdict);
    return verdict;
  }

  #keep(origin: string, verdict: Verdict): void {
    this.#kept.set(origin, verdict);
    this.#bytes += verdict.bytes;
    for (const [oldest, kept] of this.#kept) {
      if (this.#kept.size <= ORIGINS && this.#bytes <= BYTES) return;
      this.#drop(oldest, kept);
    }
  }

  #drop(origin: string, verdict: Verdict): void {
    if (this.#kept.delete(origin)) this.#bytes -= verdict.bytes;
  }
}

/** Returns how long a failure is cached: an error response for a minute, a failed connection not at all. */
function failureMs(error: WebError, own: boolean): number {
  return own || error.way.status === undefined ? 0 : AFTER_FAILURE_MS;
}

function toRefusal(error: WebError, own: boolean, origin: string): WebError {
  const { code, retryable, hint, retryAfterMs } = error;
  if (own) return new WebError(error.message, { code, retryable, hint, retryAfterMs });
  return new WebError(
    `the robots.txt of ${origin} cannot be read, so nothing there may be fetched: ${error.message}`,
    {
      code: 'robots-unreachable',
      retryable: true,
      hint: 'try again later; the user can pick the page with the prompt fetch',
      retryAfterMs,
    },
  );
}
