import { isAllowed, parseUrl, reachInText } from '../urls.ts';
import { AuthorizationError } from './error.ts';
import type { Net } from './net.ts';

/** Returns the URL of an endpoint that a server named; errors call it `what`. */
export function allowedUrl(
  { privateHosts }: Pick<Net, 'privateHosts'>,
  text: string,
  server: URL,
  what: string,
): URL {
  const url = parseUrl(text);
  if (url === undefined || url.hash !== '' || !isAllowed(url, server, privateHosts)) {
    throw new AuthorizationError(
      'discovery',
      `${what} must be an https URL that this server is allowed to name`,
    );
  }
  return url;
}

/** Returns true if the addresses of a URL's host must be checked to decide whether `server` may name it. */
export function needsLookup({ privateHosts }: Pick<Net, 'privateHosts'>, url: URL, server: URL): boolean {
  // the operator configured the server, and its certificate proves that the address belongs to it
  if (url.origin === server.origin || privateHosts.has(url.hostname)) return false;
  return reachInText(url) === undefined && reachInText(server) !== 'loopback';
}
