import { isAllowed, parseUrl } from '../urls.ts';
import { AuthorizationError } from './error.ts';

/** The URL of an endpoint that a server named, which errors call `what`. */
export function allowedUrl(text: string, server: URL, what: string): URL {
  const url = parseUrl(text);
  if (url === undefined || url.hash !== '' || !isAllowed(url, server)) {
    throw new AuthorizationError('discovery', `${what} must be an https URL that the server may name`);
  }
  return url;
}
