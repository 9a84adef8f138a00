import { covers, plainUrl } from '../urls.ts';
import { allowedUrl } from './allowed-url.ts';
import type { Demand } from './challenge.ts';
import { AuthorizationError } from './error.ts';
import { readFields } from './fields.ts';
import type { Net } from './net.ts';
import { getJson } from './requests.ts';

/** The OAuth metadata of a server. */
export interface Resource {
  /** the identifier, exactly as published */
  readonly id: string;
  /** the authorization servers that issue tokens for it */
  readonly issuers: readonly string[];
  readonly scopes: readonly string[] | undefined;
  /** only bound tokens are accepted */
  readonly dpopOnly: boolean;
}

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/**
 * Returns the resource metadata of a server; undefined if it has none.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#protected-resource-metadata-discovery-requirements
 */
export async function findResource(
  net: Net,
  server: URL,
  demand: Pick<Demand, 'metadataUrl'>,
  headers: Readonly<Record<string, string>>,
): Promise<Resource | undefined> {
  if (demand.metadataUrl !== undefined) {
    const url = allowedUrl(net, demand.metadataUrl, server, 'resource_metadata');
    const found = await readResource(net, url, server, headers);
    if (found !== undefined) return found;
    throw new AuthorizationError('discovery', `there is no resource metadata at ${plainUrl(url)}`);
  }
  for (const url of wellKnownUrls(server)) {
    const found = await readResource(net, url, server, headers);
    if (found !== undefined) return found;
  }
  return undefined;
}

function wellKnownUrls(server: URL): readonly URL[] {
  const atRoot = new URL(WELL_KNOWN, server);
  return server.pathname === '/' ? [atRoot] : [new URL(`${WELL_KNOWN}${server.pathname}`, server), atRoot];
}

async function readResource(
  net: Net,
  url: URL,
  server: URL,
  headers: Readonly<Record<string, string>>,
): Promise<Resource | undefined> {
  const { status, body } = await getJson(net, url, server, headers);
  if (status >= 500) {
    throw new AuthorizationError(
      'discovery',
      `${plainUrl(url)} answered ${status} instead of resource metadata`,
    );
  }
  if (status !== 200 || body === undefined) return undefined;
  const fields = readFields(body, `the resource metadata of ${server.origin}`, 'discovery');
  const id = fields.requiredText('resource');
  if (!covers(id, server)) {
    throw new AuthorizationError(
      'discovery',
      `the resource metadata of ${server.origin} belongs to another resource`,
    );
  }
  return {
    id,
    issuers: fields.texts('authorization_servers') ?? [],
    scopes: fields.texts('scopes_supported'),
    dpopOnly: fields.flag('dpop_bound_access_tokens_required'),
  };
}
