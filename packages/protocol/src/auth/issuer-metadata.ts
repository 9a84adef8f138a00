import { type Fetch, fetchJson } from './fetch-json.ts';
import { secureUrl } from './urls.ts';

/** The metadata document of an authorization server. */
export type IssuerMetadata = Readonly<Record<string, unknown>> & { readonly issuer: string };

/** Returns the metadata of an authorization server, from the first of its well-known URLs that has it. */
export async function fetchIssuerMetadata(issuer: string, fetch?: Fetch): Promise<IssuerMetadata> {
  const failures: unknown[] = [];
  for (const url of metadataUrls(issuer)) {
    try {
      return checkedMetadata(issuer, await fetchJson(url, fetch));
    } catch (failure) {
      // the next URL may have it; if none has, the last failure is reported
      failures.push(failure);
    }
  }
  throw new Error(`no metadata of the authorization server ${issuer} was found`, { cause: failures.at(-1) });
}

/**
 * Returns the well-known URLs of an authorization server's metadata, in the order in which to try them.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization/authorization-server-discovery#authorization-server-metadata-discovery
 */
function metadataUrls(issuer: string): readonly URL[] {
  const { origin, pathname } = secureUrl('the issuer', issuer);
  const path = pathname.replace(/\/$/, '');
  const places = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'];
  const urls = places.map((place) => new URL(`${origin}${place}${path}`));
  return path === '' ? urls : [...urls, new URL(`${origin}${path}/.well-known/openid-configuration`)];
}

// RFC 8414 section 3.3: metadata that names another issuer must not be used
function checkedMetadata(issuer: string, document: unknown): IssuerMetadata {
  if (typeof document !== 'object' || document === null || !('issuer' in document)) {
    throw new Error(`the metadata of the authorization server ${issuer} names no issuer`);
  }
  if (document.issuer !== issuer) {
    throw new Error(`the metadata of the authorization server ${issuer} names another issuer`);
  }
  return { ...document, issuer };
}
