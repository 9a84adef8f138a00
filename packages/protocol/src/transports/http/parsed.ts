import type { IncomingMessage } from 'node:http';
import { decodeBody, tooLong } from './body.ts';
import { BodyError } from './exchange.ts';

/**
 * Returns the body of a request that a framework has read, as text or an error, or undefined if nobody has
 * read it. Frameworks leave the parsed value, the text or the bytes in `request.body`.
 */
export function bodyReadBefore(request: IncomingMessage, limit: number): string | BodyError | undefined {
  // Express 4 sets `body` even if it has read nothing, so the stream decides
  if (!request.readableDidRead && !request.readableEnded) return undefined;
  const { body } = request as { body?: unknown }; // node:http has no such member
  if (body === undefined) return new BodyError(400, READ_BEFORE);
  const text = textOf(body);
  if (typeof text !== 'string') return text;
  // a decompressed body is longer than its headers say
  return text.length > limit || Buffer.byteLength(text) > limit ? tooLong(limit) : text;
}

const READ_BEFORE =
  'the body was read before this handler; put it in request.body, or mount the handler before the body parser';

function textOf(body: unknown): string | BodyError {
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array)
    return decodeBody(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
  try {
    const text: unknown = JSON.stringify(body);
    if (typeof text === 'string') return text;
  } catch {
    // a circular value, a bigint or a value nested too deeply: the error says what is required
  }
  return new BodyError(400, 'request.body is not JSON; put the parsed JSON, the text or the bytes there');
}
