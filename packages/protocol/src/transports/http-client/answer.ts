import { AnswerError } from '../../client/errors.ts';
import type { ChannelEvents } from '../../client/transport.ts';
import type { Id } from '../../jsonrpc/message.ts';
import { readRefusal, readText } from './body.ts';
import { type HttpResponse, isEventStream, isOk, mediaType, release } from './carrier.ts';

/** The headers of every POST. */
export const postFields = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
} as const;

/** Passes on the response to a request if it is one body, or throws; returns false if it is a stream. */
export async function takeBody(
  response: HttpResponse,
  { id, method }: { id: Id; method: string },
  events: ChannelEvents,
  limit: number,
): Promise<boolean> {
  if (isEventStream(response)) return false;
  if (!isOk(response)) throw await readRefusal(response, method);
  if (mediaType(response) === 'application/json') {
    events.answer(id, await readText(response, limit));
    return true;
  }
  void release(response);
  const what = mediaType(response) ?? `HTTP status ${response.status}`;
  throw new AnswerError(`the server responded to ${method} with ${what} instead of a message`);
}
