/**
 * Where an authorization failed.
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
 * An authorization that could not be had; its text never holds a token, a code or a secret.
 * @example
 * const saidNo = (error: unknown): boolean => error instanceof AuthorizationError && error.reason === 'denied';
 */
export class AuthorizationError extends Error {
  readonly reason: AuthorizationFailure;
  /** the error code that the authorization server gave, such as `access_denied` */
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

/** The error of an authorization server as one printable line; its description is left out when it holds a secret. */
export function describeRefusal(code: string, description: unknown, secrets: readonly string[] = []): string {
  if (typeof description !== 'string') return code;
  const line = description.replace(/[^\x21-\x7e]+/g, ' ').trim();
  if (line === '' || secrets.some((secret) => secret !== '' && description.includes(secret))) return code;
  return `${code} (${line.slice(0, 200)})`;
}

/** An error code of OAuth, or what stands for one that is missing or malformed. */
export function readErrorCode(value: unknown, otherwise: string): string {
  return typeof value === 'string' && /^[a-zA-Z0-9_.:/-]{1,100}$/.test(value) ? value : otherwise;
}
