import { isUtf8 } from 'node:buffer';
import { AnswerError, AnswerLostError, HttpError } from '../../client/errors.ts';
import { ChunkBuffer } from '../../jsonrpc/chunk-buffer.ts';
import { RpcError } from '../../jsonrpc/errors.ts';
import { classify } from '../../jsonrpc/message.ts';
import { type HttpResponse, mediaType, release } from './carrier.ts';

const BYTE_ORDER_MARK = 0xfeff;
/** The maximum size of an error body that is read, in bytes. */
const REFUSAL_LIMIT = 1024 * 1024;

/** Returns the whole body as text; rejects if it is too long, not UTF-8 or incomplete. */
export async function readText({ chunks }: HttpResponse, limit: number): Promise<string> {
  const held = new ChunkBuffer();
  let length = 0;
  try {
    for await (const chunk of chunks) {
      length += chunk.length;
      if (length > limit) throw tooLong(limit);
      held.add(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    }
  } catch (cause) {
    if (cause instanceof AnswerError) throw cause;
    throw new AnswerLostError('the connection ended within a response', { cause });
  }
  const bytes = held.take();
  if (!isUtf8(bytes)) throw new AnswerError('the server sent a message that is not valid UTF-8');
  const text = bytes.toString('utf8');
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
}

export function tooLong(limit: number): AnswerError {
  return new AnswerError(
    `the server sent a message longer than ${limit} bytes; raise messageLimit to read it`,
  );
}

/** Returns the error of a refusal: the JSON-RPC error in its body, or its status. */
export async function readRefusal(response: HttpResponse, what: string): Promise<RpcError | HttpError> {
  const { status } = response;
  const plain = new HttpError(status, `the server responded to ${what} with HTTP status ${status}`);
  if (mediaType(response) !== 'application/json') {
    void release(response);
    return plain;
  }
  try {
    const classified = classify(JSON.parse(await readText(response, REFUSAL_LIMIT)));
    if (classified.kind !== 'response' || !('error' in classified.message)) return plain;
    const { code, message, data } = classified.message.error;
    return new RpcError(code, message, { data });
  } catch {
    // the status is enough if the body cannot be read
    return plain;
  }
}
