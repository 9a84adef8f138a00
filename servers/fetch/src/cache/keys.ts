import { createHash } from 'node:crypto';
import { withoutFragment } from '../url-fragment.ts';
import type { CacheRequest, Fields, StoredResponse } from './stored-response.ts';

type Addressed = Pick<CacheRequest, 'owner' | 'configuration'> & { readonly url: URL | string };

/** Returns the cache key of a URL for one owner and configuration; a hash, which reveals none of them. */
export function keyOf({ owner, configuration = '', url }: Addressed): string {
  return digest([owner, configuration, withoutFragment(url)]);
}

/** Returns the key of one of several responses of a URL. */
export function variantOf(stored: Pick<StoredResponse, 'vary' | 'policy' | 'identity'>): string {
  return digest([stored.policy, stored.identity, inOrder(stored.vary)]).slice(0, 16);
}

/** Returns the key of a pending request; requests with equal keys may share a response. */
export function pendingKeyOf(request: CacheRequest): string {
  const { identity, redirects, headers = {} } = request;
  return `${keyOf(request)} ${digest([identity, redirects, inOrder(headers)])}`;
}

/** Returns the request's header fields that Vary names; undefined for `*`, which matches no request. */
export function selectingFields(
  vary: string | undefined,
  sent: Fields = {},
): Record<string, string | null> | undefined {
  const names = (vary ?? '').split(',').map((name) => name.trim().toLowerCase());
  if (names.includes('*')) return undefined;
  return Object.fromEntries(names.filter((name) => name !== '').map((name) => [name, sentValue(sent, name)]));
}

/** Returns whether a stored response matches a request, fresh or stale. */
export function answers(stored: StoredResponse, request: CacheRequest): boolean {
  const { owner, configuration = '', url, identity, redirects, headers = {} } = request;
  if (stored.owner !== owner || stored.configuration !== configuration) return false;
  if (stored.url !== withoutFragment(url)) return false;
  // a user's page may be served to users only, since robots.txt does not restrict them
  if (stored.identity !== identity && identity === 'autonomous') return false;
  const direct = stored.redirects.length === 0 && (stored.status < 300 || stored.status > 399);
  if (stored.policy !== redirects && !direct) return false;
  return Object.entries(stored.vary).every(([name, value]) => sentValue(headers, name) === value);
}

function sentValue(fields: Fields, name: string): string | null {
  const value = Object.hasOwn(fields, name) ? fields[name]! : undefined;
  // white space around list members has no meaning
  return value === undefined ? null : value.trim().replace(/(?<!\s)\s*,\s*/g, ', ');
}

/** Returns the entries in the order of their names. */
function inOrder<T>(fields: Readonly<Record<string, T>>): [string, T][] {
  return Object.entries(fields).sort(([one], [other]) => (one < other ? -1 : 1));
}

function digest(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
