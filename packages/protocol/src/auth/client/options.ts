import { isIPv6, type LookupFunction } from 'node:net';
import { parseUrl } from '../urls.ts';
import type { SessionSettings } from './session.ts';
import { type CredentialStore, memoryStore } from './store.ts';

/**
 * Options of every kind of authorization.
 * @example
 * const options: CommonOptions = { server: 'https://mcp.example.com/mcp', scopes: ['files:read'], timeout: 5000 };
 */
export interface CommonOptions {
  /** the URL of the MCP server that the credentials are for; default the first that requires them */
  server?: string | URL;
  /** scopes to request if the challenge names none, and in addition to those that it names */
  scopes?: readonly string[];
  /** stores tokens; default in memory */
  store?: CredentialStore;
  /**
   * whether tokens are bound to a key of this client; default if the server requires it and its issuer
   * supports it
   */
  dpop?: boolean;
  /**
   * sends requests instead of node:http, for a proxy or a custom certificate. Hosts are resolved and checked
   * before it is called; it resolves them again, so it must reject private addresses itself if a DNS answer
   * may change
   */
  fetch?: typeof fetch;
  /** resolves names instead of the system */
  lookup?: LookupFunction;
  /**
   * private hosts that any server may name in its metadata, such as `login.corp.example`; default none. A
   * server on a private network may name hosts of that network without this option
   */
  allowPrivate?: readonly string[];
  /** timeout of one request for metadata or a token in milliseconds; default 15,000 */
  timeout?: number;
  /** ends every flow */
  signal?: AbortSignal;
}

/** Validates common options and adds the defaults. */
export function readCommon(options: CommonOptions): Omit<SessionSettings, 'grant'> {
  const { server, scopes, store = memoryStore(), dpop, timeout = 15_000, signal } = options;
  const { fetch, lookup, allowPrivate = [] } = options;
  const net = { fetch, lookup, privateHosts: new Set(allowPrivate.map(readHost)), timeout, signal };
  return Object.freeze({
    server: server === undefined ? undefined : readServer(server),
    scopes: scopes === undefined ? undefined : [...scopes],
    store,
    dpop,
    net,
  });
}

export function readServer(server: string | URL): URL {
  const url = parseUrl(String(server));
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new TypeError('server must be the http or https URL of an MCP server');
  }
  return url;
}

/** Returns a host as spelled in URLs. */
function readHost(text: string): string {
  const bare = text.replace(/^\[|\]$/g, '');
  const url = isIPv6(bare) ? parseUrl(`https://[${bare}]`) : parseUrl(`https://${bare}`);
  if (url === undefined || (!isIPv6(bare) && /[/\\?#@:[\]]/.test(bare)))
    throw new TypeError('allowPrivate must contain hosts such as login.example.com');
  return url.hostname;
}
