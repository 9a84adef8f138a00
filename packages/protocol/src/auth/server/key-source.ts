import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Fetch, fetchJson } from '../fetch-json.ts';
import { fetchIssuerMetadata } from '../issuer-metadata.ts';
import { isWebUrl, secureUrl } from '../urls.ts';
import { Remembered } from './remembered.ts';

/**
 * A JSON Web Key Set, or the URL or file that holds one.
 * @example
 * const keys: KeyLocation = { keys: [{ kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }] };
 */
export type KeyLocation = string | URL | { readonly keys: readonly object[] };

/** Milliseconds for which a source that failed is not asked again. */
const FAILED_MS = 5_000;
const METADATA_TIMES = { fresh: 600_000, failed: FAILED_MS };

/** Reads the key set of an authorization server anew; without a location, from where its metadata says. */
export function keySource(
  issuer: string,
  location: string | URL | undefined,
  fetch?: Fetch,
): () => Promise<unknown> {
  const load = location === undefined ? discovered(issuer, fetch) : located(location, fetch);
  const remembered = new Remembered(load, { fresh: 0, failed: FAILED_MS });
  return () => remembered.get();
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
  const metadata = new Remembered(() => fetchIssuerMetadata(issuer, fetch), METADATA_TIMES);
  return async () => {
    const { jwks_uri: uri } = await metadata.get();
    if (typeof uri !== 'string') throw new Error(`the metadata of ${issuer} has no jwks_uri; give jwks`);
    return fetchJson(secureUrl('the jwks_uri of the authorization server', uri), fetch);
  };
}
