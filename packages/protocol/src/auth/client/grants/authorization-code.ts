import { readCallback } from '../callback.ts';
import { checkRedirectUri } from '../client-metadata.ts';
import { AuthorizationError } from '../error.ts';
import type { Grant, GrantContext, Granted } from '../grant.ts';
import { type Identity, identify, storedCredentials } from '../identity.ts';
import type { Issuer } from '../issuer.ts';
import { createCodeProof, createState } from '../pkce.ts';
import type { Redirection } from '../redirection.ts';
import type { ClientDescription } from '../registration.ts';
import { uniteScopes } from '../scopes.ts';
import { requestToken } from '../token-endpoint.ts';

export interface CodeGrantOptions {
  readonly identity: Identity;
  readonly description: ClientDescription;
  readonly open: () => Promise<Redirection>;
  /** true to request refresh tokens */
  readonly offline: boolean;
  /** milliseconds to wait for the user */
  readonly patience: number;
}

const OFFLINE_ACCESS = 'offline_access';

/** Returns the grant that asks the user and redeems the resulting code. */
export function authorizationCode(options: CodeGrantOptions): Grant {
  const { identity } = options;
  return {
    name: 'authorization_code',
    issuers: [...identity.registered.keys()],
    credentials: (issuer, records, clientId) => storedCredentials(identity, issuer, records, clientId),
    async obtain(context) {
      const endpoint = codeEndpoint(context.target.issuer);
      const requested = withOffline(context, options.offline);
      const redirection = await options.open();
      try {
        return await askUser({ ...context, scopes: requested }, options, endpoint, redirection);
      } finally {
        await redirection.close?.();
      }
    },
  };
}

async function askUser(
  context: GrantContext,
  { identity, description, patience }: CodeGrantOptions,
  endpoint: URL,
  redirection: Redirection,
): Promise<Granted> {
  const { net, records, target, scopes, dpop } = context;
  const redirectUri = checkRedirectUri(redirection.redirectUri);
  const credentials = await identify(context, identity, description, redirectUri);
  const proof = createCodeProof();
  const expected = { state: createState(), redirectUri, issuer: target.issuer };
  const url = authorizationUrl(endpoint, {
    response_type: 'code',
    client_id: credentials.clientId,
    redirect_uri: redirectUri,
    state: expected.state,
    code_challenge: proof.challenge,
    code_challenge_method: 'S256',
    resource: target.resource.id,
    scope: scopes.join(' '),
    // OpenID Connect requires consent for refresh tokens
    prompt: scopes.includes(OFFLINE_ACCESS) ? 'consent' : '',
    dpop_jkt: dpop?.thumbprint ?? '',
  });
  const response = await waitForUser(redirection, url, patience, net.signal);
  const code = readCallback(response, expected);
  const params = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: proof.verifier,
    resource: target.resource.id,
  };
  try {
    const answer = await requestToken(net, { issuer: target.issuer, credentials, dpop, params });
    return { answer, clientId: credentials.clientId, requested: scopes };
  } catch (error) {
    if (isUnknownClient(error)) await records.dropRegistration(target.issuer.id);
    throw error;
  }
}

/**
 * Returns the authorization endpoint, if the authorization server supports PKCE.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization/security-considerations#authorization-code-protection
 */
function codeEndpoint(issuer: Issuer): URL {
  const { authorizationEndpoint, assumed, codeChallengeMethods, responseTypes } = issuer;
  if (authorizationEndpoint === undefined || responseTypes?.includes('code') === false) {
    throw new AuthorizationError('discovery', 'the authorization server has no authorization code grant');
  }
  if (!assumed && codeChallengeMethods?.includes('S256') !== true) {
    throw new AuthorizationError('discovery', 'the authorization server does not offer PKCE with S256');
  }
  return authorizationEndpoint;
}

/** Adds the scope for refresh tokens, but never as the only scope: alone it would replace the default scopes. */
function withOffline({ scopes, target }: GrantContext, wanted: boolean): readonly string[] {
  const offered = target.issuer.scopes?.includes(OFFLINE_ACCESS) === true;
  return wanted && offered && scopes.length > 0 ? uniteScopes(scopes, [OFFLINE_ACCESS]) : scopes;
}

function authorizationUrl(endpoint: URL, params: Readonly<Record<string, string>>): URL {
  const url = new URL(endpoint);
  for (const [name, value] of Object.entries(params)) {
    if (value !== '') url.searchParams.set(name, value);
  }
  return url;
}

function waitForUser(
  redirection: Redirection,
  url: URL,
  patience: number,
  ended: AbortSignal | undefined,
): Promise<string | URL | URLSearchParams> {
  const time = AbortSignal.timeout(patience);
  const signal = ended === undefined ? time : AbortSignal.any([time, ended]);
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new AuthorizationError('timeout', 'the user did not respond in time'));
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    const release = (): void => signal.removeEventListener('abort', stop);
    const asked = Promise.resolve(redirection.authorize(url, signal));
    void asked.then(resolve, reject).finally(release);
  });
}

/** Returns true if the authorization server no longer knows a client that it registered. */
function isUnknownClient(error: unknown): boolean {
  return (
    error instanceof AuthorizationError &&
    (error.code === 'invalid_client' || error.code === 'unauthorized_client')
  );
}
