import { isIPv6, type LookupFunction } from 'node:net';
import { parseUrl } from '../urls.ts';
import type { SessionSettings } from './session.ts';
import { type CredentialStore, memoryStore } from './store.ts';

/**
 * What every kind of authorization can be told.
 * @example
 * const options: CommonOptions = { server: 'https://mcp.example.com/mcp', scopes: ['files:read'], timeout: 5000 };
 */
export interface CommonOptions {
  /** the URL of the MCP server that the credentials are for; default the first that they are asked for */
  server?: string | URL;
  /** asked for where the server's challenge names no scopes, and beside those that it names */
  scopes?: readonly string[];
  /** default keeps tokens in memory */
  store?: CredentialStore;
  /** whether tokens are bound to a key of this client; default when the server wants it and its issuer can */
  dpop?: boolean;
  /**
   * carries requests in place of node:http, for a proxy or a certificate of one's own. Names are resolved and judged
   * before it is called; as it resolves them again, it has to refuse private addresses itself where an answer may change
   */
  fetch?: typeof fetch;
  /** resolves names in place of the system */
  lookup?: LookupFunction;
  /**
   * private hosts that any server may name in its metadata, such as `login.corp.example`; default none. A server on a
   * private network may name those of that network without it
   */
  allowPrivate?: readonly string[];
  /** milliseconds that one request for metadata or a token may take; default 15,000 */
  timeout?: number;
  /** ends every flow */
  signal?: AbortSignal;
}

/** Options with every default in place. */
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

/** A host as URLs spell it. */
function readHost(text: string): string {
  const bare = text.replace(/^\[|\]$/g, '');
  const url = isIPv6(bare) ? parseUrl(`https://[${bare}]`) : parseUrl(`https://${bare}`);
  if (url === undefined || (!isIPv6(bare) && /[/\\?#@:[\]]/.test(bare)))
    throw new TypeError('allowPrivate must hold hosts such as login.example.com');
  return url.hostname;
}
