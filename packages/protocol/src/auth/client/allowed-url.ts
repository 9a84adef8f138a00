import { isAllowed, parseUrl, reachInText } from '../urls.ts';
import { AuthorizationError } from './error.ts';
import type { Net } from './net.ts';

/** The URL of an endpoint that a server named, which errors call `what`. */
export function allowedUrl(
  { privateHosts }: Pick<Net, 'privateHosts'>,
  text: string,
  server: URL,
  what: string,
): URL {
  const url = parseUrl(text);
  if (url === undefined || url.hash !== '' || !isAllowed(url, server, privateHosts)) {
    throw new AuthorizationError('discovery', `${what} must be an https URL that the server may name`);
  }
  return url;
}

/** Whether the text of a URL leaves open whether `server` may name its host, so that the addresses of that decide. */
export function needsLookup({ privateHosts }: Pick<Net, 'privateHosts'>, url: URL, server: URL): boolean {
  // the operator named the server, and its certificate proves that an address is of it
  if (url.origin === server.origin || privateHosts.has(url.hostname)) return false;
  return reachInText(url) === undefined && reachInText(server) !== 'loopback';
}
