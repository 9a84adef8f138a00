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
  /** one line for the body */
  readonly message: string;
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
  /** the refusal of one MCP request for which the identity lacks scopes; undefined lets it pass */
  permit?(identity: Identity, method: string, params: Readonly<Record<string, unknown>>): Refusal | undefined;
  /** the public JSON document of a path, such as `/.well-known/oauth-protected-resource/mcp`, or undefined */
  document?(path: string): object | undefined | Promise<object | undefined>;
}

export function isRefusal(outcome: Identity | Refusal): outcome is Refusal {
  return 'status' in outcome;
}
