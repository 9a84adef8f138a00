import type { ErrorObject } from 'ajv';
import {
  byMethod,
  errorName,
  type Official,
  official,
  type Revision,
  resultName,
  type Schema,
} from './official.ts';
import { extensionForm } from './tasks-extension.ts';

export type Direction = 'client' | 'server';

type Message = Record<string, unknown>;

/**
 * Throws an Error of one line if a JSON-RPC message of `direction` is not valid by the official schema of the revision.
 * `method` is the method that a response answers; without it any result is valid.
 */
export function validateMessage(
  revision: Revision,
  direction: Direction,
  message: unknown,
  method?: string,
): void {
  const schema = official(revision);
  if (Array.isArray(message)) {
    if (revision !== '2025-03-26') refuse(schema, direction, 'a batch', 'the revision has none');
    if (message.length === 0) refuse(schema, direction, 'a batch', 'it is empty');
    for (const part of message) validateMessage(revision, direction, part, method);
  } else if (!isObject(message)) {
    refuse(schema, direction, 'a message', 'it is not an object');
  } else if (typeof message.method === 'string') {
    validateCall(schema, direction, message, message.method);
  } else if ('error' in message) {
    validateError(schema, direction, message);
  } else if ('result' in message) {
    validateResult(schema, direction, message, method);
  } else {
    refuse(schema, direction, 'a message', 'it has no method, result or error');
  }
}

function validateCall(schema: Official, direction: Direction, message: Message, method: string): void {
  const isRequest = 'id' in message;
  const kind = isRequest ? 'Request' : 'Notification';
  const side = direction === 'client' ? 'Client' : 'Server';
  const name = byMethod(schema, `${side}${kind}`).get(method);
  const form = name === undefined ? extensionOf(schema, direction, message, method) : undefined;
  if (form !== undefined) {
    check(schema, direction, method, message, [schema.ref(`JSONRPC${kind}`), form]);
    return;
  }
  if (name === undefined) {
    refuse(schema, direction, method, `no ${kind.toLowerCase()} of a ${direction} has this name`);
  }
  check(schema, direction, method, message, [schema.ref(`JSONRPC${kind}`), schema.ref(name)]);
}

function validateResult(schema: Official, direction: Direction, message: Message, method?: string): void {
  const envelope = schema.definitions.JSONRPCResultResponse ? 'JSONRPCResultResponse' : 'JSONRPCResponse';
  const what = method === undefined ? 'a result' : `the result of ${method}`;
  const parts = [schema.ref(envelope)];
  const form = method === undefined ? undefined : extensionOf(schema, direction, message, method);
  if (form !== undefined) parts.push(form);
  else if (method !== undefined) {
    const asked = byMethod(schema, direction === 'server' ? 'ClientRequest' : 'ServerRequest').get(method);
    if (asked === undefined) refuse(schema, direction, what, 'the other side has no such request');
    const name = answerName(schema, direction, what, asked, message.result);
    parts.push({ type: 'object', properties: { result: schema.ref(name) } });
  }
  check(schema, direction, what, message, parts);
}

/** Returns the schema of a message of the tasks extension: requests of clients and notifications of servers. */
function extensionOf(
  schema: Official,
  direction: Direction,
  message: Message,
  method: string,
): Schema | undefined {
  const isServers = 'result' in message || !('id' in message);
  if (schema.revision !== '2026-07-28' || isServers !== (direction === 'server')) return undefined;
  return extensionForm(schema, message, method);
}

/** Returns the schema that a result claims by its resultType. */
function answerName(
  schema: Official,
  direction: Direction,
  what: string,
  asked: string,
  result: unknown,
): string {
  const name = resultName(schema, asked);
  if (!isObject(result)) return name;
  // a request with `task` is answered with the task
  if (
    schema.revision === '2025-11-25' &&
    isObject(result.task) &&
    !('content' in result) &&
    !('action' in result)
  ) {
    return 'CreateTaskResult';
  }
  if (schema.revision !== '2026-07-28' || result.resultType === 'complete') return name;
  const response = schema.definitions[`${name}Response`];
  const mayAsk = response?.properties?.result?.anyOf !== undefined;
  if (result.resultType === 'input_required' && mayAsk) return 'InputRequiredResult';
  return refuse(
    schema,
    direction,
    what,
    `resultType ${JSON.stringify(result.resultType)} is not one of its own`,
  );
}

function validateError(schema: Official, direction: Direction, message: Message): void {
  const error = message.error;
  const code = isObject(error) ? error.code : undefined;
  const envelope = schema.definitions.JSONRPCErrorResponse ? 'JSONRPCErrorResponse' : 'JSONRPCError';
  const parts = [schema.ref(envelope)];
  const own = errorName(schema, code);
  if (own !== undefined) parts.push(schema.ref(own));
  // an unreadable request has no id: JSON-RPC 2.0 writes null, HTTP may leave it out, the schemas know neither or one
  const known = message.id === null || message.id === undefined ? { ...message, id: 0 } : message;
  check(schema, direction, `error ${String(code)}`, known, parts);
}

function check(
  schema: Official,
  direction: Direction,
  what: string,
  message: Message,
  allOf: Schema[],
): void {
  const validate = schema.compile({ allOf });
  if (!validate(message)) refuse(schema, direction, what, deepest(validate.errors ?? []));
}

/** Returns the error with the longest path, which is in the intended branch. */
function deepest(errors: readonly ErrorObject[]): string {
  let best: ErrorObject | undefined;
  for (const error of errors) {
    if (best === undefined || depth(error) > depth(best)) best = error;
  }
  return `${best?.instancePath || 'it'} ${best?.message ?? 'is not valid'}`;
}

function depth(error: ErrorObject): number {
  return error.instancePath.split('/').length;
}

function refuse(schema: Official, direction: Direction, what: string, reason: string): never {
  throw new Error(`${schema.revision} ${direction}: ${what}: ${reason}`);
}

function isObject(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
