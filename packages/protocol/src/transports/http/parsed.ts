import type { IncomingMessage } from 'node:http';
import { decodeBody, tooLong } from './body.ts';
import { BodyError } from './exchange.ts';

/**
 * Returns the body of a request that a framework has read, as text or with what is wrong about it, or undefined while
 * nobody has read from it. Frameworks leave the parsed value, the text or the bytes in `request.body`.
 */
export function bodyReadBefore(request: IncomingMessage, limit: number): string | BodyError | undefined {
  // Express 4 sets `body` also where it has read nothing, so that the stream decides
  if (!request.readableDidRead && !request.readableEnded) return undefined;
  const { body } = request as { body?: unknown }; // node:http itself sets none
  if (body === undefined) return new BodyError(400, READ_BEFORE);
  const text = textOf(body);
  if (typeof text !== 'string') return text;
  // a decompressed body is longer than its headers say
  return text.length > limit || Buffer.byteLength(text) > limit ? tooLong(limit) : text;
}

const READ_BEFORE =
  'the body was read before it came to this handler; put it in request.body, or mount the handler before what reads bodies';

function textOf(body: unknown): string | BodyError {
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array)
    return decodeBody(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
  try {
    const text: unknown = JSON.stringify(body);
    if (typeof text === 'string') return text;
  } catch {
    // a circle, a bigint or more levels than the stack has: the answer says what is wanted
  }
  return new BodyError(
    400,
    'request.body holds what is no JSON; put the parsed JSON, the text or the bytes there',
  );
}
