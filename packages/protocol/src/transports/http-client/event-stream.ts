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
  /** called for an event that was dropped */
  fault(error: Error): void;
  retry?(milliseconds: number): void;
  /** returns true if nothing more is needed from the stream */
  over(): boolean;
}

/** The end of a stream. */
export interface StreamEnd {
  readonly lastEventId: string | undefined;
  /** the error that ended it, or undefined if the server closed it */
  readonly error: Error | undefined;
}

/** Reads the events of a response to its end, which is forced soon after nothing more is needed. */
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
      // the server closes the stream after the response; its connection can be reused if that is soon
      if (leaving === undefined && sink.over()) leaving = setTimeout(() => response.cancel(), RELEASE_MS);
    }
  } catch (thrown) {
    error = toError(thrown);
  } finally {
    clearTimeout(leaving);
  }
  return { lastEventId: reader.lastEventId, error };
}

/** A stream of messages that is continued on further connections. */
export interface Followed {
  /** requests the stream, or the events after one of its events */
  open(lastEventId: string | undefined): Promise<HttpResponse>;
  message(text: string): void;
  fault(error: Error): void;
  over(): boolean;
  /** true if it can be continued only after one of its events */
  readonly needsPosition: boolean;
  readonly signal: AbortSignal;
}

/** Statuses of temporary failures. */
const passing = new Set([408, 409, 425, 429, 500, 502, 503, 504]);

/**
 * Follows a stream over several connections, from a response or from its beginning. Resolves with undefined
 * when nothing more is needed, or with the reason why it cannot be continued.
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
          // an event without data only sets the position
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
      // the stream was cancelled in the meantime
      return undefined;
    }
    if (stream.over()) return undefined;
    next = await reopen(stream, lastEventId);
  }
}

/** Returns true if a failure to open a stream may be temporary. */
export function isPassing(failure: Error): boolean {
  return failure instanceof HttpError ? passing.has(failure.status) : failure instanceof ConnectionError;
}

async function reopen(stream: Followed, lastEventId: string | undefined): Promise<HttpResponse | Error> {
  try {
    const response = await stream.open(lastEventId);
    if (isEventStream(response)) return response;
    void release(response);
    const { status } = response;
    const instead = status === 200 ? `${mediaType(response)} instead of events` : `HTTP status ${status}`;
    return new HttpError(status, `the server responded to GET with ${instead}`);
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
