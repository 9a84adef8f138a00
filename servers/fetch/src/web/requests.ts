import { WebError } from '../failure.ts';
import { Connections } from './connections.ts';
import { acceptedCodings } from './content-codings.ts';
import { Exchange, type Head } from './exchange.ts';
import { parseRetryAfter } from './header-fields.ts';
import { HostDelays } from './host-delays.ts';
import type { Lifetime } from './lifetime.ts';
import type { WebOptions } from './options.ts';
import { assertResolved, type ProxyServer, proxyFor } from './proxies.ts';
import type { Step } from './redirects.ts';
import { RequestQueue } from './request-queue.ts';
import { proxyFailed } from './tunnel.ts';
import type { Names } from './user-agent.ts';
import type { VisitState } from './visit-state.ts';

const IDLE = 256;
const idempotent = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

/** The head of a response, and the exchange that provides its body. */
export interface Answer extends Head {
  readonly exchange: Exchange;
}

/** A sender of requests, in turn for each host, over connections that are reused. */
export class Requests {
  readonly #options: WebOptions;
  readonly #names: Names;
  readonly #connections: Connections;
  readonly #turns: RequestQueue;
  readonly #pauses = new HostDelays();

  constructor(options: WebOptions, names: Names) {
    const { guard, insecureTls = [], perHost = 6, concurrent = 128, waiting = 2000 } = options;
    this.#options = options;
    this.#names = names;
    this.#connections = new Connections({
      connector: (settings) => guard.connector(settings),
      insecureTls,
      idle: IDLE,
    });
    this.#turns = new RequestQueue({ perHost, total: concurrent, waiting });
  }

  close(): void {
    this.#connections.close();
  }

  /**
   * Sends a request, with a delay after the previous one to its host, and returns the head of its response. If a reused
   * connection was closed, sends it again over a new one.
   */
  async send(trip: VisitState, step: Step, delayMs: number): Promise<Answer> {
    const { lifetime } = trip;
    const proxy = this.#options.proxies && proxyFor(step.url, this.#options.proxies);
    if (proxy !== undefined) {
      lifetime.stage = 'connection';
      await lifetime.wait(assertResolved(this.#options.guard, step.url));
    }
    for (let fresh = false; ; fresh = true) {
      const giveTurn = await this.enter(step.url.hostname, delayMs, lifetime);
      lifetime.stage = 'connection';
      const exchange = this.#begin(trip, step, proxy, fresh);
      exchange.onOver(giveTurn);
      exchange.onOver(lifetime.onOver((reason) => exchange.stop(reason)));
      try {
        const head = await exchange.head;
        lifetime.stage = 'body';
        if (proxy !== undefined && head.status === 407)
          throw proxyFailed('the proxy requires authentication');
        return { ...head, exchange };
      } catch (error) {
        exchange.stop(error);
        if (fresh || !exchange.unheard || !idempotent.has(step.method)) throw error;
      }
    }
  }

  /** Makes later requests wait as a response's Retry-After asks. */
  heed(host: string, { status, headers }: Pick<Answer, 'status' | 'headers'>): void {
    if (status !== 429 && status !== 503) return;
    const retryAfterMs = parseRetryAfter([headers['retry-after']].flat()[0]);
    if (retryAfterMs !== undefined) this.#pauses.hold(host, retryAfterMs);
  }

  #begin(trip: VisitState, step: Step, proxy: ProxyServer | undefined, fresh: boolean): Exchange {
    const { url, method, body } = step;
    const path = `${url.pathname}${url.search}`;
    const plain = proxy !== undefined && url.protocol === 'http:' ? proxy : undefined;
    const request = {
      method,
      path: plain === undefined ? path : `${url.origin}${path}`,
      headers: this.#fieldsOf(trip, step, plain),
      body,
      host: url.hostname,
      limits: trip.limits,
    };
    return new Exchange(this.#connections.take(url, proxy, fresh), request, () => {
      trip.lifetime.stage = 'head';
    });
  }

  #fieldsOf(
    trip: VisitState,
    { url, headers }: Step,
    proxy: ProxyServer | undefined,
  ): Record<string, string> {
    return {
      'user-agent': this.#names.userAgents[trip.request.identity],
      accept: '*/*',
      'accept-encoding': acceptedCodings,
      ...headers,
      ...(trip.trusted && this.#options.secrets?.get(url.origin)),
      ...(proxy && { host: url.host }),
      ...(proxy?.authorization && { 'proxy-authorization': proxy.authorization }),
    };
  }

  /** Waits for a turn at a host; the returned function ends the turn. */
  async enter(host: string, delayMs: number, lifetime: Lifetime): Promise<() => void> {
    lifetime.stage = 'queue';
    if (delayMs > 0) {
      const ms = this.#pauses.queue(host, delayMs, this.#patience(lifetime));
      await this.#rest(host, ms, lifetime);
    }
    for (;;) {
      const giveTurn = await this.#turns.take(host, lifetime);
      const held = this.#pauses.heldMs(host);
      if (held === 0) return giveTurn;
      giveTurn();
      await this.#rest(host, held, lifetime);
    }
  }

  async #rest(host: string, ms: number, lifetime: Lifetime): Promise<void> {
    if (ms > this.#patience(lifetime))
      throw new WebError(`${host} asks to wait ${Math.ceil(ms / 1000)} s before the next request`, {
        code: 'busy',
        retryable: true,
        retryAfterMs: Math.ceil(ms),
        hint: 'wait that long, then try again',
      });
    if (ms > 0) await lifetime.sleep(Math.ceil(ms));
  }

  #patience(lifetime: Lifetime): number {
    return Math.min(this.#options.patienceMs ?? 5000, lifetime.remainingMs());
  }
}
