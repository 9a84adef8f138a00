import type { ErrorObject } from './message.ts';

/** The codes that JSON-RPC 2.0 section 5.1 defines. */
export const standardCodes = {
  ParseError: -32700,
  InvalidRequest: -32600,
  MethodNotFound: -32601,
  InvalidParams: -32602,
  InternalError: -32603,
} as const;

/**
 * An error that is sent to the other side as the `error` member of a response.
 * @example
 * const refusal = await client.callTool('nothing').catch((error: unknown) => error);
 * refusal instanceof RpcError ? refusal.code : 0; // => -32602
 */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, options: { data?: unknown; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'RpcError';
    this.code = code;
    this.data = options.data;
  }
}

/**
 * A local failure of a request: a timeout, a cancellation or a closed connection.
 * @example
 * const signal = AbortSignal.abort();
 * const failure = await client.callTool('add', { a: 1, b: 2 }, { signal }).catch((error: unknown) => error);
 * failure instanceof ConnectionError ? failure.reason : 'other'; // => 'cancelled'
 */
export class ConnectionError extends Error {
  readonly reason: 'timeout' | 'cancelled' | 'closed';

  constructor(reason: ConnectionError['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ConnectionError';
    this.reason = reason;
  }
}

/** Returns the error object for a thrown value. Only the text of an RpcError is sent. */
export function toErrorObject(error: unknown): ErrorObject {
  if (error instanceof RpcError) {
    return error.data === undefined
      ? { code: error.code, message: error.message }
      : { code: error.code, message: error.message, data: error.data };
  }
  return { code: standardCodes.InternalError, message: 'internal error' };
}
