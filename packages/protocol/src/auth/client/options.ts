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
  fetch?: typeof fetch;
  /** milliseconds that one request for metadata or a token may take; default 15,000 */
  timeout?: number;
  /** ends every flow */
  signal?: AbortSignal;
}

/** Options with every default in place. */
export function readCommon(options: CommonOptions): Omit<SessionSettings, 'grant'> {
  const { server, scopes, store = memoryStore(), dpop, timeout = 15_000, signal } = options;
  const net = { fetch: options.fetch ?? fetch, timeout, signal };
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
