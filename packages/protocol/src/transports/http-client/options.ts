import type { ClientAuth } from '../../auth/client-auth.ts';

/**
 * Options of an HTTP transport.
 * @example
 * const options: HttpClientOptions = { headers: { 'X-Api-Key': 'from the environment' }, reconnect: { attempts: 3 } };
 * http('https://mcp.example.com/mcp', options);
 */
export interface HttpClientOptions {
  /** headers of every request, such as an API key; headers of the protocol override them */
  headers?: Readonly<Record<string, string>>;
  /** adds credentials and handles challenges */
  auth?: ClientAuth;
  /**
   * sends requests instead of node:http, for a proxy or a runtime without node:http; its own timeouts apply,
   * and requests on dead connections are not repeated
   */
  fetch?: typeof fetch;
  /** maximum size of a message of the server in bytes; a longer one is an error. Default 64 MiB */
  messageLimit?: number;
  /** when to reconnect streams that broke, or that the server closed temporarily */
  reconnect?: ReconnectOptions;
}

/**
 * How often and when to reconnect a stream.
 * @example const reconnect: ReconnectOptions = { attempts: 3, delay: 500, maxDelay: 5000 };
 */
export interface ReconnectOptions {
  /** maximum number of attempts in a row without a message; default 10 */
  attempts?: number;
  /**
   * milliseconds before the first attempt, unless the server sets it; each further wait is 1.5 times as long.
   * Default 1,000
   */
  delay?: number;
  /** maximum wait in milliseconds, unless the server asks for more; default 30,000 */
  maxDelay?: number;
}

/** HTTP options with all defaults set. */
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

/** Returns the URL of a server; throws for an invalid one. */
export function endpointOf(url: string | URL): URL {
  const text = String(url);
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
    throw new TypeError(`${JSON.stringify(text)} must be an http or https URL`);
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw new TypeError('the URL must not contain credentials; set headers or auth');
  }
  parsed.hash = '';
  return parsed;
}
