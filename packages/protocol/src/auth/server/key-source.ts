import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Fetch, fetchJson } from '../fetch-json.ts';
import { fetchIssuerMetadata } from '../issuer-metadata.ts';
import { isWebUrl, secureUrl } from '../urls.ts';
import { CachedResult } from './cached-result.ts';

/**
 * A JSON Web Key Set, or its URL or file.
 * @example
 * const keys: KeyLocation = { keys: [{ kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }] };
 */
export type KeyLocation = string | URL | { readonly keys: readonly object[] };

/** The time for which a failed source is not read again, in milliseconds. */
const FAILED_MS = 5_000;
const METADATA_TIMES = { fresh: 600_000, failed: FAILED_MS };

/** Returns a function that reads the key set of an authorization server; without a location, from its metadata. */
export function keySource(
  issuer: string,
  location: string | URL | undefined,
  fetch?: Fetch,
): () => Promise<unknown> {
  const load = location === undefined ? discovered(issuer, fetch) : located(location, fetch);
  const cached = new CachedResult(load, { fresh: 0, failed: FAILED_MS });
  return () => cached.get();
}

function located(location: string | URL, fetch?: Fetch): () => Promise<unknown> {
  if (isWebUrl(String(location))) {
    const url = secureUrl('jwks', location);
    return () => fetchJson(url, fetch);
  }
  const path = /^file:/i.test(String(location)) ? fileURLToPath(location) : String(location);
  return async () => {
    const text = await readFile(path, 'utf8');
    try {
      return JSON.parse(text);
    } catch (cause) {
      throw new Error(`${path} is not JSON`, { cause });
    }
  };
}

function discovered(issuer: string, fetch?: Fetch): () => Promise<unknown> {
  secureUrl('issuer', issuer);
  const metadata = new CachedResult(() => fetchIssuerMetadata(issuer, fetch), METADATA_TIMES);
  return async () => {
    const { jwks_uri: uri } = await metadata.get();
    if (typeof uri !== 'string') throw new Error(`the metadata of ${issuer} has no jwks_uri; set jwks`);
    return fetchJson(secureUrl('the jwks_uri of the authorization server', uri), fetch);
  };
}
