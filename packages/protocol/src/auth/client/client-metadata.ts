import { isLoopback, parseUrl } from '../urls.ts';

/**
 * The metadata of a client.
 * @example
 * const options: ClientMetadataOptions = { clientName: 'Example', redirectUris: ['http://127.0.0.1:33418/callback'] };
 */
export interface ClientMetadataOptions {
  /** the name that users read on the consent page */
  clientName: string;
  redirectUris: readonly string[];
  /** the home page of the client */
  clientUri?: string;
  logoUri?: string;
  scopes?: readonly string[];
}

/** Returns the client metadata that both kinds of registration share. */
export function describeClient(options: ClientMetadataOptions): Record<string, unknown> {
  const { clientName, redirectUris, clientUri, logoUri, scopes = [] } = options;
  return {
    client_name: clientName,
    redirect_uris: redirectUris.map(checkRedirectUri),
    ...(clientUri !== undefined && { client_uri: clientUri }),
    ...(logoUri !== undefined && { logo_uri: logoUri }),
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    application_type: applicationType(redirectUris),
  };
}

/**
 * Returns the document to serve as JSON at `url`. The URL is then the client id at every authorization server
 * that supports client metadata documents.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization/client-registration#client-id-metadata-documents
 * @example
 * clientMetadataDocument('https://app.example/client.json', {
 *   clientName: 'Example',
 *   redirectUris: ['http://127.0.0.1:33418/callback'],
 * });
 */
export function clientMetadataDocument(
  url: string,
  options: ClientMetadataOptions & {
    /** the public keys of a client that signs its token requests */
    jwks?: { keys: readonly object[] };
  },
): Readonly<Record<string, unknown>> {
  const { jwks } = options;
  return {
    client_id: checkMetadataUrl(url),
    ...describeClient(options),
    token_endpoint_auth_method: jwks === undefined ? 'none' : 'private_key_jwt',
    ...(jwks !== undefined && { jwks }),
  };
}

/** Returns the URL of a metadata document; throws if it cannot be a client id. */
export function checkMetadataUrl(text: string): string {
  const url = parseUrl(text);
  const plain = url !== undefined && url.username === '' && url.password === '' && url.hash === '';
  if (plain && url.protocol === 'https:' && url.pathname !== '/') return text;
  throw new TypeError('the URL of a client metadata document must be https and have a path');
}

/** Returns a redirect URI; throws if it is not safe. */
export function checkRedirectUri(text: string): string {
  const url = parseUrl(text);
  const safe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url));
  if (safe && url.hash === '') return text;
  throw new TypeError('redirectUri must be https, or http on loopback, and have no fragment');
}

/** Source: https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization/client-registration#application-type-and-redirect-uri-constraints */
function applicationType(redirectUris: readonly string[]): 'native' | 'web' {
  return redirectUris.some((uri) => isLoopback(new URL(uri))) ? 'native' : 'web';
}
