import { isObject } from '../jsonrpc/message.ts';

const RETRY_SECONDS = 5;

/**
 * Who sent a request, as a verified token says.
 * @example const ada: Identity = { principal: 'ada', scopes: ['files:read'] };
 */
export interface Identity {
  /** what sessions, handles and subscriptions belong to; the same for every token of one user and client */
  readonly principal: string;
  readonly scopes: readonly string[];
  /** the user, by the name that the authorization server has for them */
  readonly subject?: string;
  readonly clientId?: string;
  /** seconds since 1970 after which the token is no longer good */
  readonly expiresAt?: number;
}

/**
 * The answer to a request that may not be served.
 * @example const refusal: Refusal = { status: 401, challenge: 'Bearer', message: 'sign in first' };
 */
export interface Refusal {
  /** 503 when nobody can tell now whether the credentials are good */
  readonly status: 400 | 401 | 403 | 503;
  /** value of the `WWW-Authenticate` header; none with 503 */
  readonly challenge?: string;
  /** seconds after which to try again, told with 503 alone; default 5, for which `jwks` does not ask anew */
  readonly retryAfter?: number;
  /** one line for the body */
  readonly message: string;
}

/**
 * A request or a notification, as far as scopes depend on it.
 * @example const writes = ({ method, params }: McpRequest): boolean => method === 'tools/call' && params.name === 'write';
 */
export interface McpRequest {
  readonly method: string;
  /** empty when it has none */
  readonly params: Readonly<Record<string, unknown>>;
}

/**
 * What of an HTTP request decides who sent it.
 * @example const keyOf = (request: Credentials): string | undefined => request.header('x-api-key');
 */
export interface Credentials {
  readonly method: string;
  /** without the query */
  readonly path: string;
  /** the value of a header by its lower-case name */
  header(name: string): string | undefined;
}

/**
 * Decides over HTTP requests before anything of their bodies is read.
 * @example
 * const authorizer: Authorizer = {
 *   authorize: (request) =>
 *     request.header('x-api-key') === 'secret'
 *       ? { principal: 'ada', scopes: [] }
 *       : { status: 401, message: 'give a key' },
 * };
 * createHttpHandler(server, { authorizer });
 */
export interface Authorizer {
  authorize(request: Credentials): Identity | Refusal | Promise<Identity | Refusal>;
  /**
   * The refusal of a message when the identity lacks scopes for any of its requests, which are several in a batch of
   * 2025-03-26 alone; undefined lets all of it pass. The challenge must name the scopes that all of them need, also
   * those that the identity has: with fewer, the client would come back with a token that lacks others.
   */
  permit?(identity: Identity, requests: readonly McpRequest[]): Refusal | undefined;
  /** the public JSON document of a path, such as `/.well-known/oauth-protected-resource/mcp`, or undefined */
  document?(path: string): object | undefined | Promise<object | undefined>;
}

export function isRefusal(outcome: Identity | Refusal): outcome is Refusal {
  return 'status' in outcome;
}

/** The headers that tell a client what to do about a refusal. */
export function refusalHeaders({ status, challenge, retryAfter = RETRY_SECONDS }: Refusal) {
  return {
    ...(challenge !== undefined && { 'WWW-Authenticate': challenge }),
    ...(status === 503 && { 'Retry-After': String(retryAfter) }),
  };
}

/** The requests and notifications of a message or a batch; what else is in it needs no leave. */
export function requestsOf(value: unknown): readonly McpRequest[] {
  const requests: McpRequest[] = [];
  for (const message of Array.isArray(value) ? (value as unknown[]) : [value]) {
    if (!isObject(message) || typeof message.method !== 'string') continue;
    requests.push({ method: message.method, params: isObject(message.params) ? message.params : {} });
  }
  return requests;
}
