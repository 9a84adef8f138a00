import { randomUUID } from 'node:crypto';
import { AuthorizationError } from './error.ts';
import type { Issuer } from './issuer.ts';
import { type SigningKey, secondsNow, signJwt } from './jwt.ts';

/**
 * How a client authenticates at a token endpoint.
 * @example const method: AuthenticationMethod = 'private_key_jwt';
 */
export type AuthenticationMethod = 'none' | 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt';

/** The credentials of a client at one authorization server. */
export interface Credentials {
  readonly clientId: string;
  readonly secret: string | undefined;
  readonly key: SigningKey | undefined;
  /** the registered method; otherwise the best one that the authorization server supports */
  readonly method: AuthenticationMethod | undefined;
}

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const ASSERTION_SECONDS = 60;

export function isAuthenticationMethod(value: unknown): value is AuthenticationMethod {
  return (
    value === 'none' ||
    value === 'client_secret_basic' ||
    value === 'client_secret_post' ||
    value === 'private_key_jwt'
  );
}

/** Adds client authentication to a token request; returns the headers to send. */
export function authenticate(
  credentials: Credentials,
  issuer: Pick<Issuer, 'id' | 'methods' | 'assertionAlgorithms'>,
  form: URLSearchParams,
): Record<string, string> {
  const { clientId, secret, key } = credentials;
  switch (chooseMethod(credentials, issuer)) {
    case 'client_secret_basic':
      return { Authorization: `Basic ${basic(clientId, secret ?? '')}` };
    case 'client_secret_post':
      form.set('client_id', clientId);
      form.set('client_secret', secret ?? '');
      return {};
    case 'private_key_jwt':
      if (key === undefined)
        throw new AuthorizationError('registration', 'private_key_jwt needs a private key');
      form.set('client_id', clientId);
      form.set('client_assertion_type', ASSERTION_TYPE);
      form.set('client_assertion', assertion(clientId, issuer.id, key));
      return {};
    case 'none':
      form.set('client_id', clientId);
      return {};
  }
}

function chooseMethod(
  { method, key, secret }: Credentials,
  { methods, assertionAlgorithms }: Pick<Issuer, 'methods' | 'assertionAlgorithms'>,
): AuthenticationMethod {
  if (method !== undefined) return method;
  if (key !== undefined) {
    if (assertionAlgorithms?.includes(key.algorithm) === false) {
      throw new AuthorizationError(
        'registration',
        `the authorization server does not support ${key.algorithm} assertions`,
      );
    }
    return 'private_key_jwt';
  }
  if (secret === undefined) return 'none';
  // RFC 8414: the default is client_secret_basic
  const taken = methods ?? ['client_secret_basic'];
  const chosen = (['client_secret_basic', 'client_secret_post', 'none'] as const).find((name) =>
    taken.includes(name),
  );
  if (chosen !== undefined) return chosen;
  throw new AuthorizationError('registration', 'the authorization server does not accept client secrets');
}

/** Returns the client id and secret for HTTP Basic, each form-encoded: RFC 6749 section 2.3.1. */
function basic(clientId: string, secret: string): string {
  const encode = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1);
  return Buffer.from(`${encode(clientId)}:${encode(secret)}`).toString('base64');
}

function assertion(clientId: string, audience: string, key: SigningKey): string {
  const now = secondsNow();
  return signJwt(
    { typ: 'JWT', ...(key.keyId !== undefined && { kid: key.keyId }) },
    {
      iss: clientId,
      sub: clientId,
      aud: audience,
      jti: randomUUID(),
      iat: now,
      exp: now + ASSERTION_SECONDS,
    },
    key,
  );
}
