import { AnswerError, AnswerLostError, HttpError, toError } from '../../client/errors.ts';
import { pause } from '../../client/wait.ts';
import { ConnectionError } from '../../jsonrpc/errors.ts';
import { type SseEvent, SseReader } from '../../jsonrpc/sse.ts';
import { tooLong } from './body.ts';
import { type HttpResponse, isEventStream, mediaType, RELEASE_MS, release } from './carrier.ts';
import type { HttpSettings } from './options.ts';
import { delayBefore, wasUseful } from './reconnect.ts';

export interface EventSink {
  event(event: SseEvent): void;
  /** an event that was dropped */
  fault(error: Error): void;
  retry?(milliseconds: number): void;
  /** whether nothing more is wanted of the stream */
  over(): boolean;
}

/** How a stream ended. */
export interface StreamEnd {
  readonly lastEventId: string | undefined;
  /** what broke it, or undefined when the server ended it */
  readonly error: Error | undefined;
}

/** Reads the events of a response to its end, which comes soon once nothing more is wanted. */
export async function readEvents(response: HttpResponse, limit: number, sink: EventSink): Promise<StreamEnd> {
  const reader = new SseReader(
    {
      event: (event) => sink.event(event),
      retry: (milliseconds) => sink.retry?.(milliseconds),
      fault: (reason) =>
        sink.fault(
          reason === 'too-long'
            ? tooLong(limit)
            : new AnswerError('the server sent an event that is not UTF-8'),
        ),
    },
    limit,
  );
  let leaving: NodeJS.Timeout | undefined;
  let error: Error | undefined;
  try {
    for await (const chunk of response.chunks) {
      reader.push(chunk);
      // the server ends the stream after the answer; its connection can be used again if it does so soon
      if (leaving === undefined && sink.over()) leaving = setTimeout(() => response.cancel(), RELEASE_MS);
    }
  } catch (thrown) {
    error = toError(thrown);
  } finally {
    clearTimeout(leaving);
  }
  return { lastEventId: reader.lastEventId, error };
}

/** A stream of messages that outlives its connections. */
export interface Followed {
  /** asks for the stream, or for what comes after one of its events */
  open(lastEventId: string | undefined): Promise<HttpResponse>;
  message(text: string): void;
  fault(error: Error): void;
  over(): boolean;
  /** whether it can only be taken up again after one of its events */
  readonly needsPosition: boolean;
  readonly signal: AbortSignal;
}

/** Statuses that may be others the next time. */
const passing = new Set([408, 409, 425, 429, 500, 502, 503, 504]);

/**
 * Follows a stream over as many connections as it takes, from a response or from its beginning. Resolves with
 * undefined when nothing more is wanted of it, or with the reason why it cannot be followed further.
 * Source: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery
 */
export async function follow(
  stream: Followed,
  { messageLimit, reconnect }: HttpSettings,
  begun?: HttpResponse,
): Promise<Error | undefined> {
  let fruitless = 0;
  let [lastEventId, retry]: [string | undefined, number | undefined] = [undefined, undefined];
  let next: HttpResponse | Error = begun ?? (await reopen(stream, lastEventId));
  for (;;) {
    let reason: Error | undefined;
    if (!(next instanceof Error)) {
      let messages = 0;
      const opened = performance.now();
      const end = await readEvents(next, messageLimit, {
        event: ({ type, data }) => {
          // an event without data tells only where the stream stands
          if (type !== 'message' || data === '') return;
          messages += 1;
          stream.message(data);
        },
        retry: (milliseconds) => (retry = milliseconds),
        fault: (error) => stream.fault(error),
        over: () => stream.over(),
      });
      if (wasUseful(messages, performance.now() - opened)) fruitless = 0;
      reason = end.error;
      lastEventId = end.lastEventId ?? lastEventId;
    } else reason = next;
    if (stream.over() || stream.signal.aborted) return undefined;
    if (next instanceof Error && !isPassing(next)) return next;
    if (stream.needsPosition && (lastEventId === undefined || lastEventId === '')) return lost(reason);
    fruitless += 1;
    const delay = delayBefore(fruitless, retry, reconnect);
    if (delay === undefined) return lost(reason);
    try {
      await pause(delay, stream.signal);
    } catch {
      // the stream was given up in the meantime
      return undefined;
    }
    if (stream.over()) return undefined;
    next = await reopen(stream, lastEventId);
  }
}

/** Whether a stream that could not be had may be there the next time. */
export function isPassing(failure: Error): boolean {
  return failure instanceof HttpError ? passing.has(failure.status) : failure instanceof ConnectionError;
}

async function reopen(stream: Followed, lastEventId: string | undefined): Promise<HttpResponse | Error> {
  try {
    const response = await stream.open(lastEventId);
    if (isEventStream(response)) return response;
    void release(response);
    const { status } = response;
    const instead = status === 200 ? `${mediaType(response)} in place of events` : `HTTP status ${status}`;
    return new HttpError(status, `the server answered GET with ${instead}`);
  } catch (error) {
    return toError(error);
  }
}

function lost(cause: Error | undefined): Error {
  if (cause instanceof ConnectionError) return cause;
  return new AnswerLostError(cause === undefined ? 'the server closed its stream' : 'the connection ended', {
    cause,
  });
}
