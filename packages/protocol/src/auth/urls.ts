import { isIP } from 'node:net';
import { mayName, type Reach, reachOfAddress } from './addresses.ts';

/** Returns the URL of a text, or undefined. */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    // the result is undefined
    return undefined;
  }
}

/** Returns true for the text of an http or https URL. */
export function isWebUrl(text: string): boolean {
  return /^https?:/i.test(text);
}

/** Returns true if the host of a URL is loopback. */
export function isLoopback(url: URL): boolean {
  return reachInText(url) === 'loopback';
}

/** Returns true if secrets may be sent to a URL: https, or http on loopback. */
export function isConfidential(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
}

/** Returns a URL for tokens and keys: https, or http on loopback; throws one line that names `what`. */
export function secureUrl(what: string, value: string | URL): URL {
  const url = parseUrl(String(value));
  if (url === undefined || !isWebUrl(url.protocol)) {
    throw new TypeError(`${what} must be a URL such as https://example.com`);
  }
  if (url.username !== '' || url.password !== '') throw new TypeError(`${what} must not contain a password`);
  if (url.hash !== '') throw new TypeError(`${what} must not have a fragment`);
  if (!isConfidential(url)) throw new TypeError(`${what} must be https; http is for loopback only`);
  return url;
}

/**
 * Returns true if the text of a URL that a server named may be requested: https or loopback, and no private
 * address, unless the server itself is on that network or the operator allowed the host.
 */
export function isAllowed(url: URL, server: URL, privateHosts: ReadonlySet<string> = new Set()): boolean {
  if (!isConfidential(url) || url.username !== '' || url.password !== '') return false;
  if (privateHosts.has(url.hostname)) return true;
  return mayName(reachInText(server) ?? 'public', reachInText(url) ?? 'public');
}

/** Returns a URL without the parts that may be secret. */
export function plainUrl(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

/**
 * Returns the canonical URI of a server as an OAuth resource, if its metadata has none.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#canonical-server-uri
 */
export function canonicalResource(server: URL): string {
  return server.pathname === '/' ? server.origin : plainUrl(server);
}

/** Returns true if a resource is the server or contains it: the same origin, and a path prefix of the server's. */
export function covers(resource: string, server: URL): boolean {
  const url = parseUrl(resource);
  if (url === undefined || url.hash !== '' || url.origin !== server.origin) return false;
  if (url.search !== '' && url.search !== server.search) return false;
  const path = url.pathname.endsWith('/') ? url.pathname : `${url.pathname}/`;
  return `${server.pathname}/`.startsWith(path);
}

/** Returns the reach of a URL's host; undefined for a name, whose addresses must be resolved. */
export function reachInText({ hostname }: URL): Reach | undefined {
  const name = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (name === 'localhost' || name.endsWith('.localhost')) return 'loopback';
  return isIP(name) === 0 ? undefined : reachOfAddress(name);
}
