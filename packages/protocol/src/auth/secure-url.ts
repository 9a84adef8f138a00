import { isIP } from 'node:net';

/** A URL that tokens and keys may travel to: https, or http on this machine; throws one line that names `what`. */
export function secureUrl(what: string, value: string | URL): URL {
  const url = URL.canParse(String(value)) ? new URL(value) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(`${what} must be a URL such as https://example.com`);
  }
  if (url.username !== '' || url.password !== '') throw new TypeError(`${what} must not hold a password`);
  if (url.hash !== '') throw new TypeError(`${what} must not have a fragment`);
  if (url.protocol === 'http:' && !isThisMachine(url.hostname)) {
    throw new TypeError(`${what} must be https; http is for loopback alone`);
  }
  return url;
}

/** Whether a text means a place on the web, and no file and no name. */
export function isWebUrl(text: string): boolean {
  return /^https?:/i.test(text);
}

/** Whether the host name of a parsed URL is a loopback one. */
function isThisMachine(hostname: string): boolean {
  if (hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]') return true;
  return isIP(hostname) === 4 && hostname.startsWith('127.');
}
