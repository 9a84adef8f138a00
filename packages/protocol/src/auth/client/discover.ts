import { newestStatelessRevision } from '../../protocol/revisions.ts';
import { canonicalResource, isConfidential, plainUrl } from '../urls.ts';
import type { Demand } from './challenge.ts';
import { AuthorizationError } from './error.ts';
import { assumeIssuer, findIssuer, type Issuer } from './issuer.ts';
import type { Net } from './net.ts';
import { findResource, type Resource } from './resource.ts';

/** The resource that a token is for, and its issuer. */
export interface Target {
  readonly resource: Resource;
  readonly issuer: Issuer;
  /** the server is its own authorization server */
  readonly self: boolean;
}

export interface DiscoverOptions {
  readonly server: URL;
  readonly demand: Pick<Demand, 'metadataUrl'>;
  readonly revision: string | undefined;
  /** issuers to prefer if the resource lists several; otherwise the first is used */
  readonly preferred: readonly string[];
}

/** Finds the issuer of tokens for a server, from its resource metadata or, if it has none, from the server itself. */
export async function discover(net: Net, options: DiscoverOptions): Promise<Target> {
  const { server, demand, revision, preferred } = options;
  if (!isConfidential(server)) {
    throw new AuthorizationError('discovery', 'tokens are sent only over https or within this machine');
  }
  const headers = discoveryHeaders(revision);
  const resource = await findResource(net, server, demand, headers);
  if (resource === undefined) return discoverSelf(net, server, headers);
  const id = preferred.find((issuer) => resource.issuers.includes(issuer)) ?? resource.issuers[0];
  if (id === undefined) {
    throw new AuthorizationError('discovery', `the resource metadata of ${server.origin} names no issuer`);
  }
  return { resource, issuer: await requireIssuer(net, id, server, headers), self: false };
}

/** Returns the authorization server that an earlier discovery found, by its identifier. */
export async function rediscover(net: Net, server: URL, id: string, self: boolean): Promise<Issuer> {
  const headers = discoveryHeaders(undefined);
  if (self) return (await discoverSelf(net, server, headers)).issuer;
  return requireIssuer(net, id, server, headers);
}

async function requireIssuer(
  net: Net,
  id: string,
  server: URL,
  headers: Readonly<Record<string, string>>,
): Promise<Issuer> {
  const issuer = await findIssuer(net, id, server, headers);
  if (issuer !== undefined) return issuer;
  throw new AuthorizationError('discovery', `the issuer ${plainUrl(new URL(id))} has no metadata`);
}

/**
 * Finds the authorization server of a server of revision 2025-03-26, which is the server itself.
 * Source: https://modelcontextprotocol.io/specification/2025-03-26/basic/authorization#server-metadata-discovery
 */
async function discoverSelf(
  net: Net,
  server: URL,
  headers: Readonly<Record<string, string>>,
): Promise<Target> {
  // no configured identifier has to match, so both spellings of an origin are accepted
  const found = await findIssuer(net, server.origin, server, headers, [`${server.origin}/`]);
  const issuer = found ?? assumeIssuer(server);
  const resource = {
    id: canonicalResource(server),
    issuers: [issuer.id],
    scopes: undefined,
    dpopOnly: false,
  };
  return { resource, issuer, self: true };
}

function discoveryHeaders(revision: string | undefined): Readonly<Record<string, string>> {
  return { 'MCP-Protocol-Version': revision ?? newestStatelessRevision };
}
