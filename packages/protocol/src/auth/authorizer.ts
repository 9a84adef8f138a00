import { isObject } from '../jsonrpc/message.ts';

const RETRY_SECONDS = 5;

/**
 * The sender of a request, from a verified token.
 * @example const ada: Identity = { principal: 'ada', scopes: ['files:read'] };
 */
export interface Identity {
  /** the owner of sessions, handles and subscriptions; the same for every token of one user and client */
  readonly principal: string;
  readonly scopes: readonly string[];
  /** the user's identifier at the authorization server */
  readonly subject?: string;
  readonly clientId?: string;
  /** seconds since 1970 after which the token is invalid */
  readonly expiresAt?: number;
}

/**
 * The response to a request that is refused.
 * @example const refusal: Refusal = { status: 401, challenge: 'Bearer', message: 'sign in first' };
 */
export interface Refusal {
  /** 503 if the credentials cannot be checked now */
  readonly status: 400 | 401 | 403 | 503;
  /** value of the `WWW-Authenticate` header; none with 503 */
  readonly challenge?: string;
  /** seconds after which to try again, sent only with 503; default 5, the time for which `jwks` caches a failure */
  readonly retryAfter?: number;
  /** one line for the body */
  readonly message: string;
}

/**
 * A request or notification; scopes may depend on it.
 * @example const writes = ({ method, params }: McpRequest): boolean => method === 'tools/call' && params.name === 'write';
 */
export interface McpRequest {
  readonly method: string;
  /** empty if it has none */
  readonly params: Readonly<Record<string, unknown>>;
}

/**
 * The parts of an HTTP request that authentication uses.
 * @example const keyOf = (request: Credentials): string | undefined => request.header('x-api-key');
 */
export interface Credentials {
  readonly method: string;
  /** without the query */
  readonly path: string;
  /** returns a header by its lower-case name */
  header(name: string): string | undefined;
}

/**
 * Authorizes HTTP requests before their bodies are read.
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
   * Returns the refusal of a message if the identity lacks scopes for one of its requests (several in a batch
   * of 2025-03-26), or undefined. The challenge must list all scopes of all requests, also those that the
   * identity has: otherwise the client's next token lacks them.
   */
  permit?(identity: Identity, requests: readonly McpRequest[]): Refusal | undefined;
  /** returns the public JSON document at a path, such as `/.well-known/oauth-protected-resource/mcp`, or undefined */
  document?(path: string): object | undefined | Promise<object | undefined>;
}

export function isRefusal(outcome: Identity | Refusal): outcome is Refusal {
  return 'status' in outcome;
}

/** Returns the headers of a refusal. */
export function refusalHeaders({ status, challenge, retryAfter = RETRY_SECONDS }: Refusal) {
  return {
    ...(challenge !== undefined && { 'WWW-Authenticate': challenge }),
    ...(status === 503 && { 'Retry-After': String(retryAfter) }),
  };
}

/** Returns the requests and notifications of a message or a batch; responses need no scopes. */
export function requestsOf(value: unknown): readonly McpRequest[] {
  const requests: McpRequest[] = [];
  // isArray narrows unknown to any[]
  for (const message of Array.isArray(value) ? (value as unknown[]) : [value]) {
    if (!isObject(message) || typeof message.method !== 'string') continue;
    requests.push({ method: message.method, params: isObject(message.params) ? message.params : {} });
  }
  return requests;
}
