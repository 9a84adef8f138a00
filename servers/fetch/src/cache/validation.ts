import type { Fields, Stored } from './stored.ts';
import { keptFields } from './storing.ts';

/** Fields that say how the kept bytes are made, which a 304 without bytes cannot change. */
const OF_THE_BYTES = ['content-encoding', 'content-type', 'content-range', 'content-length'];

/** The fields that ask the origin whether what is kept is still so; undefined when it gave nothing to ask by. */
export function conditionsOf(stored: Stored): Record<string, string> | undefined {
  const { etag, 'last-modified': modified } = stored.headers;
  if (etag === undefined && modified === undefined) return undefined;
  return {
    ...(etag === undefined ? {} : { 'if-none-match': etag }),
    ...(modified === undefined ? {} : { 'if-modified-since': modified }),
  };
}

/** Whether a 304 speaks of what is kept (RFC 9111 section 4.3.4): the same address and no other validator. */
export function confirms(stored: Stored, finalUrl: string, headers: Fields): boolean {
  if (finalUrl !== stored.finalUrl) return false;
  const { etag } = headers;
  if (etag !== undefined && stored.headers.etag !== undefined)
    return opaque(etag) === opaque(stored.headers.etag);
  return true;
}

function opaque(etag: string): string {
  return etag.startsWith('W/') ? etag.slice(2) : etag;
}

/** What is kept with the newer fields of a 304 (RFC 9111 section 3.2). */
export function freshen(
  stored: Stored,
  headers: Fields,
  times: Pick<Stored, 'requestedAt' | 'receivedAt' | 'redirects'>,
): Stored {
  const newer = Object.entries(keptFields(headers)).filter(([name]) => !OF_THE_BYTES.includes(name));
  // the age of before says nothing of an answer that was confirmed now
  const { age: _age, ...kept } = stored.headers;
  return { ...stored, ...times, headers: { ...kept, ...Object.fromEntries(newer) } };
}
