import { type FailureCode, type Hop, WebError } from '../failure.ts';
import type { Visit } from '../web/visit.ts';
import { isCacheable } from './cacheable.ts';
import { type AgeLimits, judge, lifetimeOf, mayBeStale, staleIfError } from './freshness.ts';
import type { HttpCache, Keeping } from './http-cache.ts';
import { pendingKeyOf } from './keys.ts';
import { conditionsOf, confirms, freshen } from './revalidation.ts';
import type { ProgressListener, Waiting } from './shared-requests.ts';
import type { CacheRequest, Fields, StoredResponse } from './stored-response.ts';

/** Sends the request with these header fields added; an aborted signal closes the connection. */
export type Visiting = (conditions: Fields, signal: AbortSignal) => Promise<Visit>;

export interface ThroughOptions extends AgeLimits, Waiting {
  /** never send a request: returns a stored response, stale if its origin allows that, or fails with `not-cached` */
  readonly cacheOnly?: boolean | undefined;
  /** seconds that a response may be stale if the origin fails; the origin may allow more */
  readonly staleIfError?: number | undefined;
  /** whether a stored response may be returned, for instance after a change of allowed domains; any may unless given */
  readonly admits?: ((stored: StoredResponse) => boolean) | undefined;
}

/** A response with its whole body. Other callers share the body: do not change or transfer it. */
export interface Fetched {
  readonly finalUrl: string;
  readonly redirects: readonly Hop[];
  readonly status: number;
  readonly headers: Fields;
  readonly body: Uint8Array;
  /** when the response or its last validation arrived, ms since 1970 */
  readonly fetchedAt: number;
  readonly ageSeconds: number;
  /** seconds until it is stale */
  readonly freshSeconds: number;
  readonly from: 'network' | 'cache' | 'revalidated';
  /** older than its origin allows: the caller accepts that, or the origin failed */
  readonly stale: boolean;
  /** of the visit; 0 from the cache */
  readonly wireBytes: number;
  readonly elapsedMs: number;
}

const FAILING_STATUS = new Set([500, 502, 503, 504]);
const FAILING: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'name-not-found',
  'connect-failed',
  'proxy-failed',
  'connection-cut',
  'invalid-response',
  'timeout',
  'busy',
]);

/**
 * Returns the response to a request: from the cache, revalidated with its origin, or fetched. Equal concurrent requests
 * share one visit, which is aborted when no caller waits for it. Throws the failures of `visit` unchanged.
 */
export async function fetchThrough(
  cache: HttpCache<Fetched>,
  request: CacheRequest,
  visit: Visiting,
  options: ThroughOptions = {},
): Promise<Fetched> {
  const { cacheOnly = false, maxAge, maxStale, admits } = options;
  if (!isCacheable(request) && !cacheOnly) return sendPast(cache, request, visit, options);
  const limits = { maxAge, maxStale: cacheOnly ? Number.POSITIVE_INFINITY : maxStale };
  const cached = await cache.get(request, limits);
  const admitted = cached !== undefined && (admits?.(cached.stored) ?? true) ? cached : undefined;
  if (admitted?.usable) return toFetched(cache, admitted.stored, 'cache');
  if (cacheOnly) throw notCached(request);
  return cache.pending.join(pendingKeyOf(request), options, (signal, tell) =>
    ask(cache, request, admitted?.stored, visit, { ...options, signal, progress: tell }),
  );
}

interface Asking extends ThroughOptions {
  readonly signal: AbortSignal;
}

/** Sends the request on behalf of all callers that wait. */
async function ask(
  cache: HttpCache<Fetched>,
  request: CacheRequest,
  stored: StoredResponse | undefined,
  visit: Visiting,
  asking: Asking,
): Promise<Fetched> {
  const keeping = cache.depart(request);
  try {
    return await validate(cache, request, stored, visit, asking, keeping);
  } catch (error) {
    if (stored === undefined || !mayStandIn(cache, stored, error, asking)) throw error;
    return toFetched(cache, stored, 'cache');
  } finally {
    cache.arrive(keeping);
  }
}

async function validate(
  cache: HttpCache<Fetched>,
  request: CacheRequest,
  stored: StoredResponse | undefined,
  visit: Visiting,
  asking: Asking,
  keeping: Keeping,
): Promise<Fetched> {
  const conditions = stored && conditionsOf(stored);
  if (stored === undefined || conditions === undefined)
    return take(cache, request, stored, visit, asking, keeping);
  const requestedAt = cache.now();
  const answer = await visit(conditions, asking.signal);
  if (answer.status !== 304) return receive(cache, request, stored, { answer, requestedAt }, asking, keeping);
  answer.discard();
  if (!confirms(stored, answer.url.href, answer.headers))
    return take(cache, request, stored, visit, asking, keeping);
  const times = { requestedAt, receivedAt: cache.now(), redirects: answer.redirects };
  const renewed = freshen(stored, answer.headers, times);
  await cache.renew(renewed, keeping);
  return toFetched(cache, renewed, 'revalidated', answer);
}

/** Sends the request without conditions. */
async function take(
  cache: HttpCache<Fetched>,
  request: CacheRequest,
  stored: StoredResponse | undefined,
  visit: Visiting,
  asking: Asking,
  keeping: Keeping,
): Promise<Fetched> {
  const requestedAt = cache.now();
  const answer = await visit({}, asking.signal);
  return receive(cache, request, stored, { answer, requestedAt }, asking, keeping);
}

interface Received {
  readonly answer: Visit;
  readonly requestedAt: number;
}

async function receive(
  cache: HttpCache<Fetched>,
  request: CacheRequest,
  stored: StoredResponse | undefined,
  { answer, requestedAt }: Received,
  asking: Asking,
  keeping: Keeping,
): Promise<Fetched> {
  const receivedAt = cache.now();
  if (FAILING_STATUS.has(answer.status) && stored !== undefined && standsIn(cache, stored, asking)) {
    answer.discard();
    return toFetched(cache, stored, 'cache', answer);
  }
  const body = await readBody(answer, asking.progress);
  const { status, headers, redirects } = answer;
  const finalUrl = answer.url.href;
  const facts = { finalUrl, redirects, status, headers, body, requestedAt, receivedAt };
  return toFetched(cache, await cache.keep(request, facts, keeping), 'network', answer);
}

/** Sends a request that bypasses the cache; an unsafe method invalidates the stored responses of its URL. */
async function sendPast(
  cache: HttpCache<Fetched>,
  request: CacheRequest,
  visit: Visiting,
  { signal = new AbortController().signal, progress }: ThroughOptions,
): Promise<Fetched> {
  const keeping = cache.depart(request);
  try {
    const requestedAt = cache.now();
    const answer = await visit({}, signal);
    const unsafe = !['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(request.method ?? 'GET');
    if (unsafe && answer.status >= 200 && answer.status < 400)
      await cache.invalidate(request, answer.headers);
    return await receive(cache, request, undefined, { answer, requestedAt }, { signal, progress }, keeping);
  } finally {
    cache.arrive(keeping);
  }
}

/** Reads the whole body of a response. */
export async function readBody(answer: Visit, progress: ProgressListener | undefined): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of answer.body) {
    pieces.push(piece);
    bytes += piece.length;
    progress?.(bytes, answer.length);
  }
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, bytes);
}

function mayStandIn(
  cache: HttpCache<Fetched>,
  stored: StoredResponse,
  error: unknown,
  asking: Asking,
): boolean {
  return error instanceof WebError && FAILING.has(error.code) && standsIn(cache, stored, asking);
}

function standsIn(
  cache: HttpCache<Fetched>,
  stored: StoredResponse,
  { staleIfError: asked = 0 }: Asking,
): boolean {
  const { ageSeconds } = judge(stored, cache.now());
  const allowed = Math.max(asked, staleIfError(stored));
  return mayBeStale(stored) && ageSeconds - lifetimeOf(stored) <= allowed;
}

function toFetched(
  cache: HttpCache<Fetched>,
  stored: StoredResponse,
  from: Fetched['from'],
  answer?: Pick<Visit, 'wireBytes' | 'elapsedMs'>,
): Fetched {
  const { finalUrl, redirects, status, headers, body, receivedAt: fetchedAt } = stored;
  const { ageSeconds, freshSeconds } = judge(stored, cache.now());
  return {
    finalUrl,
    redirects,
    status,
    headers,
    body,
    fetchedAt,
    ageSeconds,
    freshSeconds,
    from,
    stale: from === 'cache' && freshSeconds === 0,
    wireBytes: answer?.wireBytes() ?? 0,
    elapsedMs: answer?.elapsedMs() ?? 0,
  };
}

function notCached({ url }: CacheRequest): WebError {
  return new WebError('the cache has no usable response for this URL', {
    code: 'not-cached',
    hint: 'fetch it without cache_only first',
    finalUrl: url.href,
  });
}
