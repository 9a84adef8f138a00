import type { Fetch } from '../fetch-json.ts';
import { secureUrl } from '../urls.ts';
import { audienceName, type ClaimRules, type Claims } from './claims.ts';
import { namesOfResource, type Resource } from './resource.ts';
import { checkedScopes, type ScopeHierarchy } from './scopes.ts';

/**
 * Returns the claims of a genuine token, or undefined for any other; `bearer` checks the claims. Throws if it
 * cannot check the token, for example because another server is down.
 * @example
 * const verify: Verify = async (token) =>
 *   token === 'known'
 *     ? { iss: 'https://login.example.com', aud: 'https://mcp.example.com/mcp', exp: 4_000_000_000, sub: 'ada' }
 *     : undefined;
 */
export type Verify = (token: string, signal: AbortSignal) => Claims | undefined | Promise<Claims | undefined>;

/**
 * Options of an authorizer for access tokens.
 * @example
 * const issuer = 'https://login.example.com';
 * const options: BearerOptions = {
 *   verify: jwks({ issuer }),
 *   resource: 'https://mcp.example.com/mcp',
 *   authorizationServers: [issuer],
 * };
 */
export interface BearerOptions {
  verify: Verify;
  /** URL at which clients reach this server, such as `https://mcp.example.com/mcp` */
  resource: string | URL;
  /** issuers of tokens; clients are sent there */
  authorizationServers: readonly string[];
  /** accepted values of `iss`, if they differ from `authorizationServers` */
  issuers?: readonly string[];
  /** accepted values of `aud` instead of `resource`; one in the token is enough */
  audience?: string | readonly string[];
  /** scopes that every request requires */
  scopes?: readonly string[];
  /** scopes in the metadata; default `scopes` */
  scopesSupported?: readonly string[];
  /** returns the scopes that one MCP request requires in addition to `scopes` */
  scopesFor?(method: string, params: Readonly<Record<string, unknown>>): readonly string[] | undefined;
  /** broader scopes with the narrower ones that they include */
  scopeImplies?: ScopeHierarchy;
  /** further members of the metadata, such as `resource_name` */
  metadata?: Readonly<Record<string, unknown>>;
  /**
   * the document at `/.well-known/oauth-authorization-server` for clients of 2025-03-26, which look for the
   * authorization server there: `mirror` serves the metadata of the first of `authorizationServers`
   */
  legacyMetadata?: 'mirror' | Readonly<Record<string, unknown>>;
  /** accepted difference of clocks in seconds; default 30 */
  clockSkew?: number;
  /** seconds for which a token is not verified again; a revoked token works that much longer. Default 60 */
  cacheSeconds?: number;
  /** maximum number of cached tokens; default 1,000 */
  cacheSize?: number;
  /** timeout of `verify` in milliseconds; default 10,000 */
  verifyTimeout?: number;
  fetch?: Fetch;
  /** called with one line, without the token, when a token could not be checked */
  onError?(message: string): void;
}

/** Bearer options, checked and with defaults. */
export interface BearerRules extends ClaimRules {
  readonly verify: Verify;
  readonly verifyTimeout: number;
  readonly resource: Resource;
  readonly scopes: readonly string[];
  readonly scopesFor: NonNullable<BearerOptions['scopesFor']> | undefined;
  /** the protected resource metadata */
  readonly document: Readonly<Record<string, unknown>>;
  readonly mirrored: string | undefined;
  readonly legacyDocument: Readonly<Record<string, unknown>> | undefined;
  readonly cache: { readonly size: number; readonly seconds: number };
  readonly fetch: Fetch | undefined;
  readonly onError: (message: string) => void;
}

export function bearerRules(options: BearerOptions): BearerRules {
  const { authorizationServers, audience, legacyMetadata } = options;
  const [first] = authorizationServers;
  if (first === undefined) throw new TypeError('authorizationServers must name at least one');
  for (const server of authorizationServers) secureUrl('an authorization server', server);
  const resource = namesOfResource(options.resource);
  const scopes = checkedScopes('scopes', options.scopes ?? []);
  const audiences = audience === undefined ? [resource.uri] : [audience].flat();
  if (audiences.length === 0) throw new TypeError('audience must name at least one');
  const mirrored = legacyMetadata === 'mirror';
  return Object.freeze({
    verify: options.verify,
    verifyTimeout: options.verifyTimeout ?? 10_000,
    resource,
    issuers: [...(options.issuers ?? authorizationServers)],
    audiences: audiences.map(audienceName),
    clockSkew: options.clockSkew ?? 30,
    scopes,
    scopesFor: options.scopesFor?.bind(options),
    scopeImplies: options.scopeImplies ?? {},
    document: metadataDocument(options, resource, scopes),
    mirrored: mirrored ? first : undefined,
    legacyDocument: mirrored ? undefined : legacyMetadata,
    cache: { size: options.cacheSize ?? 1_000, seconds: options.cacheSeconds ?? 60 },
    fetch: options.fetch,
    onError: options.onError?.bind(options) ?? (() => {}),
  });
}

/** Source: https://www.rfc-editor.org/rfc/rfc9728#section-2 */
function metadataDocument(
  { metadata, authorizationServers, scopesSupported }: BearerOptions,
  resource: Resource,
  scopes: readonly string[],
): Readonly<Record<string, unknown>> {
  const supported =
    scopesSupported === undefined ? scopes : checkedScopes('scopesSupported', scopesSupported);
  return Object.freeze({
    ...metadata,
    resource: resource.uri,
    authorization_servers: [...authorizationServers],
    ...(supported.length > 0 && { scopes_supported: supported }),
    bearer_methods_supported: ['header'],
  });
}
