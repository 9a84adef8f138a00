import { canonicalResource, secureUrl } from '../urls.ts';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** The names of a server in tokens and metadata, and the location of its metadata. */
export interface Resource {
  /** the canonical URI */
  readonly uri: string;
  /** URL of the metadata in challenges */
  readonly metadataUrl: string;
  /** paths that serve the metadata */
  readonly metadataPaths: ReadonlySet<string>;
}

/**
 * Returns the names for the public URL of a server.
 * Source: https://www.rfc-editor.org/rfc/rfc9728#section-3
 */
export function namesOfResource(url: string | URL): Resource {
  const server = secureUrl('resource', url);
  if (server.search !== '') throw new TypeError('resource must not have a query');
  const uri = canonicalResource(server);
  const path = uri.slice(server.origin.length);
  return Object.freeze({
    uri,
    metadataUrl: `${server.origin}${WELL_KNOWN}${path}`,
    metadataPaths: new Set([WELL_KNOWN, WELL_KNOWN + path]),
  });
}
