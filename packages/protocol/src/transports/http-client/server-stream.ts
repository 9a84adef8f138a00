import { AnswerLostError, HttpError } from '../../client/errors.ts';
import type { ChannelEvents } from '../../client/transport.ts';
import { isEventStream } from './carrier.ts';
import { follow, isPassing } from './event-stream.ts';
import type { HttpSettings } from './options.ts';
import type { SessionRequests } from './session-requests.ts';

interface ServerStreamOptions {
  requests: SessionRequests;
  settings: HttpSettings;
  events: ChannelEvents;
  /** called when the server has opened the stream */
  opened(): void;
  /** called when the server, which has had a stream in this session or an earlier one, no longer knows this one */
  forgotten(session: string): void;
}

/**
 * The standalone stream of a session for messages of the server: a GET that is sent again whenever it ends.
 * Source: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#listening-for-messages-from-the-server
 */
export class ServerStream {
  readonly #options: ServerStreamOptions;
  #listening: AbortController | undefined;
  /** true if the server has such a stream */
  #exists = false;
  /** true if reconnecting was given up because the server was unreachable */
  #paused = false;

  constructor(options: ServerStreamOptions) {
    this.#options = options;
  }

  /** Listens in a session, and no longer in the previous one; `again` means that there was a stream before. */
  start(session: string | undefined, again = false): void {
    const { requests, settings, events, opened } = this.#options;
    this.stop();
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    let [had, position]: [boolean, string | undefined] = [false, undefined];
    // an earlier attempt may have opened a stream whose messages were lost
    let mayHaveLost = again;
    const followed = follow(
      {
        open: async (lastEventId = '') => {
          position = lastEventId;
          const hasLost = mayHaveLost;
          mayHaveLost = true;
          const response = await requests.get(session, lastEventId, signal);
          if (!isEventStream(response)) return response;
          opened();
          this.#exists = true;
          // messages since the last connection are not sent again
          if (hasLost && lastEventId === '') events.missed();
          had = true;
          return response;
        },
        message: (text) => events.message(text),
        fault: (error) => events.fault(error),
        over: () => signal.aborted,
        needsPosition: false,
        signal,
      },
      settings,
    );
    void followed.then((failure) => {
      if (failure === undefined) return;
      // a server need not store events for ever
      if (failure instanceof HttpError && failure.status === 400 && had && position !== '')
        this.start(session, true);
      else this.#ended(failure, session);
    });
  }

  /** Listens again after reconnecting was given up; called when the server responds. */
  resume(session: string | undefined): void {
    if (this.#paused) this.start(session, true);
  }

  stop(): void {
    this.#paused = false;
    this.#listening?.abort();
  }

  #ended(failure: Error, session: string | undefined): void {
    const { events, forgotten } = this.#options;
    const status = failure instanceof HttpError ? failure.status : undefined;
    // the stream is optional for servers
    if (status === 405) return;
    if (status === 404 && session !== undefined && this.#exists) {
      forgotten(session);
      return;
    }
    this.#paused = isPassing(failure);
    const message = `messages that the server sends on its own are not received: ${failure.message}`;
    events.fault(new AnswerLostError(message, { cause: failure }));
  }
}
