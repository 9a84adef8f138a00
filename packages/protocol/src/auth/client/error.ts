/**
 * The step in which an authorization failed.
 * @example const worthAnotherTry: readonly AuthorizationFailure[] = ['network', 'timeout'];
 */
export type AuthorizationFailure =
  | 'network'
  | 'discovery'
  | 'registration'
  | 'callback'
  | 'denied'
  | 'token'
  | 'timeout';

/**
 * A failed authorization; its text never contains a token, a code or a secret.
 * @example
 * const saidNo = (error: unknown): boolean => error instanceof AuthorizationError && error.reason === 'denied';
 */
export class AuthorizationError extends Error {
  readonly reason: AuthorizationFailure;
  /** the error code of the authorization server, such as `access_denied` */
  readonly code: string | undefined;

  constructor(
    reason: AuthorizationFailure,
    message: string,
    options: { code?: string; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AuthorizationError';
    this.reason = reason;
    this.code = options.code;
  }
}

/**
 * Returns the error of an authorization server as one printable line; leaves out a description that contains
 * a secret.
 */
export function describeRefusal(code: string, description: unknown, secrets: readonly string[] = []): string {
  if (typeof description !== 'string') return code;
  const line = description.replace(/[^\x21-\x7e]+/g, ' ').trim();
  if (line === '' || secrets.some((secret) => secret !== '' && description.includes(secret))) return code;
  return `${code} (${line.slice(0, 200)})`;
}

/** Returns an OAuth error code, or `otherwise` if it is missing or malformed. */
export function readErrorCode(value: unknown, otherwise: string): string {
  return typeof value === 'string' && /^[a-zA-Z0-9_.:/-]{1,100}$/.test(value) ? value : otherwise;
}
