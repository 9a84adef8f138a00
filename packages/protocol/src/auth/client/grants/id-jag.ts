import { isConfidential, parseUrl } from '../../urls.ts';
import { AuthorizationError } from '../error.ts';
import { type RegisteredClient, readRegistered } from '../identity.ts';
import type { Net } from '../net.ts';
import { requestToken } from '../token-endpoint.ts';
import type { AssertionRequest } from './jwt-bearer.ts';

/**
 * The identity provider of an organisation, which controls the access of its users.
 * @example
 * const identityProvider: IdentityProvider = {
 *   issuer: 'https://id.example.com',
 *   clientId: 'desk',
 *   tokenEndpoint: 'https://id.example.com/token',
 *   subjectToken: () => 'the identity token of the user',
 * };
 */
export interface IdentityProvider extends RegisteredClient {
  tokenEndpoint: string;
  /** returns the identity token of the user from the sign-in at the provider */
  subjectToken: () => string | Promise<string>;
  /** default `urn:ietf:params:oauth:token-type:id_token` */
  subjectTokenType?: string;
}

const ID_TOKEN = 'urn:ietf:params:oauth:token-type:id_token';
const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';

/**
 * Returns a function that exchanges a user's identity token for an assertion for the authorization server of
 * one resource.
 * Source: https://www.rfc-editor.org/rfc/rfc8693.html#section-2
 */
export function idJagExchange(
  provider: IdentityProvider,
): (request: AssertionRequest, net: Net) => Promise<string> {
  const { issuer: id, subjectToken, subjectTokenType = ID_TOKEN } = provider;
  const credentials = readRegistered(provider);
  const tokenEndpoint = parseUrl(provider.tokenEndpoint);
  if (tokenEndpoint === undefined || !isConfidential(tokenEndpoint)) {
    throw new TypeError('tokenEndpoint of the identity provider must be https, or http on loopback');
  }
  const issuer = {
    id,
    namedBy: undefined,
    tokenEndpoint,
    methods: undefined,
    assertionAlgorithms: undefined,
  };
  return async (request, net) => {
    const params = {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      requested_token_type: ID_JAG,
      audience: request.issuer,
      resource: request.resource,
      scope: request.scopes.join(' '),
      subject_token: await subjectToken(),
      subject_token_type: subjectTokenType,
    };
    const answer = await requestToken(net, { issuer, credentials, dpop: undefined, params });
    if (answer.issuedType === ID_JAG) return answer.access;
    throw new AuthorizationError('token', 'the identity provider returned a token that is no assertion');
  };
}
