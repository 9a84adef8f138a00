import { plainUrl } from '../urls.ts';
import { describeClient } from './client-metadata.ts';
import { type AuthenticationMethod, type Credentials, isAuthenticationMethod } from './credentials.ts';
import { AuthorizationError, describeRefusal, readErrorCode } from './error.ts';
import { asObject, readFields } from './fields.ts';
import type { Issuer } from './issuer.ts';
import type { Net } from './net.ts';
import { post } from './requests.ts';

/** The metadata that a client registers. */
export interface ClientDescription {
  readonly clientName: string;
  readonly clientUri: string | undefined;
  readonly logoUri: string | undefined;
}

/** A dynamically registered client. */
export interface Registration {
  readonly issuer: string;
  readonly redirectUri: string;
  readonly credentials: Credentials;
  /** milliseconds since 1970 after which the secret is invalid */
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
      'the authorization server does not support registration; set a client id',
    );
  }
  const method = registeredMethod(issuer.methods);
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
      `${plainUrl(endpoint)} refused to register a client for ${redirectUri}: ${describeRefusal(code, text)}`,
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

/** Returns the authentication method to register: none if supported, because users could read a secret. */
function registeredMethod(methods: readonly string[] | undefined): AuthenticationMethod {
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
    throw new AuthorizationError('registration', `${what} has other redirect_uris`);
  }
  if (method !== undefined && (!isAuthenticationMethod(method) || method === 'private_key_jwt')) {
    throw new AuthorizationError('registration', `${what} has an unsupported token_endpoint_auth_method`);
  }
  const expiry = fields.seconds('client_secret_expires_at');
  return {
    issuer,
    redirectUri,
    credentials: { clientId: fields.requiredText('client_id'), secret, key: undefined, method },
    // zero means never
    expiresAt: secret === undefined || expiry === undefined || expiry === 0 ? undefined : expiry * 1000,
  };
}
