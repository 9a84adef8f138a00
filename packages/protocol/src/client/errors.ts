import { ConnectionError } from '../jsonrpc/errors.ts';

/**
 * The server said something that the protocol or the server's own word does not allow.
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
 * The connection does not have what was wanted: the revision lacks it, or the server did not declare it.
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
 * An HTTP server refused a request with a status and gave no JSON-RPC error.
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
 * The way of an answer broke before the answer came; the server may have done what it was asked to do.
 * @example const mayHaveRun = (error: unknown): boolean => error instanceof AnswerLostError;
 */
export class AnswerLostError extends ConnectionError {
  /** messages about the request that came before, and milliseconds that they could come */
  readonly heard: { readonly messages: number; readonly milliseconds: number };

  constructor(message: string, options: ErrorOptions & { heard?: AnswerLostError['heard'] } = {}) {
    super('closed', message, options);
    this.name = 'AnswerLostError';
    this.heard = options.heard ?? { messages: 0, milliseconds: 0 };
  }
}

/** Anything thrown as an Error, so that a fault can be reported. */
export function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
