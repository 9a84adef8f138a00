import type { Refusal } from '../authorizer.ts';

/** The OAuth error of a refused request. Source: https://www.rfc-editor.org/rfc/rfc6750#section-3.1 */
export type BearerError = keyof typeof STATUS;

const STATUS = { invalid_request: 400, invalid_token: 401, insufficient_scope: 403 } as const;

/** The parts of a challenge; none may contain a quote or a backslash. */
export interface ChallengeParts {
  /** URL of the protected resource metadata */
  readonly metadata: string;
  /** all scopes that the request requires */
  readonly scopes: readonly string[];
  /** absent if the request had no credentials */
  readonly error?: BearerError;
  /** one line for humans */
  readonly description: string;
}

/**
 * Returns the refusal of a request, with a challenge that tells the client which token to get.
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
