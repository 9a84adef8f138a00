import { RpcError, standardCodes } from '../jsonrpc/errors.ts';

/**
 * The error codes of the protocol with their default messages.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/basic
 */
export const errors = {
  ParseError: { code: standardCodes.ParseError, text: 'parse error' },
  InvalidRequest: { code: standardCodes.InvalidRequest, text: 'invalid request' },
  MethodNotFound: { code: standardCodes.MethodNotFound, text: 'method not found' },
  InvalidParams: { code: standardCodes.InvalidParams, text: 'invalid params' },
  InternalError: { code: standardCodes.InternalError, text: 'internal error' },
  /** until 2025-11-25; later revisions report a missing resource as InvalidParams */
  ResourceNotFound: { code: -32002, text: 'resource not found' },
  /** only in 2025-11-25: the data lists the pages that the user must visit first */
  URLElicitationRequired: { code: -32042, text: 'a page must be visited first' },
  HeaderMismatch: { code: -32020, text: 'header mismatch' },
  MissingRequiredClientCapability: { code: -32021, text: 'missing required client capability' },
  UnsupportedProtocolVersion: { code: -32022, text: 'unsupported protocol version' },
} as const;

export type ErrorName = keyof typeof errors;

/**
 * Returns an error response by its name in the table.
 * @example rpcError('InvalidParams', 'cursor is not one of this server').code; // => -32602
 */
export function rpcError(name: ErrorName, message?: string, data?: unknown): RpcError {
  return new RpcError(errors[name].code, message ?? errors[name].text, { data });
}
