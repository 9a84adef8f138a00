import { AnswerError, AnswerLostError, HttpError } from '../../client/errors.ts';
import type { ChannelEvents } from '../../client/transport.ts';
import { boundsFault } from '../../jsonrpc/bounds.ts';
import { RpcError } from '../../jsonrpc/errors.ts';
import { classify, type Id, type JsonText, type Params, type Response } from '../../jsonrpc/message.ts';
import { notificationText } from '../../jsonrpc/text.ts';
import { readRefusal, readText } from './body.ts';
import { type HttpResponse, isEventStream, isOk, release } from './carrier.ts';
import { isPassing, readEvents } from './event-stream.ts';
import { type SessionRequests, sessionOf } from './session-requests.ts';

/** The `initialize` request of a session. */
export interface InitialRequest {
  id: Id;
  text: JsonText;
}

/** Sends the same `initialize` again; returns the id of the new session. */
export async function initializeAgain(
  { id, text }: InitialRequest,
  requests: SessionRequests,
  events: ChannelEvents,
  { limit, signal }: { limit: number; signal: AbortSignal },
): Promise<string | undefined> {
  const response = await requests.post(text, { signal, session: undefined, unversioned: true });
  const { protocolVersion } = await readResult(response, id, events, limit);
  if (protocolVersion !== requests.revision) {
    const now = String(protocolVersion);
    throw new AnswerError(`the server lost the session and now uses ${now} instead of ${requests.revision}`);
  }
  const session = sessionOf(response);
  const method = 'notifications/initialized';
  const acknowledgement = await requests.post(notificationText(method, undefined), { signal, session });
  if (!isOk(acknowledgement)) throw await readPassing(acknowledgement, method);
  void release(acknowledgement);
  return session;
}

async function readResult(
  response: HttpResponse,
  id: Id,
  events: ChannelEvents,
  limit: number,
): Promise<Params> {
  if (!isOk(response)) throw await readPassing(response, 'initialize');
  const answer = isEventStream(response)
    ? await readAnswer(response, id, events, limit)
    : answerIn(await readText(response, limit), id);
  if (answer === undefined) throw new AnswerError('the server sent a response to initialize with another id');
  if ('result' in answer) return answer.result;
  const { code, message, data } = answer.error;
  throw new RpcError(code, message, { data });
}

/** Returns the error of a refusal; a temporary one keeps its HTTP status. */
async function readPassing(response: HttpResponse, what: string): Promise<Error> {
  const refusal = await readRefusal(response, what);
  const plain = new HttpError(response.status, refusal.message);
  return isPassing(plain) || response.status === 404 ? plain : refusal;
}

async function readAnswer(
  response: HttpResponse,
  id: Id,
  events: ChannelEvents,
  limit: number,
): Promise<Response> {
  let answer: Response | undefined;
  const { error } = await readEvents(response, limit, {
    event: ({ type, data }) => {
      if (type !== 'message' || data === '') return;
      const found = answerIn(data, id);
      if (found === undefined) events.message(data);
      answer ??= found;
    },
    fault: (fault) => events.fault(fault),
    over: () => answer !== undefined,
  });
  if (answer === undefined)
    throw new AnswerLostError('the response to initialize was lost', { cause: error });
  return answer;
}

function answerIn(text: string, id: Id): Response | undefined {
  if (boundsFault(text) !== undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // not a message
    return undefined;
  }
  const classified = classify(value);
  return classified.kind === 'response' && classified.message.id === id ? classified.message : undefined;
}
