import { parseUrl, plainUrl } from '../urls.ts';
import { AuthorizationError, describeRefusal, readErrorCode } from './error.ts';
import type { Issuer } from './issuer.ts';

/** The values of a flow that its response must match. */
export interface Expected {
  readonly state: string;
  readonly redirectUri: string;
  readonly issuer: Pick<Issuer, 'id' | 'sendsIss'>;
}

/**
 * Returns the code of an authorization response. State and issuer are checked before anything else of it is
 * read.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#authorization-response-validation
 */
export function readCallback(response: string | URL | URLSearchParams, expected: Expected): string {
  const params = readParams(response, expected.redirectUri);
  if (only(params, 'state') !== expected.state) throw refused('has another state than the request');
  const iss = only(params, 'iss');
  if (iss === undefined && expected.issuer.sendsIss) throw refused('does not name its issuer');
  // compared as texts, without normalisation
  if (iss !== undefined && iss !== expected.issuer.id) throw refused('is from another issuer');
  const error = only(params, 'error');
  if (error !== undefined) {
    const code = readErrorCode(error, 'unknown_error');
    const text = describeRefusal(code, only(params, 'error_description'), [expected.state]);
    throw new AuthorizationError('denied', `the authorization was refused: ${text}`, { code });
  }
  const code = only(params, 'code');
  if (code === undefined || code === '') throw refused('has no code');
  return code;
}

function readParams(response: string | URL | URLSearchParams, redirectUri: string): URLSearchParams {
  if (response instanceof URLSearchParams) return response;
  const url = response instanceof URL ? response : parseUrl(response);
  if (url === undefined) return new URLSearchParams(String(response));
  if (plainUrl(url) !== plainUrl(new URL(redirectUri))) throw refused('was not sent to the redirect URI');
  return url.searchParams;
}

function only(params: URLSearchParams, name: string): string | undefined {
  const values = params.getAll(name);
  if (values.length > 1) throw refused(`has more than one ${name}`);
  return values[0];
}

function refused(problem: string): AuthorizationError {
  return new AuthorizationError('callback', `the authorization response ${problem}`);
}
