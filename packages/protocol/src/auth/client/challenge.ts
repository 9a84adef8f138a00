import type { ChallengedResponse } from '../client-auth.ts';
import { readScopes } from './scopes.ts';

/** The parts of a server's `WWW-Authenticate` header that are used. */
export interface Demand {
  readonly error: string | undefined;
  /** the scopes that the request requires */
  readonly scopes: readonly string[] | undefined;
  /** the URL of the resource metadata */
  readonly metadataUrl: string | undefined;
  /** true if DPoP-bound tokens are accepted */
  readonly dpop: boolean;
}

interface Challenge {
  readonly scheme: string;
  readonly params: ReadonlyMap<string, string>;
}

const HEADER_LIMIT = 16 * 1024;

/**
 * Returns the requirements of a refused request.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#protected-resource-metadata-discovery-requirements
 */
export function readDemand(response: Pick<ChallengedResponse, 'header'>): Demand {
  const challenges = parseChallenges(response.header('www-authenticate') ?? '').filter(
    ({ scheme }) => scheme === 'bearer' || scheme === 'dpop',
  );
  const param = (name: string): string | undefined =>
    challenges.map(({ params }) => params.get(name)).find((value) => value !== undefined && value !== '');
  const scope = param('scope');
  return {
    error: param('error'),
    scopes: scope === undefined ? undefined : readScopes(scope),
    metadataUrl: param('resource_metadata'),
    dpop: challenges.some(({ scheme }) => scheme === 'dpop'),
  };
}

/**
 * Returns the challenges of a `WWW-Authenticate` header, in lower case except for the values; stops at a
 * malformed one.
 */
export function parseChallenges(header: string): Challenge[] {
  const pattern = /[\s,]*([\w!#$%&'*+.^`|~/-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*)))?/gy;
  const challenges: { scheme: string; params: Map<string, string> }[] = [];
  for (const [, word = '', quoted, plain] of header.slice(0, HEADER_LIMIT).matchAll(pattern)) {
    const value = quoted === undefined ? plain : quoted.replace(/\\(.)/g, '$1');
    const params = challenges.at(-1)?.params;
    if (value === undefined) challenges.push({ scheme: word.toLowerCase(), params: new Map() });
    else if (params?.has(word.toLowerCase()) === false) params.set(word.toLowerCase(), value);
  }
  return challenges;
}
