import { RpcError, standardCodes } from '../jsonrpc/errors.ts';

/**
 * Every error code that crosses the wire, with its default text.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/basic
 */
export const errors = {
  ParseError: { code: standardCodes.ParseError, text: 'parse error' },
  InvalidRequest: { code: standardCodes.InvalidRequest, text: 'invalid request' },
  MethodNotFound: { code: standardCodes.MethodNotFound, text: 'method not found' },
  InvalidParams: { code: standardCodes.InvalidParams, text: 'invalid params' },
  InternalError: { code: standardCodes.InternalError, text: 'internal error' },
  /** up to 2025-11-25; later a missing resource is InvalidParams */
  ResourceNotFound: { code: -32002, text: 'resource not found' },
  /** of 2025-11-25 alone: the data names the pages to visit first */
  URLElicitationRequired: { code: -32042, text: 'a page must be visited first' },
  HeaderMismatch: { code: -32020, text: 'header mismatch' },
  MissingRequiredClientCapability: { code: -32021, text: 'missing required client capability' },
  UnsupportedProtocolVersion: { code: -32022, text: 'unsupported protocol version' },
} as const;

export type ErrorName = keyof typeof errors;

/**
 * An error response by its name in the table.
 * @example rpcError('InvalidParams', 'cursor is not one of this server').code; // => -32602
 */
export function rpcError(name: ErrorName, message?: string, data?: unknown): RpcError {
  return new RpcError(errors[name].code, message ?? errors[name].text, { data });
}
