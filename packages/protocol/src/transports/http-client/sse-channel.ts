import { AnswerError, toError } from '../../client/errors.ts';
import type { Channel, ChannelEvents } from '../../client/transport.ts';
import type { Id, JsonText } from '../../jsonrpc/message.ts';
import type { Outbound } from '../../jsonrpc/peer.ts';
import type { SseEvent } from '../../jsonrpc/sse.ts';
import type { Revision } from '../../protocol/revisions.ts';
import { readRefusal } from './body.ts';
import type { Caller } from './caller.ts';
import { isEventStream, isOk, release } from './carrier.ts';
import { readEvents } from './event-stream.ts';
import type { HttpSettings } from './options.ts';
import { PendingRequests } from './pending-requests.ts';
import { isRepeatable } from './repeatable.ts';
import { Sequence } from './sequence.ts';
import { versionFields } from './session-requests.ts';

/** The longest time for the endpoint event in milliseconds, if the server may be of another kind. */
const ENDPOINT_MS = 5000;

/**
 * A connection to a server of 2024-11-05: one stream for all messages of the server, and a URL for messages
 * to it, which the first event names.
 * Source: https://modelcontextprotocol.io/specification/2024-11-05/basic/transports#http-with-sse
 */
export class SseChannel implements Channel {
  readonly #caller: Caller;
  readonly #settings: HttpSettings;
  readonly #pending = new PendingRequests();
  readonly #sequence = new Sequence();
  readonly #listening = new AbortController();
  #endpoint: Promise<URL> | undefined;
  #events: ChannelEvents | undefined;
  /** messages that arrived before the first listener */
  readonly #early: string[] = [];
  #revision: Revision | undefined;
  #ended: string | undefined;

  constructor(caller: Caller, settings: HttpSettings) {
    this.#caller = caller;
    this.#settings = settings;
  }

  /** Returns true if the server is of this kind; waits a short time only. */
  async isThere(signal: AbortSignal): Promise<boolean> {
    const stop = (): void => this.#listening.abort();
    const timer = setTimeout(stop, ENDPOINT_MS);
    signal.addEventListener('abort', stop, { once: true });
    try {
      await this.#open();
      return true;
    } catch {
      // the error of the newer transport is more useful
      stop();
      return false;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    }
  }

  start(events: ChannelEvents): void {
    this.#events = events;
    for (const text of this.#early) events.message(text);
    const ended = this.#ended;
    if (ended !== undefined) queueMicrotask(() => events.closed(ended));
    this.#open().catch(() => {
      // a failure is reported as the end of the connection
    });
  }

  send(text: JsonText, message?: Outbound): void {
    const id = message?.id;
    const turn = this.#sequence.last;
    const post = (): Promise<void> =>
      this.#pending.run(
        id,
        (signal) => this.#post(text, message, signal),
        (error) => (id === undefined ? this.#events?.fault(error) : this.#events?.failed(id, error)),
      );
    if (message !== undefined && id === undefined) this.#sequence.take(post);
    else if (turn === undefined) void post();
    else void turn.then(post);
  }

  get credentials(): string | undefined {
    return this.#caller.credentials;
  }

  drained(): undefined {
    // every message has its own connection
    return undefined;
  }

  settle(revision: Revision): void {
    this.#revision = revision;
  }

  abandon(id: Id): boolean {
    this.#pending.abandon(id);
    // the server needs a cancellation notification
    return false;
  }

  async close(): Promise<void> {
    this.#ended ??= 'the client was closed';
    this.#listening.abort();
    this.#pending.close();
    this.#caller.close();
  }

  async #post(text: JsonText, message: Outbound | undefined, signal: AbortSignal): Promise<void> {
    const url = await this.#open();
    const id = message?.id;
    const response = await this.#caller.call({
      method: 'POST',
      url,
      fields: { 'content-type': 'application/json', ...versionFields(this.#revision) },
      body: text,
      signal,
      revision: this.#revision,
      once: message !== undefined && !isRepeatable(message.method),
      ...(id !== undefined && { heldUp: (until: Promise<unknown>) => this.#events?.heldUp(id, until) }),
    });
    if (!isOk(response)) throw await readRefusal(response, message?.method ?? 'a response');
    void release(response);
  }

  /** Resolves with the URL for messages when the stream has named it. */
  #open(): Promise<URL> {
    this.#endpoint ??= new Promise((found, failed) => {
      void this.#listen(found).then((error) => {
        failed(error);
        this.#end(error.message);
      });
    });
    return this.#endpoint;
  }

  /** Reads the stream; resolves with the reason for its end. */
  async #listen(found: (endpoint: URL) => void): Promise<Error> {
    const { signal } = this.#listening;
    try {
      const fields = { accept: 'text/event-stream' };
      const response = await this.#caller.call({ method: 'GET', fields, signal });
      if (!isOk(response)) return await readRefusal(response, 'GET');
      if (!isEventStream(response)) {
        void release(response);
        return new AnswerError('the server responded to GET without an event stream');
      }
      let endpoint: URL | undefined;
      const { error } = await readEvents(response, this.#settings.messageLimit, {
        event: (event) => {
          if (endpoint === undefined) {
            endpoint = endpointIn(event, this.#caller.url);
            found(endpoint);
          } else if (event.type === 'message' && event.data !== '') this.#hear(event.data);
        },
        fault: (fault) => this.#events?.fault(fault),
        over: () => signal.aborted,
      });
      if (error instanceof AnswerError) return error;
      const how = error === undefined ? 'the server closed its stream' : 'the connection ended';
      return new AnswerError(how, { cause: error });
    } catch (error) {
      return toError(error);
    }
  }

  #hear(text: string): void {
    if (this.#events === undefined) this.#early.push(text);
    else if (this.#ended === undefined) this.#events.message(text);
  }

  #end(reason: string): void {
    if (this.#ended !== undefined) return;
    this.#ended = reason;
    this.#pending.close();
    this.#events?.closed(reason);
  }
}

/** Returns the URL for messages from the first event of a stream; throws for another origin. */
function endpointIn({ type, data }: SseEvent, url: URL): URL {
  if (type !== 'endpoint') throw new AnswerError(`the first event of the stream is ${type}, not endpoint`);
  if (!URL.canParse(data, url.href)) throw new AnswerError('the endpoint that the server names is not a URL');
  const endpoint = new URL(data, url);
  if (endpoint.origin !== url.origin) {
    throw new AnswerError(`the endpoint that the server names has another origin, ${endpoint.origin}`);
  }
  return endpoint;
}
