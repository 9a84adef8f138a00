import { ConnectionError } from '../jsonrpc/errors.ts';

/**
 * A message of the server that violates the protocol or the server's own declarations.
 * @example
 * const sayWhy = (error: unknown): string => (error instanceof AnswerError ? `the server: ${error.message}` : 'no');
 */
export class AnswerError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'AnswerError';
  }
}

/**
 * A feature that the connection does not have: its revision lacks it, or the server did not declare it.
 * @example
 * const refusal = await client.subscribe('memo://today', () => {}).catch((error: unknown) => error);
 * refusal instanceof CapabilityError; // => true
 */
export class CapabilityError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CapabilityError';
  }
}

/**
 * An HTTP response with an error status and without a JSON-RPC error.
 * @example
 * const isGone = (error: unknown): boolean => error instanceof HttpError && error.status === 404;
 */
export class HttpError extends ConnectionError {
  readonly status: number;

  constructor(status: number, message: string) {
    super('closed', message);
    this.name = 'HttpError';
    this.status = status;
  }
}

/**
 * A request whose response was lost because the connection broke; the server may have executed it.
 * @example const mayHaveRun = (error: unknown): boolean => error instanceof AnswerLostError;
 */
export class AnswerLostError extends ConnectionError {
  /** messages about the request that arrived before the loss, and the time in milliseconds in which they could */
  readonly heard: { readonly messages: number; readonly milliseconds: number };

  constructor(message: string, options: ErrorOptions & { heard?: AnswerLostError['heard'] } = {}) {
    super('closed', message, options);
    this.name = 'AnswerLostError';
    this.heard = options.heard ?? { messages: 0, milliseconds: 0 };
  }
}

/** Returns a thrown value as an Error, so that it can be reported. */
export function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
