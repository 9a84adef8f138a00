import { parseCacheControl, secondsOf } from './cache-control.ts';
import { parseHttpDate } from './http-date.ts';
import type { Fields, StoredResponse } from './stored-response.ts';

/** statuses that are heuristically cacheable (RFC 9110 section 15.1) */
const HEURISTICALLY_CACHEABLE = new Set([200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]);
const HEURISTIC_SHARE = 0.1;
const MOST_HEURISTIC_SECONDS = 24 * 60 * 60;
const PERMANENT = new Set([301, 308]);

/** Returns whether a response of this status may be stored without explicit freshness. */
export function isHeuristicallyCacheable(status: number): boolean {
  return HEURISTICALLY_CACHEABLE.has(status);
}

/** Returns the freshness lifetime of a response in seconds (RFC 9111 section 4.2.1), for a private cache. */
export function lifetimeOf(stored: StoredResponse): number {
  // a temporary redirect has to be requested again, and its own freshness was not stored
  if (stored.redirects.some((hop) => !PERMANENT.has(hop.status))) return 0;
  const { headers, receivedAt } = stored;
  const directives = parseCacheControl(headers['cache-control']);
  const explicit = explicitLifetime(headers, receivedAt);
  if (explicit !== undefined) return explicit;
  if (!isHeuristicallyCacheable(stored.status) && !directives.has('public')) return 0;
  const changed = parseHttpDate(headers['last-modified'], receivedAt);
  if (changed === undefined) return 0;
  const age = (dateOf(headers, receivedAt) - changed) / 1000;
  return Math.min(Math.max(0, age * HEURISTIC_SHARE), MOST_HEURISTIC_SECONDS);
}

/** Returns the explicit freshness lifetime in seconds; undefined if the response has none. */
export function explicitLifetime(headers: Fields, receivedAt: number): number | undefined {
  const maxAge = secondsOf(parseCacheControl(headers['cache-control']), 'max-age');
  if (maxAge !== undefined) return maxAge;
  if (headers.expires === undefined) return undefined;
  const expires = parseHttpDate(headers.expires, receivedAt);
  return expires === undefined ? 0 : Math.max(0, (expires - dateOf(headers, receivedAt)) / 1000);
}

/** Returns the age of a response in seconds (RFC 9111 section 4.2.3). */
export function ageOf(stored: StoredResponse, now: number): number {
  const { headers, requestedAt, receivedAt } = stored;
  const apparentAge = Math.max(0, (receivedAt - dateOf(headers, receivedAt)) / 1000);
  const correctedAge = ageField(headers.age) + Math.max(0, (receivedAt - requestedAt) / 1000);
  return Math.max(apparentAge, correctedAge) + Math.max(0, (now - receivedAt) / 1000);
}

/** Returns the first value of an Age field in seconds; an invalid value is ignored (RFC 9111 section 5.1). */
function ageField(field: string | undefined): number {
  if (field === undefined) return 0;
  const first = field.split(',')[0]!.trim();
  return /^\d+$/.test(first) ? Number(first) : 0;
}

function dateOf(headers: Fields, receivedAt: number): number {
  return parseHttpDate(headers.date, receivedAt) ?? receivedAt;
}

/** The age limits of a request, in seconds. */
export interface AgeLimits {
  /** maximum age; 0 requires validation with the origin */
  readonly maxAge?: number | undefined;
  /** maximum staleness, if the origin allows stale responses; 0 unless given */
  readonly maxStale?: number | undefined;
}

export interface Verdict {
  readonly ageSeconds: number;
  /** seconds until it is stale; 0 if it is */
  readonly freshSeconds: number;
  /** whether it may be returned without a request to the origin */
  readonly usable: boolean;
}

/** Decides whether a stored response may be returned now (RFC 9111 section 4). */
export function judge(
  stored: StoredResponse,
  now: number,
  { maxAge, maxStale = 0 }: AgeLimits = {},
): Verdict {
  const ageSeconds = ageOf(stored, now);
  const lifetime = lifetimeOf(stored);
  const directives = parseCacheControl(stored.headers['cache-control']);
  const never = directives.has('no-store') && !directives.has('must-understand');
  const freshSeconds = never || directives.has('no-cache') ? 0 : Math.max(0, lifetime - ageSeconds);
  const young = maxAge === undefined || (maxAge > 0 && ageSeconds <= maxAge);
  const lenient = maxStale > 0 && mayBeStale(stored) && ageSeconds - lifetime <= maxStale;
  return { ageSeconds, freshSeconds, usable: young && (freshSeconds > 0 || lenient) };
}

/** Returns whether the origin allows stale responses to callers that accept them. */
export function mayBeStale(stored: StoredResponse): boolean {
  const directives = parseCacheControl(stored.headers['cache-control']);
  return !directives.has('no-cache') && !directives.has('must-revalidate');
}

/** Returns the seconds that the origin allows a stale response after an error (RFC 5861). */
export function staleIfError(stored: StoredResponse): number {
  return secondsOf(parseCacheControl(stored.headers['cache-control']), 'stale-if-error') ?? 0;
}
