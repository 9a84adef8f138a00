import { AnswerLostError, HttpError } from '../../client/errors.ts';
import type { Again, ChannelEvents } from '../../client/transport.ts';
import { ConnectionError, RpcError } from '../../jsonrpc/errors.ts';
import { type Id, isObject, type JsonText, type Params } from '../../jsonrpc/message.ts';
import type { Outbound } from '../../jsonrpc/peer.ts';
import { errors } from '../../protocol/errors.ts';
import { encodeHeaderValue, headerNames } from '../../protocol/headers.ts';
import { metaKeys } from '../../protocol/meta.ts';
import { methodIn } from '../../protocol/methods.ts';
import { isStatelessRevision } from '../../protocol/revisions.ts';
import { postFields, takeBody } from './answer.ts';
import { readRefusal } from './body.ts';
import type { Call, Caller } from './caller.ts';
import { type Fields, type HttpResponse, isOk, release } from './carrier.ts';
import { isPassing, readEvents } from './event-stream.ts';
import { Flights } from './flights.ts';
import type { HttpSettings } from './options.ts';
import { delayBefore, wasUseful } from './reconnect.ts';
import { isRepeatable } from './repeatable.ts';
import { ToolHeaders } from './tool-headers.ts';

interface StatelessOptions {
  caller: Caller;
  settings: HttpSettings;
  events: ChannelEvents;
}

/** One message on its way. */
interface Post {
  text: JsonText;
  /** the headers that say again what the body says; throws when they cannot */
  fields(): Fields;
  revision: string;
  signal: AbortSignal;
  /** it must not come to the server twice */
  once: boolean;
}

/** Most times that one request is sent. */
const MOST_ATTEMPTS = 3;

/**
 * The requests of the stateless era: each a POST of its own, whose response ends with the answer and is closed to
 * cancel it.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
export class StatelessRequests {
  readonly #caller: Caller;
  readonly #settings: HttpSettings;
  readonly #events: ChannelEvents;
  readonly #tools: ToolHeaders;
  readonly #flights = new Flights();

  constructor({ caller, settings, events }: StatelessOptions) {
    this.#caller = caller;
    this.#settings = settings;
    this.#events = events;
    this.#tools = new ToolHeaders((error) => events.fault(error));
  }

  /** Sends a request or a notification; what becomes of it is told as events. */
  send(text: JsonText, message: Outbound, revision: string): void {
    const { id } = message;
    const fields = (): Fields => this.#fieldsOf(message, revision);
    const once = !isRepeatable(message.method) && !this.#isRepeatableCall(message);
    if (id === undefined) {
      void this.#flights.run(
        undefined,
        (signal) => this.#notify({ text, fields, revision, signal, once }, message.method),
        (error) => this.#events.fault(error),
      );
      return;
    }
    void this.#flights.run(
      id,
      (signal) => this.#request({ text, fields, revision, signal, once }, { id, method: message.method }),
      (error) => this.#events.failed(id, error),
    );
  }

  /** Cancels a request by closing its response. */
  abandon(id: Id): void {
    this.#flights.abandon(id);
  }

  close(): void {
    this.#flights.close();
  }

  /** What of a result can be used over HTTP. */
  inspect(method: string, result: Params): Params {
    return method === 'tools/list' ? this.#tools.learn(result) : result;
  }

  /** When a request that failed may be sent again. */
  again(message: Outbound, error: unknown, attempt: number): Again | undefined {
    const { method } = message;
    if (error instanceof RpcError) {
      const refused = method === 'tools/call' && error.code === errors.HeaderMismatch.code;
      return refused && attempt === 1 ? { after: 0, attempt: 2 } : undefined;
    }
    if (method === 'subscriptions/listen') return this.#listenAgain(error, attempt);
    const safe = isRepeatable(method) || this.#isRepeatableCall(message);
    // the server may be on its way back once an answer was lost
    const lost = error instanceof AnswerLostError || (attempt > 1 && isUnreachable(error));
    if (!safe || !lost || attempt >= MOST_ATTEMPTS) return undefined;
    return { after: this.#settings.reconnect.delay * attempt, attempt: attempt + 1 };
  }

  /** Whether it calls a tool that says of itself that it can be called twice. */
  #isRepeatableCall({ method, params = {} }: Outbound): boolean {
    return method === 'tools/call' && this.#tools.isRepeatable(params.name);
  }

  /** A subscription that was open is opened again, as other streams are. */
  #listenAgain(error: unknown, attempt: number): Again | undefined {
    const heard = error instanceof AnswerLostError ? error.heard : undefined;
    if (attempt === 1 && (heard?.messages ?? 0) === 0) return undefined;
    const lost = heard !== undefined || (error instanceof ConnectionError && error.reason === 'closed');
    if (!lost || (error instanceof HttpError && !isPassing(error))) return undefined;
    // every stream brings an acknowledgement, also one that the server closes at once
    const useful = heard !== undefined && wasUseful(heard.messages - 1, heard.milliseconds);
    const fruitless = useful ? 1 : attempt;
    const after = delayBefore(fruitless, undefined, this.#settings.reconnect);
    return after === undefined ? undefined : { after, attempt: fruitless + 1 };
  }

  async #request(post: Post, { id, method }: { id: Id; method: string }): Promise<void> {
    const { messageLimit } = this.#settings;
    const heldUp = (until: Promise<unknown>): void => this.#events.heldUp(id, until);
    const response = await this.#post(post, heldUp);
    if (await takeBody(response, { id, method }, this.#events, messageLimit)) return;
    const opened = performance.now();
    let messages = 0;
    const { error } = await readEvents(response, messageLimit, {
      event: ({ type, data }) => {
        if (type !== 'message' || data === '') return;
        messages += 1;
        this.#events.message(data);
      },
      fault: (fault) => this.#events.failed(id, fault),
      over: () => !this.#events.waits(id),
    });
    if (!this.#events.waits(id)) return;
    const reason = error === undefined ? 'the server ended its stream' : 'the connection ended';
    const heard = { messages, milliseconds: performance.now() - opened };
    throw new AnswerLostError(`the answer to ${method} was lost: ${reason}`, { cause: error, heard });
  }

  async #notify(post: Post, method: string): Promise<void> {
    const response = await this.#post(post);
    if (!isOk(response)) throw await readRefusal(response, method);
    void release(response);
  }

  #post({ text, fields, revision, signal, once }: Post, heldUp?: Call['heldUp']): Promise<HttpResponse> {
    return this.#caller.call({
      method: 'POST',
      fields: fields(),
      body: text,
      signal,
      revision,
      once,
      ...(heldUp !== undefined && { heldUp }),
    });
  }

  #fieldsOf({ method, params = {} }: Outbound, revision: string): Fields {
    const member = isStatelessRevision(revision) ? methodIn(revision, method)?.names : undefined;
    const name = member === undefined ? undefined : params[member];
    return {
      ...(method === 'tools/call' && this.#tools.fieldsOf(params)),
      ...postFields,
      [headerNames.protocolVersion.toLowerCase()]: revision,
      [headerNames.method.toLowerCase()]: encodeHeaderValue(method),
      ...(typeof name === 'string' && { [headerNames.name.toLowerCase()]: encodeHeaderValue(name) }),
    };
  }
}

/** The revision that a message says it is of, which messages of the handshake era do not. */
export function claimOf({ params }: Outbound): string | undefined {
  const meta = params?._meta;
  const claim = isObject(meta) ? meta[metaKeys.protocolVersion] : undefined;
  return typeof claim === 'string' ? claim : undefined;
}

function isUnreachable(error: unknown): boolean {
  return error instanceof ConnectionError && error.name === 'ConnectionError' && error.reason === 'closed';
}
