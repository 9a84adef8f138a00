import { parseUrl, plainUrl } from '../urls.ts';
import { allowedUrl, needsLookup } from './allowed-url.ts';
import { AuthorizationError } from './error.ts';
import { readFields } from './fields.ts';
import type { Net } from './net.ts';
import { getJson } from './requests.ts';

/** An authorization server, from its metadata. */
export interface Issuer {
  /** the issuer identifier, exactly as published */
  readonly id: string;
  /** the server whose metadata names its endpoints; undefined if the operator configured it */
  readonly namedBy: URL | undefined;
  readonly tokenEndpoint: URL;
  readonly authorizationEndpoint: URL | undefined;
  readonly registrationEndpoint: URL | undefined;
  readonly scopes: readonly string[] | undefined;
  readonly grants: readonly string[] | undefined;
  readonly responseTypes: readonly string[] | undefined;
  /** client authentication methods of the token endpoint */
  readonly methods: readonly string[] | undefined;
  /** signature algorithms of assertions */
  readonly assertionAlgorithms: readonly string[] | undefined;
  readonly codeChallengeMethods: readonly string[] | undefined;
  /** signature algorithms of DPoP proofs; undefined without DPoP */
  readonly dpopAlgorithms: readonly string[] | undefined;
  /** client metadata documents are supported */
  readonly takesMetadataDocuments: boolean;
  /** authorization responses have `iss` */
  readonly sendsIss: boolean;
  /** there is no metadata; the endpoints are the default paths of revision 2025-03-26 */
  readonly assumed: boolean;
}

const OAUTH = '/.well-known/oauth-authorization-server';
const OPENID = '/.well-known/openid-configuration';

/**
 * Returns the authorization server of an issuer identifier, or undefined if it has no metadata. `aliases` are
 * other accepted identifiers.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization/authorization-server-discovery
 */
export async function findIssuer(
  net: Net,
  id: string,
  server: URL,
  headers: Readonly<Record<string, string>>,
  aliases: readonly string[] = [],
): Promise<Issuer | undefined> {
  const issuer = allowedUrl(net, id, server, 'an issuer of the resource metadata');
  if (issuer.search !== '') throw new AuthorizationError('discovery', 'an issuer must not have a query');
  for (const url of wellKnownUrls(issuer)) {
    const { status, body } = await getJson(net, url, server, headers);
    if (status >= 500) {
      throw new AuthorizationError('discovery', `${plainUrl(url)} answered ${status} instead of metadata`);
    }
    if (status !== 200 || body === undefined) continue;
    const found = readIssuer(net, body, [id, ...aliases], issuer, server);
    await checkEndpoints(net, found, server);
    return found;
  }
  return undefined;
}

/**
 * Returns the authorization server for a server without any metadata: the server itself.
 * Source: https://modelcontextprotocol.io/specification/2025-03-26/basic/authorization#fallbacks-for-servers-without-metadata-discovery
 */
export function assumeIssuer(server: URL): Issuer {
  return {
    id: server.origin,
    namedBy: server,
    tokenEndpoint: new URL('/token', server),
    authorizationEndpoint: new URL('/authorize', server),
    registrationEndpoint: new URL('/register', server),
    scopes: undefined,
    grants: undefined,
    responseTypes: undefined,
    methods: undefined,
    assertionAlgorithms: undefined,
    codeChallengeMethods: undefined,
    dpopAlgorithms: undefined,
    takesMetadataDocuments: false,
    sendsIss: false,
    assumed: true,
  };
}

/** Returns true if a text is an issuer identifier for a client's configuration. */
export function isIssuerIdentifier(text: string): boolean {
  const url = parseUrl(text);
  return url !== undefined && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '';
}

function wellKnownUrls(issuer: URL): readonly URL[] {
  const path = issuer.pathname.replace(/\/$/, '');
  const at = (pathname: string): URL => new URL(pathname, issuer);
  if (path === '') return [at(OAUTH), at(OPENID)];
  return [at(`${OAUTH}${path}`), at(`${OPENID}${path}`), at(`${path}${OPENID}`)];
}

function readIssuer(net: Net, body: unknown, ids: readonly string[], at: URL, server: URL): Issuer {
  const what = `the metadata of the issuer ${plainUrl(at)}`;
  const fields = readFields(body, what, 'discovery');
  const id = fields.requiredText('issuer');
  // compared as texts: RFC 8414 section 3.3 requires them to be identical
  if (!ids.includes(id)) throw new AuthorizationError('discovery', `${what} belongs to another issuer`);
  const endpoint = (name: string): URL | undefined => {
    const text = fields.text(name);
    return text === undefined ? undefined : allowedUrl(net, text, server, name);
  };
  const tokenEndpoint = endpoint('token_endpoint');
  if (tokenEndpoint === undefined) throw new AuthorizationError('discovery', `${what} has no token_endpoint`);
  return {
    id,
    namedBy: server,
    tokenEndpoint,
    authorizationEndpoint: endpoint('authorization_endpoint'),
    registrationEndpoint: endpoint('registration_endpoint'),
    scopes: fields.texts('scopes_supported'),
    grants: fields.texts('grant_types_supported'),
    responseTypes: fields.texts('response_types_supported'),
    methods: fields.texts('token_endpoint_auth_methods_supported'),
    assertionAlgorithms: fields.texts('token_endpoint_auth_signing_alg_values_supported'),
    codeChallengeMethods: fields.texts('code_challenge_methods_supported'),
    dpopAlgorithms: fields.texts('dpop_signing_alg_values_supported'),
    takesMetadataDocuments: fields.flag('client_id_metadata_document_supported'),
    sendsIss: fields.flag('authorization_response_iss_parameter_supported'),
    assumed: false,
  };
}

/** Checks the endpoints before a user is sent to one; connections check those that are requested again. */
async function checkEndpoints(net: Net, issuer: Issuer, server: URL): Promise<void> {
  const { tokenEndpoint, authorizationEndpoint, registrationEndpoint } = issuer;
  const named = [tokenEndpoint, authorizationEndpoint, registrationEndpoint].flatMap((url) =>
    url !== undefined && needsLookup(net, url, server) ? [url] : [],
  );
  const hosts = new Map(named.map((url) => [url.hostname, url]));
  if (hosts.size === 0) return;
  const { checkNamedHost: judgeNamed } = await import('./named-host.ts');
  await Promise.all([...hosts.values()].map((url) => judgeNamed(net, url, server)));
}
