import type { RpcError } from '../../jsonrpc/errors.ts';
import type { Id, JsonText } from '../../jsonrpc/message.ts';
import { failureText } from '../../jsonrpc/text.ts';
import { errors, rpcError } from '../../protocol/errors.ts';
import type { BodyError, Exchange, Headers } from './exchange.ts';

export const jsonHeaders: Headers = { 'Content-Type': 'application/json' };

export const eventStreamHeaders: Headers = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  // proxies that collect an answer before they pass it on would hold events back
  'X-Accel-Buffering': 'no',
};

/** The header of a 503 of a server that is full or shutting down: by then there may be room, or another process. */
export const retryLater: Headers = { 'Retry-After': '10' };

/** The header of a refusal for what ends by itself in a while. */
const retrySoon: Headers = { 'Retry-After': '1' };

/** Unsent bytes above which what may wait or be dropped is. */
export const HIGH_WATER = 256 * 1024;

/**
 * The status that carries an error response when nothing was sent before it; the others are answers like results.
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

/** Answers with an error response that belongs to no request that was taken in. */
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

/** Answers that the server cannot serve a request now, for the reason that `message` gives. */
export function unavailable(exchange: Exchange, message: string, id: Id | null = null): void {
  refuse(exchange, 503, rpcError('InternalError', message), { id, headers: retryLater });
}

/** Answers that a body could not be read. */
export function refuseBody(exchange: Exchange, { status, message }: BodyError): void {
  const headers = status === 429 || status === 503 ? retrySoon : undefined;
  refuse(exchange, status, rpcError('InvalidRequest', message), { headers });
}

/** Answers that too much is open, of one owner (429) or of all (503). */
export function refuseShare(exchange: Exchange, status: 429 | 503, message: string): void {
  refuse(exchange, status, rpcError('InternalError', message), { headers: retrySoon });
}

/** One server-sent event that holds a message. */
export function eventText(text: JsonText, id?: string): JsonText {
  const head = id === undefined ? 'data: ' : `id: ${id}\ndata: `;
  return typeof text === 'string' ? `${head}${text}\n\n` : [head, ...text, '\n\n'];
}

/** Keeps a quiet stream open; clients ignore it. */
export const keepAliveComment = ': keep-alive\n\n';
