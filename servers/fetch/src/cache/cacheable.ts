import { parseCacheControl } from './cache-control.ts';
import { explicitLifetime, isHeuristicallyCacheable } from './freshness.ts';
import type { CacheRequest, Fields } from './stored-response.ts';

/** statuses that this cache understands (RFC 9111, must-understand) */
const UNDERSTOOD = new Set([
  200, 203, 204, 300, 301, 302, 303, 307, 308, 400, 403, 404, 405, 410, 414, 500, 501, 502, 503, 504,
]);
/** partial content, and the response without content of its own */
const NEVER_KEPT = new Set([206, 304]);

/** Returns whether a request uses the cache: a GET for the whole content, without conditions of its own. */
export function isCacheable(request: CacheRequest): boolean {
  const { method = 'GET', headers = {} } = request;
  if (method !== 'GET') return false;
  return !Object.keys(headers).some(
    (name) => name === 'range' || name === 'authorization' || name.startsWith('if-'),
  );
}

/** Returns whether a private cache may store a response (RFC 9111 section 3); a Vary of `*` makes it useless. */
export function mayStore(status: number, headers: Fields, receivedAt: number): boolean {
  if (status < 200 || status > 599 || NEVER_KEPT.has(status)) return false;
  if ((headers.vary ?? '').split(',').some((name) => name.trim() === '*')) return false;
  const directives = parseCacheControl(headers['cache-control']);
  const understood = UNDERSTOOD.has(status);
  if (directives.has('must-understand') && !understood) return false;
  if (directives.has('no-store') && !directives.has('must-understand')) return false;
  return (
    directives.has('public') ||
    directives.has('private') ||
    explicitLifetime(headers, receivedAt) !== undefined ||
    isHeuristicallyCacheable(status)
  );
}

/** Header fields of the connection (RFC 9111 section 3.1). */
const OF_THE_CONNECTION = [
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authentication-info',
  'proxy-authorization',
  'set-cookie',
];

/** Returns the header fields of a response that are stored with it. */
export function keptFields(headers: Fields): Fields {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  const dropped = new Set([...OF_THE_CONNECTION, ...named]);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.has(name)));
}
