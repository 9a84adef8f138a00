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
  /** called when the server has begun to talk */
  opened(): void;
  /** called when the server, which has talked in this session or another, no longer knows this one */
  forgotten(session: string): void;
}

/**
 * What a server says unasked in a session, over a GET that is sent again whenever it ends.
 * Source: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#listening-for-messages-from-the-server
 */
export class ServerStream {
  readonly #options: ServerStreamOptions;
  #listening: AbortController | undefined;
  /** the server has such a stream */
  #exists = false;
  /** it was given up because the server was away */
  #paused = false;

  constructor(options: ServerStreamOptions) {
    this.#options = options;
  }

  /** Listens in a session, and no longer in another; `again` says that it was listened to before. */
  start(session: string | undefined, again = false): void {
    const { requests, settings, events, opened } = this.#options;
    this.stop();
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    let [had, position]: [boolean, string | undefined] = [false, undefined];
    // what was asked for may have been opened, and have carried what never came
    let mayLack = again;
    const followed = follow(
      {
        open: async (lastEventId = '') => {
          position = lastEventId;
          const lacks = mayLack;
          mayLack = true;
          const response = await requests.get(session, lastEventId, signal);
          if (!isEventStream(response)) return response;
          opened();
          this.#exists = true;
          // what came since the last connection is not made up for
          if (lacks && lastEventId === '') events.missed();
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
      // a server need not keep what came after an event for ever
      if (failure instanceof HttpError && failure.status === 400 && had && position !== '')
        this.start(session, true);
      else this.#ended(failure, session);
    });
  }

  /** Listens again if that was given up; called when the server is there. */
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
    // servers need not have such a stream
    if (status === 405) return;
    if (status === 404 && session !== undefined && this.#exists) {
      forgotten(session);
      return;
    }
    this.#paused = isPassing(failure);
    const message = `what the server says unasked is not heard: ${failure.message}`;
    events.fault(new AnswerLostError(message, { cause: failure }));
  }
}
