import type { ErrorObject, Id, JsonText, Params } from './message.ts';

/** Returns the text of a success response around the JSON text of its result. */
export function successText(id: Id, result: JsonText): JsonText {
  const head = `{"jsonrpc":"2.0","id":${idText(id)},"result":`;
  if (typeof result === 'string') return `${head}${result}}`;
  const pieces = [...result];
  const first = pieces[0];
  // fewer pieces mean fewer writes
  if (typeof first === 'string') pieces[0] = head + first;
  else pieces.unshift(head);
  const last = pieces.at(-1);
  if (typeof last === 'string') pieces[pieces.length - 1] = `${last}}`;
  else pieces.push('}');
  return pieces;
}

/** Returns the text of an error response. An `id` of null is written as null, undefined is left out. */
export function failureText(id: Id | null | undefined, error: ErrorObject): string {
  const member = id === undefined ? '' : `"id":${id === null ? 'null' : idText(id)},`;
  return `{"jsonrpc":"2.0",${member}"error":${JSON.stringify(error)}}`;
}

export function requestText(id: Id, method: string, params: Params | undefined): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

export function notificationText(method: string, params: Params | undefined): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params });
}

function idText(id: Id): string {
  return typeof id === 'number' ? String(id) : JSON.stringify(id);
}
