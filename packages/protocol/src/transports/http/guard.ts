import { isIP } from 'node:net';
import type { Headers } from './exchange.ts';

/**
 * Options for access by web pages and by other host names.
 * @example
 * const options: GuardOptions = { allowedOrigins: ['https://app.example'], allowedHosts: ['mcp.example.com'] };
 * createHttpHandler(server, options);
 */
export interface GuardOptions {
  /** origins of web pages that may use the server, besides those on loopback, such as `https://app.example` */
  allowedOrigins?: readonly string[];
  /** host names of the server, besides those of loopback, with or without a port */
  allowedHosts?: readonly string[];
  /** whether to check `Host`; default true if the server listens on loopback or `allowedHosts` is set */
  checkHost?: boolean;
}

/** The part of a request that the guard checks. */
export interface Guarded {
  header(name: string): string | undefined;
}

/** The headers that a web page may send, besides those that CORS always allows. */
const ALLOWED_HEADERS =
  'Authorization, Content-Type, Last-Event-ID, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id';
const EXPOSED_HEADERS = 'Mcp-Session-Id, Retry-After, WWW-Authenticate';
const PREFLIGHT_SECONDS = '600';

/**
 * Rejects requests of web pages of other origins, and of host names that were rebound to this machine.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#security-warning
 * @example
 * const guard = new Guard({ allowedOrigins: ['https://app.example'] });
 * guard.refusal({ header: (name) => (name === 'host' ? 'localhost:3000' : undefined) }); // => undefined
 */
export class Guard {
  readonly #origins: ReadonlySet<string>;
  readonly #hosts: ReadonlySet<string>;
  readonly #checksHost: boolean;
  /** the last allowed host, since nearly all requests have the same */
  #knownHost: string | undefined;

  constructor({ allowedOrigins = [], allowedHosts = [], checkHost = true }: GuardOptions = {}) {
    this.#origins = new Set(allowedOrigins.map(normalOrigin));
    this.#hosts = new Set(allowedHosts.map((host) => host.toLowerCase()));
    this.#checksHost = checkHost;
  }

  /** Returns the reason to refuse a request in one line, or undefined. */
  refusal(request: Guarded): string | undefined {
    const host = request.header('host');
    if (this.#checksHost && (host === undefined || host !== this.#knownHost)) {
      if (host === undefined || !this.#isAllowedHost(host))
        return 'this Host is not allowed; the operator can allow it';
      this.#knownHost = host;
    }
    const origin = request.header('origin');
    if (origin === undefined || this.#isAllowedOrigin(origin)) return undefined;
    return 'this Origin is not allowed; the operator can allow it';
  }

  /** Returns the CORS headers for the page of an allowed origin; undefined for other clients. */
  corsHeaders(request: Guarded): Headers | undefined {
    const origin = request.header('origin');
    if (origin === undefined) return undefined;
    return {
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Expose-Headers': EXPOSED_HEADERS,
      Vary: 'Origin',
    };
  }

  /** Returns the headers of the response to a preflight request of an allowed origin. */
  preflightHeaders(request: Guarded): Headers {
    const wanted = request.header('access-control-request-headers') ?? '';
    const mirrored = wanted.split(',').map((name) => name.trim());
    // the names after the prefix are defined by tools, so they cannot be listed
    const params = mirrored.filter((name) => /^mcp-param-[a-z0-9!#$%&'*+.^_`|~-]+$/i.test(name));
    return {
      ...this.corsHeaders(request),
      'Access-Control-Allow-Methods': 'POST, GET, DELETE',
      'Access-Control-Allow-Headers': [ALLOWED_HEADERS, ...params].join(', '),
      'Access-Control-Max-Age': PREFLIGHT_SECONDS,
    };
  }

  #isAllowedOrigin(origin: string): boolean {
    if (this.#origins.has(origin.toLowerCase())) return true;
    const url = parseUrl(origin);
    return url !== undefined && /^https?:$/.test(url.protocol) && isLoopbackName(url.hostname);
  }

  #isAllowedHost(host: string): boolean {
    const lower = host.toLowerCase();
    if (this.#hosts.has(lower)) return true;
    const url = parseUrl(`http://${lower}`);
    if (url === undefined || url.username !== '' || url.pathname !== '/') return false;
    return this.#hosts.has(url.hostname) || isLoopbackName(url.hostname);
  }
}

/** Returns true if a host name or address, with brackets for IPv6, is loopback. */
export function isLoopbackName(name: string): boolean {
  const bare = name.replace(/^\[|\]$/g, '').toLowerCase();
  if (bare === 'localhost' || bare.endsWith('.localhost')) return true;
  switch (isIP(bare)) {
    case 4:
      return bare.startsWith('127.');
    case 6:
      return bare === '::1';
    default:
      return false;
  }
}

function normalOrigin(origin: string): string {
  const url = parseUrl(origin);
  if (url === undefined || url.origin === 'null') {
    throw new TypeError(`allowed origin ${JSON.stringify(origin)} must be like https://app.example`);
  }
  return url.origin;
}

function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    // not a URL
    return undefined;
  }
}
