import { accessSync, constants } from 'node:fs';
import type { Authorizer } from '../authorizer.ts';
import { isWebUrl, secureUrl } from '../urls.ts';
import { bearer } from './bearer.ts';
import type { BearerOptions } from './bearer-options.ts';
import { jwks } from './jwks.ts';
import { checkedScopes } from './scopes.ts';

/**
 * Values of `--auth-issuer`, `--auth-audience`, `--auth-jwks` and `--auth-scopes`, as the command line has them.
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
 * What flags cannot say.
 * @example
 * const context: FlagsContext = { url: 'http://127.0.0.1:3000/mcp', onError: (message) => console.error(message) };
 */
export interface FlagsContext extends Pick<BearerOptions, 'fetch' | 'onError'> {
  /** URL at which this server listens: its name in metadata when the audience is not a URL */
  url?: string | URL;
}

/**
 * The authorizer that an operator's flags ask for, or undefined when there are none; throws one line with the fix.
 * Keys come from the issuer's metadata unless `--auth-jwks` says where they are.
 *
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
    throw new TypeError('--auth-audience is missing; give the URL of this server as clients reach it');
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

/** The location of keys, where it is a file only if it can be read now. */
function keysAt(location: string): string | URL {
  if (isWebUrl(location)) return secureUrl('--auth-jwks', location);
  try {
    accessSync(location, constants.R_OK);
  } catch (cause) {
    throw new TypeError('--auth-jwks is neither a URL nor a file that can be read', { cause });
  }
  return location;
}
