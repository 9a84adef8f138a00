import { AuthorizationError } from './error.ts';
import type { Grant } from './grant.ts';
import type { Issuer } from './issuer.ts';
import type { Net } from './net.ts';
import type { Records, Tokens } from './records.ts';
import { requestToken } from './token-endpoint.ts';
import { readTokens } from './tokens.ts';

interface RefreshContext {
  readonly net: Net;
  readonly grant: Grant;
  readonly records: Records;
  /** the authorization server of the tokens */
  readonly issuer: Issuer;
}

/**
 * Returns renewed tokens, without asking the user; undefined if they can no longer be renewed, and then
 * removes the old ones. Rejects if the authorization server cannot be reached.
 */
export async function refreshTokens(context: RefreshContext, tokens: Tokens): Promise<Tokens | undefined> {
  const { net, grant, records, issuer } = context;
  const { clientId, resource, refresh, dpop, requested } = tokens;
  if (refresh === undefined) return undefined;
  const credentials = await grant.credentials(issuer, records, clientId);
  if (credentials === undefined) return undefined;
  const params = { grant_type: 'refresh_token', refresh_token: refresh, resource };
  try {
    const answer = await requestToken(net, { issuer, credentials, dpop, params });
    return readTokens(answer, { binding: tokens, clientId, requested, dpop, previous: tokens });
  } catch (error) {
    if (!(error instanceof AuthorizationError) || error.reason !== 'token') throw error;
    return afterRefusal(records, tokens, error.code);
  }
}

async function afterRefusal(
  records: Records,
  tokens: Tokens,
  code: string | undefined,
): Promise<Tokens | undefined> {
  const stored = await records.tokens(tokens);
  // another process has used the refresh token
  if (stored !== undefined && stored.refresh !== tokens.refresh) return stored;
  if (code === 'invalid_client') await records.dropRegistration(tokens.issuer);
  await records.dropTokens(tokens);
  return undefined;
}
