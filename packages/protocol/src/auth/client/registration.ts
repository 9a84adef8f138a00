import { plainUrl } from '../urls.ts';
import { describeClient } from './client-metadata.ts';
import { type AuthenticationMethod, type Credentials, isAuthenticationMethod } from './credentials.ts';
import { AuthorizationError, describeRefusal, readErrorCode } from './error.ts';
import { asObject, readFields } from './fields.ts';
import type { Issuer } from './issuer.ts';
import type { Net } from './net.ts';
import { post } from './requests.ts';

/** What a client calls itself when it registers. */
export interface ClientDescription {
  readonly clientName: string;
  readonly clientUri: string | undefined;
  readonly logoUri: string | undefined;
}

/** A client that an authorization server knows since it registered there. */
export interface Registration {
  readonly issuer: string;
  readonly redirectUri: string;
  readonly credentials: Credentials;
  /** milliseconds since 1970 after which the secret is no longer good */
  readonly expiresAt: number | undefined;
}

/**
 * Registers a client.
 * Source: https://www.rfc-editor.org/rfc/rfc7591.html#section-3
 */
export async function register(
  net: Net,
  issuer: Issuer,
  description: ClientDescription,
  redirectUri: string,
  scopes: readonly string[],
): Promise<Registration> {
  const endpoint = issuer.registrationEndpoint;
  if (endpoint === undefined) {
    throw new AuthorizationError(
      'registration',
      'the authorization server registers no clients; give it a client id of your own',
    );
  }
  const method = methodToAskFor(issuer.methods);
  const { status, body } = await post(
    net,
    endpoint,
    issuer.namedBy,
    clientMetadata(issuer, description, redirectUri, scopes, method),
  );
  if (status !== 201 && status !== 200) {
    const { error, error_description: text } = asObject(body) ?? {};
    const code = readErrorCode(error, `status_${status}`);
    throw new AuthorizationError(
      'registration',
      `${plainUrl(endpoint)} registers no client for ${redirectUri}: ${describeRefusal(code, text)}`,
      { code },
    );
  }
  return readRegistration(body, issuer.id, redirectUri, endpoint);
}

function clientMetadata(
  { grants }: Issuer,
  { clientName, clientUri, logoUri }: ClientDescription,
  redirectUri: string,
  scopes: readonly string[],
  method: AuthenticationMethod,
): object {
  const metadata = describeClient({
    clientName,
    redirectUris: [redirectUri],
    scopes,
    ...(clientUri !== undefined && { clientUri }),
    ...(logoUri !== undefined && { logoUri }),
  });
  const refreshes = grants === undefined || grants.includes('refresh_token');
  return {
    ...metadata,
    grant_types: refreshes ? metadata.grant_types : ['authorization_code'],
    token_endpoint_auth_method: method,
  };
}

/** A client that cannot keep a secret from its user asks for none, where the authorization server lets it. */
function methodToAskFor(methods: readonly string[] | undefined): AuthenticationMethod {
  const order: readonly AuthenticationMethod[] = ['none', 'client_secret_basic', 'client_secret_post'];
  return order.find((method) => methods === undefined || methods.includes(method)) ?? 'none';
}

function readRegistration(body: unknown, issuer: string, redirectUri: string, endpoint: URL): Registration {
  const what = `the registration of ${plainUrl(endpoint)}`;
  const fields = readFields(body, what, 'registration');
  const secret = fields.text('client_secret');
  const method = fields.text('token_endpoint_auth_method');
  const uris = fields.texts('redirect_uris');
  if (uris !== undefined && uris.length > 0 && !uris.includes(redirectUri)) {
    throw new AuthorizationError('registration', `${what} is for other redirect_uris`);
  }
  if (method !== undefined && (!isAuthenticationMethod(method) || method === 'private_key_jwt')) {
    throw new AuthorizationError(
      'registration',
      `${what} wants a token_endpoint_auth_method that is not served`,
    );
  }
  const expiry = fields.seconds('client_secret_expires_at');
  return {
    issuer,
    redirectUri,
    credentials: { clientId: fields.requiredText('client_id'), secret, key: undefined, method },
    // zero stands for never
    expiresAt: secret === undefined || expiry === undefined || expiry === 0 ? undefined : expiry * 1000,
  };
}
