import type { Refusal } from '../authorizer.ts';

/** Why a request with credentials is refused. Source: https://www.rfc-editor.org/rfc/rfc6750#section-3.1 */
export type BearerError = keyof typeof STATUS;

const STATUS = { invalid_request: 400, invalid_token: 401, insufficient_scope: 403 } as const;

/** The parts of a challenge, none of which has a quote or a backslash. */
export interface ChallengeParts {
  /** URL of the protected resource metadata */
  readonly metadata: string;
  /** the scopes that the request needs, all of them */
  readonly scopes: readonly string[];
  /** left out when the request had no credentials */
  readonly error?: BearerError;
  /** one line for people */
  readonly description: string;
}

/**
 * The refusal of a request, with the challenge that tells the client what to ask the authorization server for.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#runtime-insufficient-scope-errors
 */
export function refuse({ metadata, scopes, error, description }: ChallengeParts): Refusal {
  const parameters: string[] = [];
  if (error !== undefined) parameters.push(`error="${error}"`, `error_description="${description}"`);
  if (scopes.length > 0) parameters.push(`scope="${scopes.join(' ')}"`);
  parameters.push(`resource_metadata="${metadata}"`);
  return {
    status: error === undefined ? 401 : STATUS[error],
    challenge: `Bearer ${parameters.join(', ')}`,
    message: description,
  };
}
