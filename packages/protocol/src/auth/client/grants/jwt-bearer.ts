import { AuthorizationError } from '../error.ts';
import type { Grant } from '../grant.ts';
import { type RegisteredClient, readRegistered } from '../identity.ts';
import type { Net } from '../net.ts';
import { requestToken } from '../token-endpoint.ts';
import { assertIssuer } from './client-credentials.ts';

/**
 * The audience and scopes of an assertion.
 * @example
 * const describe = ({ issuer, resource }: AssertionRequest): string => `for ${issuer}, to reach ${resource}`;
 */
export interface AssertionRequest {
  /** the issuer that will receive it: its audience */
  readonly issuer: string;
  readonly resource: string;
  readonly scopes: readonly string[];
}

/**
 * Returns the grant that exchanges an assertion for a token; a refusal is final.
 * Source: https://www.rfc-editor.org/rfc/rfc7523.html#section-2.1
 */
export function jwtBearerGrant(
  name: string,
  client: RegisteredClient,
  assertion: (request: AssertionRequest, net: Net) => string | Promise<string>,
): Grant {
  const credentials = readRegistered(client);
  return {
    name: `${name}:${credentials.clientId}`,
    issuers: [client.issuer],
    credentials: async () => credentials,
    async obtain({ net, target, scopes, dpop }) {
      const { issuer, resource } = target;
      assertIssuer(issuer.id, client.issuer);
      const text = await assertion({ issuer: issuer.id, resource: resource.id, scopes }, net);
      if (typeof text !== 'string' || text === '')
        throw new AuthorizationError('token', 'the assertion is empty');
      const params = {
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        assertion: text,
        scope: scopes.join(' '),
        resource: resource.id,
      };
      const answer = await requestToken(net, { issuer, credentials, dpop, params });
      return { answer, clientId: credentials.clientId, requested: scopes };
    },
  };
}
