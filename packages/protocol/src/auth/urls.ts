import { isIP } from 'node:net';
import { mayName, type Reach, reachOfAddress } from './addresses.ts';

/** The URL that a text says, or undefined. */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    // what is no URL is said by the answer
    return undefined;
  }
}

/** Whether a text means a place on the web, and no file and no name. */
export function isWebUrl(text: string): boolean {
  return /^https?:/i.test(text);
}

/** Whether a URL names this machine and nothing else. */
export function isLoopback(url: URL): boolean {
  return reachInText(url) === 'loopback';
}

/** Whether secrets may be sent to a URL: encrypted, or within this machine. */
export function isConfidential(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
}

/** A URL that tokens and keys may travel to: https, or http on this machine; throws one line that names `what`. */
export function secureUrl(what: string, value: string | URL): URL {
  const url = parseUrl(String(value));
  if (url === undefined || !isWebUrl(url.protocol)) {
    throw new TypeError(`${what} must be a URL such as https://example.com`);
  }
  if (url.username !== '' || url.password !== '') throw new TypeError(`${what} must not hold a password`);
  if (url.hash !== '') throw new TypeError(`${what} must not have a fragment`);
  if (!isConfidential(url)) throw new TypeError(`${what} must be https; http is for loopback alone`);
  return url;
}

/**
 * Whether a URL that a server named may be requested, by its text: confidential, and not an address that only this
 * machine or its network can reach, unless the server is there itself or the operator named the host.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/basic/security_best_practices#server-side-request-forgery-ssrf
 */
export function isAllowed(url: URL, server: URL, privateHosts: ReadonlySet<string> = new Set()): boolean {
  if (!isConfidential(url) || url.username !== '' || url.password !== '') return false;
  if (privateHosts.has(url.hostname)) return true;
  return mayName(reachInText(server) ?? 'public', reachInText(url) ?? 'public');
}

/** A URL without what may be secret in it. */
export function plainUrl(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

/**
 * The name of a server as an OAuth resource, where its metadata gives none.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#canonical-server-uri
 */
export function canonicalResource(server: URL): string {
  return server.pathname === '/' ? server.origin : plainUrl(server);
}

/** Whether a resource is the server or holds it: the same origin, and a path that the server's begins with. */
export function covers(resource: string, server: URL): boolean {
  const url = parseUrl(resource);
  if (url === undefined || url.hash !== '' || url.origin !== server.origin) return false;
  if (url.search !== '' && url.search !== server.search) return false;
  const path = url.pathname.endsWith('/') ? url.pathname : `${url.pathname}/`;
  return `${server.pathname}/`.startsWith(path);
}

/** Returns from where the host of a URL can be reached; undefined for a name, of which only its addresses tell. */
export function reachInText({ hostname }: URL): Reach | undefined {
  const name = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (name === 'localhost' || name.endsWith('.localhost')) return 'loopback';
  return isIP(name) === 0 ? undefined : reachOfAddress(name);
}
