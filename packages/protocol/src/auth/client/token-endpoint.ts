import { plainUrl } from '../urls.ts';
import { authenticate, type Credentials } from './credentials.ts';
import { type DpopKey, readNonce } from './dpop.ts';
import { AuthorizationError, describeRefusal, readErrorCode } from './error.ts';
import { asObject, readFields } from './fields.ts';
import type { Issuer } from './issuer.ts';
import type { Net } from './net.ts';
import { type Answer, post } from './requests.ts';
import { readScopes } from './scopes.ts';

/** The response of a token endpoint. */
export interface TokenAnswer {
  readonly access: string;
  /** the token is bound to a key */
  readonly bound: boolean;
  readonly expiresIn: number | undefined;
  readonly refresh: string | undefined;
  readonly scopes: readonly string[] | undefined;
  /** the type of the token, if another type than an access token was requested */
  readonly issuedType: string | undefined;
}

export interface TokenRequest {
  readonly issuer: Pick<Issuer, 'id' | 'namedBy' | 'tokenEndpoint' | 'methods' | 'assertionAlgorithms'>;
  readonly credentials: Credentials;
  /** the key to bind the token to */
  readonly dpop: DpopKey | undefined;
  /** parameters of the grant; empty ones are not sent */
  readonly params: Readonly<Record<string, string | undefined>>;
}

/** The parameters that must not appear in messages. */
const SECRET_PARAMS = [
  'assertion',
  'client_assertion',
  'client_secret',
  'code',
  'code_verifier',
  'refresh_token',
  'subject_token',
];

/** Requests a token with a grant; throws an AuthorizationError with the authorization server's code for a refusal. */
export async function requestToken(net: Net, request: TokenRequest): Promise<TokenAnswer> {
  const first = await ask(net, request, undefined);
  const nonce = request.dpop === undefined ? undefined : wantedNonce(first.answer);
  const { answer, form } = nonce === undefined ? first : await ask(net, request, nonce);
  const { error, error_description: description } = asObject(answer.body) ?? {};
  if (answer.status === 200 && error === undefined) return readToken(answer.body, request);
  if (answer.status >= 500 || answer.status === 429) {
    throw new AuthorizationError(
      'network',
      `${plainUrl(request.issuer.tokenEndpoint)} answered ${answer.status}`,
    );
  }
  const code = readErrorCode(error, `status_${answer.status}`);
  const secrets = [request.credentials.secret ?? '', ...SECRET_PARAMS.map((name) => form.get(name) ?? '')];
  const text = describeRefusal(code, description, secrets);
  throw new AuthorizationError(
    'token',
    `${plainUrl(request.issuer.tokenEndpoint)} refused the token request: ${text}`,
    {
      code,
    },
  );
}

/** Returns true if a value can be sent as an access token in a header. */
export function isAccessToken(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value);
}

async function ask(
  net: Net,
  { issuer, credentials, dpop, params }: TokenRequest,
  nonce: string | undefined,
): Promise<{ answer: Answer; form: URLSearchParams }> {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined && value !== '') form.set(name, value);
  }
  const headers = authenticate(credentials, issuer, form);
  if (dpop !== undefined) headers.DPoP = dpop.prove({ method: 'POST', url: issuer.tokenEndpoint, nonce });
  return { answer: await post(net, issuer.tokenEndpoint, issuer.namedBy, form, headers), form };
}

/** Source: https://www.rfc-editor.org/rfc/rfc9449.html#section-8 */
function wantedNonce({ status, body, header }: Answer): string | undefined {
  const asks = (status === 400 || status === 401) && asObject(body)?.error === 'use_dpop_nonce';
  return asks ? readNonce(header('dpop-nonce')) : undefined;
}

function readToken(body: unknown, { issuer, dpop, params }: TokenRequest): TokenAnswer {
  const what = `the response of ${plainUrl(issuer.tokenEndpoint)}`;
  const fields = readFields(body, what, 'token');
  const access = fields.requiredText('access_token');
  if (!isAccessToken(access)) {
    throw new AuthorizationError('token', `${what} has an access_token that cannot be sent in a header`);
  }
  const type = fields.requiredText('token_type').toLowerCase();
  const scope = fields.text('scope');
  return {
    access,
    bound:
      type === 'n_a' && params.requested_token_type !== undefined
        ? false
        : isBound(type, dpop !== undefined, what),
    expiresIn: fields.seconds('expires_in'),
    refresh: fields.text('refresh_token'),
    scopes: scope === undefined ? undefined : readScopes(scope),
    issuedType: fields.text('issued_token_type'),
  };
}

function isBound(type: string, asked: boolean, what: string): boolean {
  if (type !== 'bearer' && type !== 'dpop') {
    throw new AuthorizationError('token', `${what} has a token_type that is neither Bearer nor DPoP`);
  }
  if ((type === 'dpop') !== asked) {
    throw new AuthorizationError(
      'token',
      `${what} is ${asked ? 'not bound to a key' : 'bound to an unknown key'}`,
    );
  }
  return asked;
}
