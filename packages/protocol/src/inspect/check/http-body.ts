import { isObject } from '../../jsonrpc/message.ts';
import { SseReader } from '../../jsonrpc/sse.ts';
import { type HttpResponse, mediaType } from '../../transports/http-client/carrier.ts';
import type { Answer, HttpReply } from './wire.ts';

/** Milliseconds that a stream may stay open after its response. */
const LINGER_MS = 1000;
const MESSAGE_LIMIT = 64 * 1024 * 1024;

/** The part of a body to read. */
export interface Wanted {
  /** returns true when enough has arrived */
  readonly done?: (() => boolean) | undefined;
  /** closes the response as soon as it is done */
  readonly leave?: boolean | undefined;
  /** timeout of the response in milliseconds */
  readonly patience: number;
}

/** Reads the body of a response until it ends or enough has arrived, and passes on each message in it. */
export async function readBody(
  response: HttpResponse,
  { done, leave, patience }: Wanted,
  hear: (text: string) => void,
): Promise<Pick<HttpReply, 'body' | 'ended'>> {
  const parts: Uint8Array[] = [];
  const isStream = mediaType(response) === 'text/event-stream';
  const sse = new SseReader(
    {
      event: ({ type, data }) => {
        if (type === 'message' && data !== '') hear(data);
      },
      retry: () => {},
      fault: () => {},
    },
    MESSAGE_LIMIT,
  );
  let left = false;
  const leaveNow = (): void => {
    left = true;
    response.cancel();
  };
  let timer = setTimeout(leaveNow, patience);
  let lingering = false;
  try {
    for await (const chunk of response.chunks) {
      parts.push(chunk);
      if (isStream) sse.push(chunk);
      if (!isStream || lingering || done?.() !== true) continue;
      lingering = true;
      clearTimeout(timer);
      if (leave === true) leaveNow();
      else timer = setTimeout(leaveNow, LINGER_MS);
    }
  } catch {
    // an incomplete body was not ended by the server
    left = true;
  } finally {
    clearTimeout(timer);
  }
  const body = Buffer.concat(parts).toString('utf8');
  if (!isStream && mediaType(response) === 'application/json' && body !== '') hear(body);
  return { body, ended: !left };
}

/** Returns the JSON-RPC error in the body of a reply, if there is one. */
export function refusalIn(reply: HttpReply | undefined): Pick<Answer, 'error' | 'result'> {
  try {
    const value: unknown = JSON.parse(reply?.body ?? '');
    return { error: isObject(value) && isObject(value.error) ? value.error : undefined, result: undefined };
  } catch {
    // a body that is not JSON has no error
    return { error: undefined, result: undefined };
  }
}
