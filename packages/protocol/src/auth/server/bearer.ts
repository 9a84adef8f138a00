import type { Authorizer, Identity, Refusal } from '../authorizer.ts';
import { fetchIssuerMetadata } from '../issuer-metadata.ts';
import { readBearer } from './authorization-header.ts';
import { type BearerOptions, bearerRules } from './bearer-options.ts';
import { CachedResult } from './cached-result.ts';
import { type BearerError, refuse } from './challenge.ts';
import { type Claims, checkClaims } from './claims.ts';
import { isInvalidToken } from './jose-errors.ts';
import { checkedScopes } from './scopes.ts';
import { TokenCache } from './token-cache.ts';
import { withinTime } from './within-time.ts';

const LEGACY_PATH = '/.well-known/oauth-authorization-server';
const MIRROR_TIMES = { fresh: 600_000, failed: 10_000 };

/**
 * Returns an authorizer for OAuth access tokens in the `Authorization` header; it also publishes where
 * clients get them. Issuer, audience, expiry and scopes are checked here, whatever `verify` checks.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#access-token-usage
 * @example
 * const issuer = 'https://login.example.com';
 * const auth = bearer({
 *   verify: jwks({ issuer }),
 *   resource: 'https://mcp.example.com/mcp',
 *   authorizationServers: [issuer],
 *   scopes: ['files:read'],
 * });
 */
export function bearer(options: BearerOptions): Authorizer {
  const rules = bearerRules(options);
  const { resource, scopes, scopesFor } = rules;
  const cache = new TokenCache(rules.cache);
  const legacy = legacySource();

  function refusal(description: string, error?: BearerError, needed = scopes): Refusal {
    const parts = { metadata: resource.metadataUrl, scopes: needed, description };
    return refuse(error === undefined ? parts : { ...parts, error });
  }

  function admit(identity: Identity): Identity | Refusal {
    return missesAny(identity, scopes)
      ? refusal('the access token lacks a scope', 'insufficient_scope')
      : identity;
  }

  async function check(token: string): Promise<Identity | Refusal> {
    let claims: Claims | undefined;
    try {
      claims = (await withinTime(rules.verifyTimeout, (signal) => rules.verify(token, signal))) ?? undefined;
    } catch (failure) {
      if (!isInvalidToken(failure)) return unavailable(failure, token);
    }
    if (claims === undefined) return refusal('the access token is invalid', 'invalid_token');
    const identity = checkClaims(claims, rules, Date.now() / 1000);
    if (typeof identity === 'string') return refusal(identity, 'invalid_token');
    cache.add(token, identity, ((identity.expiresAt ?? 0) + rules.clockSkew) * 1000);
    return admit(identity);
  }

  // a 401 would make clients discard a valid token and send their users to log in
  function unavailable(failure: unknown, token: string): Refusal {
    rules.onError(`an access token could not be checked: ${oneLine(failure).replaceAll(token, '(token)')}`);
    return { status: 503, message: 'access tokens cannot be checked now; try again later' };
  }

  function legacySource(): () => object | undefined | Promise<object | undefined> {
    const { mirrored, legacyDocument } = rules;
    if (mirrored === undefined) return () => legacyDocument;
    const mirror = new CachedResult(() => fetchIssuerMetadata(mirrored, rules.fetch), MIRROR_TIMES);
    return () =>
      mirror.get().catch((failure: unknown) => {
        rules.onError(oneLine(failure));
        return undefined;
      });
  }

  return {
    authorize(request) {
      const bearerToken = readBearer(request.header('authorization'));
      if (bearerToken.kind === 'nothing') return refusal('an access token is required');
      if (bearerToken.kind === 'malformed') return refusal(bearerToken.why, 'invalid_request');
      const known = cache.get(bearerToken.token);
      return known === undefined ? check(bearerToken.token) : admit(known);
    },
    permit(identity, requests) {
      if (scopesFor === undefined) return undefined;
      const needed = requests.flatMap(({ method, params }) => scopesFor(method, params) ?? []);
      if (!missesAny(identity, needed)) return undefined;
      // all scopes of the requests at once, so that the client asks its user once
      const all = checkedScopes('scopesFor', [...scopes, ...needed]);
      return refusal('the access token lacks a scope for this request', 'insufficient_scope', all);
    },
    document(path) {
      if (resource.metadataPaths.has(path)) return rules.document;
      return path === LEGACY_PATH ? legacy() : undefined;
    },
  };
}

function missesAny(identity: Identity, scopes: readonly string[]): boolean {
  return scopes.some((scope) => !identity.scopes.includes(scope));
}

/** Returns the message of a failure and of all its causes. */
function oneLine(failure: unknown): string {
  const reasons: string[] = [];
  for (let at = failure; at instanceof Error && reasons.length < 4; at = at.cause) {
    reasons.push(at.message);
  }
  return (reasons.join(': ') || 'no reason given').replace(/\s+/g, ' ');
}
