import type { Authorizer, Identity, Refusal } from '../authorizer.ts';
import { fetchIssuerMetadata } from '../issuer-metadata.ts';
import { type BearerOptions, bearerRules } from './bearer-options.ts';
import { type BearerError, refuse } from './challenge.ts';
import { type Claims, judgeClaims } from './claims.ts';
import { saysInvalid } from './jose-errors.ts';
import { readBearer } from './presented.ts';
import { Remembered } from './remembered.ts';
import { checkedScopes } from './scopes.ts';
import { TokenCache } from './token-cache.ts';
import { withinTime } from './within-time.ts';

const LEGACY_PATH = '/.well-known/oauth-authorization-server';
const MIRROR_TIMES = { fresh: 600_000, failed: 10_000 };

/**
 * An authorizer that takes OAuth access tokens from the `Authorization` header and publishes where clients get them.
 * Issuer, audience, expiry and scopes are checked here, whatever `verify` looks at.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#access-token-usage
 *
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
      if (!saysInvalid(failure)) return unavailable(failure, token);
    }
    if (claims === undefined) return refusal('the access token is not valid', 'invalid_token');
    const identity = judgeClaims(claims, rules, Date.now() / 1000);
    if (typeof identity === 'string') return refusal(identity, 'invalid_token');
    cache.add(token, identity, ((identity.expiresAt ?? 0) + rules.clockSkew) * 1000);
    return admit(identity);
  }

  // 401 would make every client throw away a good token and send its user to log in
  function unavailable(failure: unknown, token: string): Refusal {
    rules.onError(`an access token could not be checked: ${oneLine(failure).replaceAll(token, '(token)')}`);
    return { status: 503, message: 'access tokens cannot be checked now; try again later' };
  }

  function legacySource(): () => object | undefined | Promise<object | undefined> {
    const { mirrored, legacyDocument } = rules;
    if (mirrored === undefined) return () => legacyDocument;
    const mirror = new Remembered(() => fetchIssuerMetadata(mirrored, rules.fetch), MIRROR_TIMES);
    return () =>
      mirror.get().catch((failure: unknown) => {
        rules.onError(oneLine(failure));
        return undefined;
      });
  }

  return {
    authorize(request) {
      const presented = readBearer(request.header('authorization'));
      if (presented.kind === 'nothing') return refusal('an access token is needed');
      if (presented.kind === 'malformed') return refusal(presented.why, 'invalid_request');
      const known = cache.get(presented.token);
      return known === undefined ? check(presented.token) : admit(known);
    },
    permit(identity, requests) {
      if (scopesFor === undefined) return undefined;
      const needed = requests.flatMap(({ method, params }) => scopesFor(method, params) ?? []);
      if (!missesAny(identity, needed)) return undefined;
      // all that the requests need at once, so that the client asks its user once
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

/** What failed and why, over all causes. */
function oneLine(failure: unknown): string {
  const reasons: string[] = [];
  for (let at = failure; at instanceof Error && reasons.length < 4; at = at.cause) {
    reasons.push(at.message);
  }
  return (reasons.join(': ') || 'no reason given').replace(/\s+/g, ' ');
}
