import { WebError } from '../failure.ts';
import { readBody } from './body.ts';
import { checkFields, checkMethod, visibleFields } from './header-fields.ts';
import { Lifetime } from './lifetime.ts';
import { defaultLimits, type WebOptions, withDefaults } from './options.ts';
import { assertFollowable, nextStep, redirectTarget, type Step, stepKey } from './redirects.ts';
import { type Answer, Requests } from './requests.ts';
import { RobotsFiles } from './robots-files.ts';
import { askRobots } from './robots-request.ts';
import { displayUrl } from './urls.ts';
import { readNames } from './user-agent.ts';
import type { Visit, VisitLimits, VisitRequest } from './visit.ts';
import { toVisitFailure, type VisitPermissions, type VisitState } from './visit-state.ts';

export type { WebOptions } from './options.ts';

const DAY_MS = 86_400_000;

/** An HTTP client that respects the guard, the limits and the rules of robots.txt. */
export class WebClient {
  readonly #options: WebOptions;
  readonly #limits: VisitLimits;
  readonly #requests: Requests;
  readonly #robots: RobotsFiles;
  readonly #going = new Set<Lifetime>();
  #closed = false;

  constructor(options: WebOptions) {
    const names = readNames(options.version, options.userAgent);
    this.#options = options;
    this.#limits = withDefaults(options.limits, defaultLimits);
    this.#requests = new Requests(options, names);
    this.#robots = new RobotsFiles({
      productToken: names.productToken,
      keepMs: DAY_MS,
      fetch: (url, signal) =>
        askRobots(url, signal, (request) => this.#visit(request, { ruled: false, trusted: false })),
    });
  }

  /**
   * Returns the response to a request, after the redirects that its policy allows. Throws a WebError with the redirect
   * chain, or the reason of the signal if that ended it.
   */
  async visit(request: VisitRequest): Promise<Visit> {
    const ruled = request.identity === 'autonomous' && this.#options.ignoreRobots !== true;
    return await this.#visit(request, { ruled, trusted: true });
  }

  /**
   * Waits for a turn at the host of a page that a browser requests, after the guard and robots.txt allowed it; the
   * returned function ends the turn. Throws a WebError if they do not.
   */
  async admit(url: URL, lifetime: Lifetime): Promise<() => void> {
    if (this.#closed) throw closing();
    this.#options.guard.assertUrl(url);
    const delayMs = this.#options.ignoreRobots === true ? 0 : await this.#delayOf(url, lifetime);
    return await this.#requests.enter(url.hostname, delayMs, lifetime);
  }

  /** Makes later requests wait as the Retry-After of a response to a browser asks. */
  heed(url: URL, answer: Pick<Answer, 'status' | 'headers'>): void {
    this.#requests.heed(url.hostname, answer);
  }

  /** Ends all requests and closes all connections. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const lifetime of [...this.#going]) lifetime.stop(closing());
    this.#requests.close();
  }

  async #visit(request: VisitRequest, warrant: VisitPermissions): Promise<Visit> {
    if (this.#closed) throw closing();
    request.signal?.throwIfAborted();
    const limits = withDefaults(request.limits, this.#limits);
    const step: Step = {
      url: request.url,
      method: checkMethod(request.method ?? 'GET'),
      headers: checkFields(request.headers ?? {}),
      body: request.body,
    };
    const lifetime = new Lifetime(limits.deadlineMs, request.signal);
    const trip: VisitState = { ...warrant, request, limits, lifetime, hops: [], last: undefined };
    this.#going.add(lifetime);
    lifetime.onOver(() => this.#going.delete(lifetime));
    try {
      return await this.#travel(trip, step);
    } catch (error) {
      this.#end(trip);
      throw toVisitFailure(error, trip);
    }
  }

  async #travel(trip: VisitState, first: Step): Promise<Visit> {
    const seen = new Set<string>();
    for (let step = first; ; ) {
      seen.add(stepKey(step));
      const answer = await this.#ask(trip, step);
      const { status, headers, exchange } = answer;
      if (trip.last !== undefined) trip.hops.push(trip.last);
      trip.last = { url: displayUrl(step.url), status };
      try {
        this.#requests.heed(step.url.hostname, answer);
        const follows = trip.request.redirects !== 'report';
        const target = follows ? redirectTarget(status, headers, step.url) : undefined;
        if (target === undefined) return this.#arrive(trip, step, answer);
        exchange.stop(new Error('redirected'));
        step = await this.#follow(trip, nextStep(step, status, target), step.url, seen);
      } catch (error) {
        exchange.stop(error);
        throw error;
      }
    }
  }

  async #follow(
    { hops, limits, request }: VisitState,
    next: Step,
    from: URL,
    seen: Set<string>,
  ): Promise<Step> {
    await assertFollowable(from, next.url, request.redirects);
    if (seen.has(stepKey(next)))
      throw new WebError(`the page redirects in a loop, to ${displayUrl(next.url)}`, {
        code: 'redirect-loop',
        hint: 'the site may require cookies, which this server does not keep',
      });
    if (hops.length >= limits.redirects)
      throw new WebError(`the page redirects more than ${limits.redirects} times`, {
        code: 'too-many-redirects',
      });
    return next;
  }

  async #ask(trip: VisitState, step: Step): Promise<Answer> {
    const { lifetime } = trip;
    this.#options.guard.assertUrl(step.url);
    const delayMs = trip.ruled ? await this.#delayOf(step.url, lifetime) : 0;
    return await this.#requests.send(trip, step, delayMs);
  }

  /** Throws if robots.txt forbids a page; returns the delay between requests that it asks for. */
  #delayOf(url: URL, lifetime: Lifetime): Promise<number> {
    lifetime.stage = 'robots';
    return this.#robots.assertAllowed(url, lifetime);
  }

  #arrive(trip: VisitState, { url, method }: Step, { status, headers: raw, exchange }: Answer): Visit {
    const { lifetime, limits } = trip;
    const headers = visibleFields(raw);
    const encoding = headers['content-encoding'] ?? '';
    const bodyless = method === 'HEAD' || status === 204 || status === 304;
    const framed = bodyless || raw['content-length'] !== undefined || raw['transfer-encoding'] !== undefined;
    const end = () => this.#end(trip);
    exchange.onOver(() => {
      if (encoding === '' || !exchange.complete) end();
      else lifetime.loosen();
    });
    const done = () => {
      end();
      exchange.stop(new WebError('the body was discarded', { code: 'connection-cut' }));
    };
    return {
      url,
      status,
      headers,
      redirects: trip.hops,
      length: encoding === '' ? lengthOf(headers) : undefined,
      body: readBody({
        wire: exchange.wire,
        encoding,
        framed,
        host: url.hostname,
        bodyBytes: limits.bodyBytes,
        lifetime,
        done,
        tell: (error) => toVisitFailure(error, trip),
      }),
      wireBytes: () => exchange.wireBytes,
      elapsedMs: () => lifetime.elapsedMs(),
      discard: done,
    };
  }

  #end({ lifetime }: VisitState): void {
    lifetime.finish();
    this.#going.delete(lifetime);
  }
}

function lengthOf(headers: Readonly<Record<string, string>>): number | undefined {
  const value = headers['content-length'];
  return value !== undefined && /^\d+$/.test(value) && headers['transfer-encoding'] === undefined
    ? Number(value)
    : undefined;
}

function closing(): WebError {
  return new WebError('this server is closing', { code: 'connection-cut' });
}
