import type { RpcError } from '../../jsonrpc/errors.ts';
import type { Id, JsonText } from '../../jsonrpc/message.ts';
import { failureText } from '../../jsonrpc/text.ts';
import { errors, rpcError } from '../../protocol/errors.ts';
import type { BodyError, Exchange, Headers } from './exchange.ts';

export const jsonHeaders: Headers = { 'Content-Type': 'application/json' };

export const eventStreamHeaders: Headers = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  // proxies that buffer responses would delay events
  'X-Accel-Buffering': 'no',
};

/** The header of a 503 of a server that is full or shutting down. */
export const retryLater: Headers = { 'Retry-After': '10' };

/** The header of a refusal whose cause soon ends by itself. */
const retrySoon: Headers = { 'Retry-After': '1' };

/** The number of unsent bytes above which messages wait or are dropped. */
export const HIGH_WATER = 256 * 1024;

/**
 * The HTTP status of an error response if nothing was sent before it; other codes have status 200.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
const statusByCode: ReadonlyMap<number, number> = new Map([
  [errors.ParseError.code, 400],
  [errors.InvalidRequest.code, 400],
  [errors.MethodNotFound.code, 404],
  [errors.HeaderMismatch.code, 400],
  [errors.MissingRequiredClientCapability.code, 400],
  [errors.UnsupportedProtocolVersion.code, 400],
]);

export function statusOf(code: number): number {
  return statusByCode.get(code) ?? 200;
}

/** Sends an error response that belongs to no accepted request. */
export function refuse(
  exchange: Exchange,
  status: number,
  error: Pick<RpcError, 'code' | 'message' | 'data'>,
  { id = null, headers }: { id?: Id | null; headers?: Headers | undefined } = {},
): void {
  const { code, message, data } = error;
  const text = failureText(id, data === undefined ? { code, message } : { code, message, data });
  exchange.respond(status, { ...jsonHeaders, ...headers }, text);
}

/** Responds that the server cannot serve a request now, with the reason `message`. */
export function unavailable(exchange: Exchange, message: string, id: Id | null = null): void {
  refuse(exchange, 503, rpcError('InternalError', message), { id, headers: retryLater });
}

/** Responds that a body could not be read. */
export function refuseBody(exchange: Exchange, { status, message }: BodyError): void {
  const headers = status === 429 || status === 503 ? retrySoon : undefined;
  refuse(exchange, status, rpcError('InvalidRequest', message), { headers });
}

/** Responds that too much is open, of one owner (429) or in total (503). */
export function refuseShare(exchange: Exchange, status: 429 | 503, message: string): void {
  refuse(exchange, status, rpcError('InternalError', message), { headers: retrySoon });
}

/** Returns a server-sent event with a message. */
export function eventText(text: JsonText, id?: string): JsonText {
  const head = id === undefined ? 'data: ' : `id: ${id}\ndata: `;
  return typeof text === 'string' ? `${head}${text}\n\n` : [head, ...text, '\n\n'];
}

/** A comment that keeps a quiet stream open; clients ignore it. */
export const keepAliveComment = ': keep-alive\n\n';
