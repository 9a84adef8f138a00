import { newestStatelessRevision } from '../../protocol/revisions.ts';
import { canonicalResource, isConfidential, plainUrl } from '../urls.ts';
import type { Demand } from './challenge.ts';
import { AuthorizationError } from './error.ts';
import { assumeIssuer, findIssuer, type Issuer } from './issuer.ts';
import type { Net } from './net.ts';
import { findResource, type Resource } from './resource.ts';

/** What a token is for, and who issues it. */
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
  /** issuers to choose when the resource lists several; otherwise the first that it lists */
  readonly preferred: readonly string[];
}

/** Finds out who issues tokens for a server, from its resource metadata or, without any, from the server itself. */
export async function discover(net: Net, options: DiscoverOptions): Promise<Target> {
  const { server, demand, revision, preferred } = options;
  if (!isConfidential(server)) {
    throw new AuthorizationError('discovery', 'tokens are sent over https or within this machine only');
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

/** The authorization server with an identifier that an earlier discovery found. */
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
 * A server of revision 2025-03-26 is its own authorization server.
 * Source: https://modelcontextprotocol.io/specification/2025-03-26/basic/authorization#server-metadata-discovery
 */
async function discoverSelf(
  net: Net,
  server: URL,
  headers: Readonly<Record<string, string>>,
): Promise<Target> {
  // nobody wrote the identifier down, so both forms of an origin are it
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
