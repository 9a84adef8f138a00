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

/** The message that began a conversation. */
export interface Beginning {
  id: Id;
  text: JsonText;
}

/** Begins a conversation once more, as it was begun before; gives its session. */
export async function beginAgain(
  { id, text }: Beginning,
  requests: SessionRequests,
  events: ChannelEvents,
  { limit, signal }: { limit: number; signal: AbortSignal },
): Promise<string | undefined> {
  const response = await requests.post(text, { signal, session: undefined, unversioned: true });
  const { protocolVersion } = await readResult(response, id, events, limit);
  if (protocolVersion !== requests.revision) {
    const now = String(protocolVersion);
    throw new AnswerError(
      `the server forgot the session and now talks ${now} in place of ${requests.revision}`,
    );
  }
  const session = sessionOf(response);
  const method = 'notifications/initialized';
  const told = await requests.post(notificationText(method, undefined), { signal, session });
  if (!isOk(told)) throw await readPassing(told, method);
  void release(told);
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
  if (answer === undefined)
    throw new AnswerError('the server answered initialize with what is not its answer');
  if ('result' in answer) return answer.result;
  const { code, message, data } = answer.error;
  throw new RpcError(code, message, { data });
}

/** What a refusal says, as an error with its status where it may be another one the next time. */
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
  if (answer === undefined) throw new AnswerLostError('the answer to initialize was lost', { cause: error });
  return answer;
}

function answerIn(text: string, id: Id): Response | undefined {
  if (boundsFault(text) !== undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // what is no message is no answer
    return undefined;
  }
  const classified = classify(value);
  return classified.kind === 'response' && classified.message.id === id ? classified.message : undefined;
}
