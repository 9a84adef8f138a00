import { hash } from 'node:crypto';
import type { Identity } from '../authorizer.ts';
import { type ScopeHierarchy, withImplied } from './scopes.ts';

/**
 * The claims of a token, from a JWT or an introspection response.
 * @example
 * const claims: Claims = {
 *   iss: 'https://login.example.com',
 *   aud: 'https://mcp.example.com/mcp',
 *   exp: 4_000_000_000,
 *   scope: 'files:read',
 * };
 */
export interface Claims {
  /** the authorization server */
  readonly iss: string;
  /** the servers that accept the token */
  readonly aud: string | readonly string[];
  /** seconds since 1970 */
  readonly exp: number;
  readonly nbf?: number;
  /** the user */
  readonly sub?: string;
  readonly client_id?: string;
  /** separated by spaces, or a list */
  readonly scope?: string | readonly string[];
  readonly [claim: string]: unknown;
}

/** The requirements of this server for the claims of a token. */
export interface ClaimRules {
  readonly issuers: readonly string[];
  /** in the form of `audienceName` */
  readonly audiences: readonly string[];
  /** accepted difference of clocks in seconds */
  readonly clockSkew: number;
  readonly scopeImplies: ScopeHierarchy;
}

/** Returns the identity of valid claims, or one line with the reason why they are refused. */
export function checkClaims(
  claims: Readonly<Record<string, unknown>>,
  rules: ClaimRules,
  now: number,
): Identity | string {
  const { iss, exp, nbf } = claims;
  if (typeof iss !== 'string' || !rules.issuers.includes(iss)) {
    return 'the access token is from an authorization server that is not trusted here';
  }
  if (!strings(claims.aud).some((name) => rules.audiences.includes(audienceName(name)))) {
    return 'the access token is not for this server';
  }
  if (typeof exp !== 'number' || !Number.isFinite(exp)) {
    return 'the access token has no expiry';
  }
  if (exp + rules.clockSkew <= now) return 'the access token has expired';
  if (nbf !== undefined && !(typeof nbf === 'number' && nbf - rules.clockSkew <= now)) {
    return 'the access token is not valid yet';
  }
  if (claims.cnf !== undefined) {
    return 'the access token is bound to a key, and this server does not check proofs';
  }
  // introspection responses have it: RFC 7662 section 2.2
  if (claims.active === false) return 'the access token is not active';
  const subject = text(claims.sub);
  // RFC 9068, OpenID Connect, Okta, Entra
  const clientId = text(claims.client_id) ?? text(claims.azp) ?? text(claims.cid) ?? text(claims.appid);
  if (subject === undefined && clientId === undefined)
    return 'the access token names neither a user nor a client';
  return Object.freeze({
    principal: principalOf(iss, subject, clientId),
    scopes: withImplied([...words(claims.scope), ...words(claims.scp)], rules.scopeImplies),
    expiresAt: exp,
    ...(subject !== undefined && { subject }),
    ...(clientId !== undefined && { clientId }),
  });
}

/**
 * Returns a short text that is the same for every token of one user and client at one authorization server,
 * and for no others.
 */
export function principalOf(
  issuer: string,
  subject: string | undefined,
  clientId: string | undefined,
): string {
  return hash('sha256', JSON.stringify([issuer, subject ?? null, clientId ?? null]), 'base64url');
}

/** Returns a normalised audience; a text that is not a URL is not changed. */
export function audienceName(audience: string): string {
  // parsing lower-cases scheme and host and adds the slash after a bare host
  return URL.canParse(audience) ? new URL(audience).href : audience;
}

function strings(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((item) => typeof item === 'string');
}

function words(value: unknown): readonly string[] {
  return strings(value).flatMap((item) => item.split(/\s+/).filter((word) => word !== ''));
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
