import { AnswerLostError, HttpError, toError } from '../../client/errors.ts';
import { statelessCodes } from '../../client/negotiate.ts';
import type { ChannelEvents } from '../../client/transport.ts';
import { pause } from '../../client/wait.ts';
import { ConnectionError, RpcError } from '../../jsonrpc/errors.ts';
import type { Id, JsonText } from '../../jsonrpc/message.ts';
import type { Outbound } from '../../jsonrpc/peer.ts';
import type { Revision } from '../../protocol/revisions.ts';
import { takeBody } from './answer.ts';
import { readRefusal } from './body.ts';
import type { Caller } from './caller.ts';
import { type HttpResponse, isOk, release } from './carrier.ts';
import { follow, isPassing } from './event-stream.ts';
import { type InitialRequest, initializeAgain } from './initialize.ts';
import type { HttpSettings } from './options.ts';
import { PendingRequests } from './pending-requests.ts';
import { delayBefore } from './reconnect.ts';
import { Sequence } from './sequence.ts';
import { ServerStream } from './server-stream.ts';
import { SessionRequests, sessionOf } from './session-requests.ts';

/** Tries another transport after the server refused `initialize`; returns true if the message was sent that way. */
export type Fallback = (text: JsonText, message: Outbound, signal: AbortSignal) => Promise<boolean>;

interface SessionOptions {
  caller: Caller;
  settings: HttpSettings;
  events: ChannelEvents;
  fallback: Fallback;
}

interface Sent {
  response: HttpResponse;
  session: string | undefined;
}

/** The longest time for the DELETE of a session, in milliseconds. */
const DELETE_TIMEOUT_MS = 2000;

/**
 * A session of the handshake era: a POST per message, a stream for messages of the server, and a new session
 * when the server has lost this one.
 * Source: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#streamable-http
 */
export class Session {
  readonly #settings: HttpSettings;
  readonly #events: ChannelEvents;
  readonly #fallback: Fallback;
  readonly #requests: SessionRequests;
  readonly #serverStream: ServerStream;
  readonly #pending = new PendingRequests();
  readonly #sequence = new Sequence();
  readonly #closing = new AbortController();
  #id: string | undefined;
  #initialRequest: InitialRequest | undefined;
  #renewal: Promise<void> | undefined;
  /** restarts of the session since the last standalone stream */
  #fruitless = 0;

  constructor({ caller, settings, events, fallback }: SessionOptions) {
    this.#settings = settings;
    this.#events = events;
    this.#fallback = fallback;
    this.#requests = new SessionRequests(caller, events);
    this.#serverStream = new ServerStream({
      requests: this.#requests,
      settings,
      events,
      opened: () => {
        this.#fruitless = 0;
      },
      forgotten: (session) => void this.#recover(session),
    });
  }

  /** Sends a message; the result is reported as events. */
  send(text: JsonText, message: Outbound | undefined): void {
    if (message === undefined) this.#respond(text);
    else if (message.id === undefined) this.#notify(text, message.method);
    else if (message.method === 'initialize') this.#begin(text, { ...message, id: message.id });
    else this.#request(text, message.id, message.method);
  }

  settle(revision: Revision): void {
    this.#requests.revision = revision;
  }

  /** Stops waiting for a request; the server needs a notification as well. */
  abandon(id: Id): void {
    this.#pending.abandon(id);
  }

  /** Ends the session; nothing more is reported about it. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#serverStream.stop();
    this.#pending.close();
    if (this.#id === undefined) return;
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), DELETE_TIMEOUT_MS);
    try {
      await this.#requests.delete(this.#id, patience.signal);
    } catch {
      // the server may be gone, or not support DELETE
    } finally {
      clearTimeout(timer);
    }
  }

  #begin(text: JsonText, message: Outbound & { id: Id }): void {
    const { id, method } = message;
    this.#initialRequest = { id, text };
    void this.#pending.run(
      id,
      async (signal) => {
        const response = await this.#requests.post(text, {
          signal,
          session: undefined,
          id,
          unversioned: true,
        });
        if (isOk(response)) {
          const session = sessionOf(response);
          this.#id = session;
          await this.#takeAnswer({ response, session }, id, method, signal);
          return;
        }
        const refusal = await readRefusal(response, method);
        const isNew = refusal instanceof RpcError && statelessCodes.has(refusal.code);
        const mayBeOld = [400, 404, 405].includes(response.status) && !isNew;
        if (!mayBeOld || !(await this.#fallback(text, message, signal))) throw refusal;
      },
      (error) => this.#events.failed(id, error),
    );
  }

  #request(text: JsonText, id: Id, method: string): void {
    const turn = this.#sequence.last;
    void this.#pending.run(
      id,
      async (signal) => {
        await turn;
        const sent = await this.#post(text, { signal, id, method });
        if (isOk(sent.response)) this.#serverStream.resume(sent.session);
        await this.#takeAnswer(sent, id, method, signal);
      },
      (error) => this.#events.failed(id, error),
    );
  }

  #notify(text: JsonText, method: string): void {
    const post = async (signal: AbortSignal): Promise<void> => {
      const { response, session } = await this.#post(text, { signal, method });
      if (!isOk(response)) throw await readRefusal(response, method);
      void release(response);
      if (method === 'notifications/initialized') this.#serverStream.start(session);
    };
    this.#sequence.take(() => this.#pending.run(undefined, post, (error) => this.#events.fault(error)));
  }

  #respond(text: JsonText): void {
    void this.#pending.run(
      undefined,
      async (signal) => {
        // the request that this responds to belongs to this session only
        const response = await this.#requests.post(text, { signal, session: this.#id });
        if (!isOk(response)) throw await readRefusal(response, 'a response');
        void release(response);
      },
      (error) => this.#events.fault(error),
    );
  }

  /** Posts a message; if the server has lost the session, posts it again in a new one. */
  async #post(text: JsonText, what: { signal: AbortSignal; id?: Id; method: string }): Promise<Sent> {
    for (let again = false; ; again = true) {
      await this.#renewal;
      what.signal.throwIfAborted();
      const session = this.#id;
      const response = await this.#requests.post(text, { ...what, session });
      if (response.status !== 404 || session === undefined || again) return { response, session };
      const refusal = await readRefusal(response, what.method);
      if (!(await this.#renew(session))) throw refusal;
    }
  }

  /** Waits for the response to a request, over as many connections as the server uses for it. */
  async #takeAnswer({ response, session }: Sent, id: Id, method: string, signal: AbortSignal): Promise<void> {
    if (await takeBody(response, { id, method }, this.#events, this.#settings.messageLimit)) return;
    const failure = await follow(
      {
        open: (lastEventId) => {
          if (session !== this.#id) throw new HttpError(404, 'the session has ended');
          return this.#requests.get(session, lastEventId, signal);
        },
        message: (text) => this.#events.message(text),
        fault: (error) => this.#events.failed(id, error),
        over: () => !this.#events.waits(id),
        needsPosition: true,
        signal,
      },
      this.#settings,
      response,
    );
    if (failure === undefined) return;
    const message = `the response to ${method} was lost: ${failure.message}`;
    throw new AnswerLostError(message, { cause: failure });
  }

  /**
   * Starts a new session after the server has lost this one; returns false if there was none. The refused
   * message was not executed, so it can be sent again.
   * Source: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
   */
  async #renew(lost: string): Promise<boolean> {
    if (this.#initialRequest === undefined) return false;
    if (this.#id === lost) {
      this.#renewal ??= this.#beginAgain(this.#initialRequest).finally(() => {
        this.#renewal = undefined;
      });
      await this.#renewal;
    }
    return true;
  }

  /** Starts a new session for the standalone stream, although no caller waits. */
  async #recover(session: string): Promise<void> {
    const { signal } = this.#closing;
    let failure: Error = new HttpError(
      404,
      'messages that the server sends on its own are not received: no session has a stream',
    );
    try {
      for (;;) {
        if (this.#fruitless > 0) {
          const delay = delayBefore(this.#fruitless, undefined, this.#settings.reconnect);
          if (delay === undefined) throw failure;
          await pause(delay, signal);
        }
        this.#fruitless += 1;
        const thrown = await this.#renew(session).then(() => undefined, toError);
        if (thrown === undefined) return;
        failure = thrown;
        // a restarted server may be restarted again
        const isForgotten = failure instanceof HttpError && failure.status === 404;
        if (!isForgotten && !(failure instanceof ConnectionError && isPassing(failure))) throw failure;
      }
    } catch (error) {
      if (!signal.aborted) this.#events.fault(toError(error));
    }
  }

  async #beginAgain(initialRequest: InitialRequest): Promise<void> {
    // the old stream stays open in the meantime: if this fails, it detects that it must be tried again
    const { signal } = this.#closing;
    const limit = this.#settings.messageLimit;
    this.#id = await initializeAgain(initialRequest, this.#requests, this.#events, { signal, limit });
    signal.throwIfAborted();
    this.#serverStream.start(this.#id);
    // after the messages that wait for the session
    setImmediate(() => this.#events.renewed());
  }
}
