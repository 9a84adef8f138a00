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
import { Flights } from './flights.ts';
import type { HttpSettings } from './options.ts';
import { isRepeatable } from './repeatable.ts';
import { Sequence } from './sequence.ts';
import { versionFields } from './session-requests.ts';

/** How long a server may take to say where messages go, when it may be another kind of server. */
const ENDPOINT_MS = 5000;

/**
 * A conversation with a server of 2024-11-05: one stream for all that the server says, and the URL that its first
 * event names for what it is told.
 * Source: https://modelcontextprotocol.io/specification/2024-11-05/basic/transports#http-with-sse
 */
export class SseChannel implements Channel {
  readonly #caller: Caller;
  readonly #settings: HttpSettings;
  readonly #flights = new Flights();
  readonly #sequence = new Sequence();
  readonly #listening = new AbortController();
  #endpoint: Promise<URL> | undefined;
  #events: ChannelEvents | undefined;
  /** what was said before somebody listened */
  readonly #early: string[] = [];
  #revision: Revision | undefined;
  #ended: string | undefined;

  constructor(caller: Caller, settings: HttpSettings) {
    this.#caller = caller;
    this.#settings = settings;
  }

  /** Whether the server is of that kind; does not wait long. */
  async isThere(signal: AbortSignal): Promise<boolean> {
    const stop = (): void => this.#listening.abort();
    const timer = setTimeout(stop, ENDPOINT_MS);
    signal.addEventListener('abort', stop, { once: true });
    try {
      await this.#open();
      return true;
    } catch {
      // what the server said to the newer transport is the better error
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
      // that the stream could not be had is told as the end of the conversation
    });
  }

  send(text: JsonText, message?: Outbound): void {
    const id = message?.id;
    const turn = this.#sequence.last;
    const post = (): Promise<void> =>
      this.#flights.run(
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
    this.#flights.abandon(id);
    // the server must be told in words
    return false;
  }

  async close(): Promise<void> {
    this.#ended ??= 'the client was closed';
    this.#listening.abort();
    this.#flights.close();
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

  /** The URL for messages, once the stream has said it. */
  #open(): Promise<URL> {
    this.#endpoint ??= new Promise((found, failed) => {
      void this.#listen(found).then((error) => {
        failed(error);
        this.#end(error.message);
      });
    });
    return this.#endpoint;
  }

  /** Listens to the stream; resolves with the reason for its end. */
  async #listen(found: (endpoint: URL) => void): Promise<Error> {
    const { signal } = this.#listening;
    try {
      const fields = { accept: 'text/event-stream' };
      const response = await this.#caller.call({ method: 'GET', fields, signal });
      if (!isOk(response)) return await readRefusal(response, 'GET');
      if (!isEventStream(response)) {
        void release(response);
        return new AnswerError('the server answered GET with no stream of events');
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
    this.#flights.close();
    this.#events?.closed(reason);
  }
}

/** Where messages go, as the first event of a stream says; never to another origin. */
function endpointIn({ type, data }: SseEvent, url: URL): URL {
  if (type !== 'endpoint') throw new AnswerError(`the first event of the stream is ${type}, not endpoint`);
  if (!URL.canParse(data, url.href)) throw new AnswerError('the endpoint that the server names is no URL');
  const endpoint = new URL(data, url);
  if (endpoint.origin !== url.origin) {
    throw new AnswerError(`the endpoint that the server names is of another origin, ${endpoint.origin}`);
  }
  return endpoint;
}
