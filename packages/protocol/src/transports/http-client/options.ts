import type { ClientAuth } from '../../auth/client-auth.ts';

/**
 * How an HTTP server is talked to.
 * @example
 * const options: HttpClientOptions = { headers: { 'X-Api-Key': 'from the environment' }, reconnect: { attempts: 3 } };
 * http('https://mcp.example.com/mcp', options);
 */
export interface HttpClientOptions {
  /** headers of every request, such as an API key; those of the protocol replace them */
  headers?: Readonly<Record<string, string>>;
  /** adds credentials and answers challenges */
  auth?: ClientAuth;
  /** carries requests in place of node:http, for a proxy or where there is no node:http; how long it waits for a
   * silent server is its own rule, and it does not retry on a connection that had died unnoticed */
  fetch?: typeof fetch;
  /** longest message of the server in bytes; a longer one is an error. Default 64 MiB */
  messageLimit?: number;
  /** how streams that broke, or that the server closed for now, are asked for again */
  reconnect?: ReconnectOptions;
}

/**
 * How often and when a stream that broke is asked for again.
 * @example const reconnect: ReconnectOptions = { attempts: 3, delay: 500, maxDelay: 5000 };
 */
export interface ReconnectOptions {
  /** times in a row that may bring nothing, however the stream ended; default 10 */
  attempts?: number;
  /** milliseconds before the first time, unless the server says; each further wait is half as long again. Default 1,000 */
  delay?: number;
  /** longest wait in milliseconds, unless the server wants a longer one; default 30,000 */
  maxDelay?: number;
}

/** Options with every default in place. */
export interface HttpSettings {
  /** by lower-case name */
  readonly headers: Readonly<Record<string, string>>;
  readonly auth: ClientAuth | undefined;
  readonly fetch: typeof fetch | undefined;
  readonly messageLimit: number;
  readonly reconnect: Required<ReconnectOptions>;
}

const DEFAULT_MESSAGE_LIMIT = 64 * 1024 * 1024;

export function normalise({
  headers = {},
  auth,
  fetch,
  messageLimit,
  reconnect = {},
}: HttpClientOptions): HttpSettings {
  const { attempts = 10, delay = 1000, maxDelay = 30_000 } = reconnect;
  return Object.freeze({
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    auth,
    fetch,
    messageLimit: messageLimit ?? DEFAULT_MESSAGE_LIMIT,
    reconnect: { attempts, delay, maxDelay },
  });
}

/** The URL of a server, checked. */
export function endpointOf(url: string | URL): URL {
  const text = String(url);
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
    throw new TypeError(`${JSON.stringify(text)} must be an http or https URL`);
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw new TypeError('the URL must not hold credentials; give them as headers or auth');
  }
  parsed.hash = '';
  return parsed;
}
