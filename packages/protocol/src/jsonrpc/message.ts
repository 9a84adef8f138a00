/** The identifier of a request: a string or a safe integer. The response repeats it with the same type. */
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
 * JSON text of one value: a string, or pieces that are written in this order.
 * @example const texts: JsonText[] = ['{"a":1}', ['{"a":', new TextEncoder().encode('1'), '}']];
 */
export type JsonText = string | readonly (string | Uint8Array)[];

/** The reason why a value is not a message, and the id for the error response if one could be read. */
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
 * Classifies one parsed JSON value as request, notification, response or malformed, with hand-written checks.
 * Source: JSON-RPC 2.0 sections 4 and 5; here an id is never null or fractional.
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
    // the checks above covered every member of Request
    return { kind: 'request', message: value as unknown as Request };
  }
  if ('id' in value) return malformed('id must be a string or an integer', undefined);
  // the checks above covered every member of Notification
  return { kind: 'notification', message: value as unknown as Notification };
}

function classifyResponse(value: Params, id: Id | undefined): Classified {
  const { error, result } = value;
  if (result !== undefined && error !== undefined) {
    return malformed('a response has a result or an error, not both', id);
  }
  if (isObject(error) && Number.isInteger(error.code) && typeof error.message === 'string') {
    // the id of an error may be absent or null if the other side could not read it
    return { kind: 'response', message: value as unknown as Failure };
  }
  if (isObject(result) && id !== undefined) {
    // the checks above covered every member of Success
    return { kind: 'response', message: value as unknown as Success };
  }
  return malformed('a message needs a method, a result or an error', id);
}

function malformed(reason: string, id: Id | undefined): Malformed {
  return { kind: 'malformed', reason, id };
}
