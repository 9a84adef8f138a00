import type { Fetched } from '../cache/fetch-through.ts';

/** Returns the target of a redirect that was not followed. */
export function unfollowedRedirect({
  status,
  headers,
  finalUrl,
}: Pick<Fetched, 'status' | 'headers' | 'finalUrl'>): string | undefined {
  const { location } = headers;
  if (status < 300 || status >= 400 || location === undefined) return undefined;
  return URL.parse(location, finalUrl)?.href;
}
