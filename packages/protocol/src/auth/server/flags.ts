import { accessSync, constants } from 'node:fs';
import type { Authorizer } from '../authorizer.ts';
import { isWebUrl, secureUrl } from '../urls.ts';
import { bearer } from './bearer.ts';
import type { BearerOptions } from './bearer-options.ts';
import { jwks } from './jwks.ts';
import { checkedScopes } from './scopes.ts';

/**
 * The command-line values of `--auth-issuer`, `--auth-audience`, `--auth-jwks` and `--auth-scopes`.
 * @example
 * const flags: AuthFlags = { issuer: 'https://login.example.com', audience: 'https://mcp.example.com/mcp' };
 */
export interface AuthFlags {
  issuer?: string | undefined;
  audience?: string | undefined;
  /** a file or a URL */
  jwks?: string | undefined;
  scopes?: readonly string[] | undefined;
}

/**
 * Options that have no flag.
 * @example
 * const context: FlagsContext = { url: 'http://127.0.0.1:3000/mcp', onError: (message) => console.error(message) };
 */
export interface FlagsContext extends Pick<BearerOptions, 'fetch' | 'onError'> {
  /** URL at which this server listens: its resource URI if the audience is not a URL */
  url?: string | URL;
}

/**
 * Returns the authorizer that the flags configure, or undefined without flags; throws one line with the fix.
 * Keys come from the issuer's metadata unless `--auth-jwks` is set.
 * @example
 * const issuer = 'https://login.example.com';
 * const authorizer = authFromFlags({ issuer, audience: 'https://mcp.example.com/mcp' });
 */
export function authFromFlags(flags: AuthFlags, context: FlagsContext = {}): Authorizer | undefined {
  const { issuer, audience, jwks: location, scopes = [] } = flags;
  const { url, ...common } = context;
  if (issuer === undefined && audience === undefined && location === undefined && scopes.length === 0) {
    return undefined;
  }
  if (issuer === undefined)
    throw new TypeError('--auth-issuer is missing; give the URL of the authorization server');
  if (audience === undefined) {
    throw new TypeError('--auth-audience is missing; give the public URL of this server');
  }
  const resource = isWebUrl(audience) ? secureUrl('--auth-audience', audience) : url;
  if (resource === undefined) throw new TypeError('--auth-audience must be the URL of this server');
  secureUrl('--auth-issuer', issuer);
  const keys = location === undefined ? {} : { jwks: keysAt(location) };
  return bearer({
    ...common,
    verify: jwks({ ...common, ...keys, issuer }),
    resource,
    audience,
    authorizationServers: [issuer],
    scopes: checkedScopes('--auth-scopes', scopes),
    legacyMetadata: 'mirror',
  });
}

/** Returns the location of keys; a file must be readable now. */
function keysAt(location: string): string | URL {
  if (isWebUrl(location)) return secureUrl('--auth-jwks', location);
  try {
    accessSync(location, constants.R_OK);
  } catch (cause) {
    throw new TypeError('--auth-jwks is neither a URL nor a readable file', { cause });
  }
  return location;
}
