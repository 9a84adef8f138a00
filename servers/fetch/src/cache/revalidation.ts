import { defined } from '@rootbound/kit/primitives';
import { keptFields } from './cacheable.ts';
import type { Fields, StoredResponse } from './stored-response.ts';

/** Fields that describe the stored content, which a 304 without content cannot change. */
const OF_THE_BYTES = ['content-encoding', 'content-type', 'content-range', 'content-length'];

/** Returns the conditional header fields that revalidate a stored response; undefined if it has no validator. */
export function conditionsOf(stored: StoredResponse): Record<string, string> | undefined {
  const { etag, 'last-modified': modified } = stored.headers;
  if (etag === undefined && modified === undefined) return undefined;
  return defined({ 'if-none-match': etag, 'if-modified-since': modified });
}

/** Returns whether a 304 confirms a stored response (RFC 9111 section 4.3.4): same URL, and no other validator. */
export function confirms(stored: StoredResponse, finalUrl: string, headers: Fields): boolean {
  if (finalUrl !== stored.finalUrl) return false;
  const { etag } = headers;
  if (etag !== undefined && stored.headers.etag !== undefined)
    return opaque(etag) === opaque(stored.headers.etag);
  return true;
}

function opaque(etag: string): string {
  return etag.startsWith('W/') ? etag.slice(2) : etag;
}

/** Returns a stored response with the newer header fields of a 304 (RFC 9111 section 3.2). */
export function freshen(
  stored: StoredResponse,
  headers: Fields,
  times: Pick<StoredResponse, 'requestedAt' | 'receivedAt' | 'redirects'>,
): StoredResponse {
  const newer = Object.entries(keptFields(headers)).filter(([name]) => !OF_THE_BYTES.includes(name));
  // the Age of the older response does not apply to one that was validated now
  const { age: _age, ...kept } = stored.headers;
  return { ...stored, ...times, headers: { ...kept, ...Object.fromEntries(newer) } };
}
