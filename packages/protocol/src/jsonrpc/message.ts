/** The identifier of a request: a string or a safe integer, echoed with its type. */
export type Id = string | number;
export type Params = Record<string, unknown>;

export interface Request {
  jsonrpc: '2.0';
  id: Id;
  method: string;
  params?: Params;
}

export interface Notification {
  jsonrpc: '2.0';
  method: string;
  params?: Params;
}

export interface ErrorObject {
  code: number;
  message: string;
  data?: unknown;
}

export interface Success {
  jsonrpc: '2.0';
  id: Id;
  result: Params;
}

export interface Failure {
  jsonrpc: '2.0';
  id?: Id | null;
  error: ErrorObject;
}

export type Response = Success | Failure;
export type Message = Request | Notification | Response;

/**
 * JSON text of one value, whole or in pieces that are written one after the other.
 * @example const texts: JsonText[] = ['{"a":1}', ['{"a":', new TextEncoder().encode('1'), '}']];
 */
export type JsonText = string | readonly (string | Uint8Array)[];

/** Why a value is no message, with the id to answer to when one could be read. */
export interface Malformed {
  kind: 'malformed';
  reason: string;
  id: Id | undefined;
}

export type Classified =
  | { kind: 'request'; message: Request }
  | { kind: 'notification'; message: Notification }
  | { kind: 'response'; message: Response }
  | Malformed;

export function isObject(value: unknown): value is Params {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isId(value: unknown): value is Id {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

/**
 * Sorts one parsed JSON value into request, notification, response or malformed, by hand-written checks.
 * Source: JSON-RPC 2.0 sections 4 and 5; ids are never null and never fractional in this protocol.
 */
export function classify(value: unknown): Classified {
  if (!isObject(value)) return malformed('a message must be a JSON object', undefined);
  const { id, method } = value;
  const known = isId(id) ? id : undefined;
  if (value.jsonrpc !== '2.0') return malformed('jsonrpc must be "2.0"', known);
  if (method === undefined) return classifyResponse(value, known);
  if (typeof method !== 'string') return malformed('method must be a string', known);
  const { params } = value;
  if (params !== undefined && !isObject(params)) return malformed('params must be an object', known);
  if (known !== undefined) {
    // the guards above checked every member of Request
    return { kind: 'request', message: value as unknown as Request };
  }
  if ('id' in value) return malformed('id must be a string or an integer', undefined);
  return { kind: 'notification', message: value as unknown as Notification };
}

function classifyResponse(value: Params, id: Id | undefined): Classified {
  const { error, result } = value;
  if (result !== undefined && error !== undefined) {
    return malformed('a response has a result or an error, not both', id);
  }
  if (isObject(error) && Number.isInteger(error.code) && typeof error.message === 'string') {
    // the id of an error may be absent or null when the other side could not read it
    return { kind: 'response', message: value as unknown as Failure };
  }
  if (isObject(result) && id !== undefined) return { kind: 'response', message: value as unknown as Success };
  return malformed('a message needs a method, a result or an error', id);
}

function malformed(reason: string, id: Id | undefined): Malformed {
  return { kind: 'malformed', reason, id };
}
