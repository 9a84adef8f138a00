import { AuthorizationError } from '../error.ts';
import type { Grant } from '../grant.ts';
import { type RegisteredClient, readRegistered } from '../identity.ts';
import { requestToken } from '../token-endpoint.ts';

/** Returns the grant for a program's own token, without a user. */
export function clientCredentialsGrant(client: RegisteredClient): Grant {
  const credentials = readRegistered(client);
  return {
    name: `client_credentials:${credentials.clientId}`,
    issuers: [client.issuer],
    credentials: async () => credentials,
    async obtain({ net, target, scopes, dpop }) {
      assertIssuer(target.issuer.id, client.issuer);
      const params = {
        grant_type: 'client_credentials',
        scope: scopes.join(' '),
        resource: target.resource.id,
      };
      const answer = await requestToken(net, { issuer: target.issuer, credentials, dpop, params });
      return { answer, clientId: credentials.clientId, requested: scopes };
    },
  };
}

/** Throws if credentials for one authorization server would be sent to another. */
export function assertIssuer(found: string, wanted: string): void {
  if (found === wanted) return;
  throw new AuthorizationError(
    'registration',
    'the server names another authorization server than the one of the registered client',
  );
}
