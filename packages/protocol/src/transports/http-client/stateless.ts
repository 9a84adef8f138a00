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
import type { HttpSettings } from './options.ts';
import { PendingRequests } from './pending-requests.ts';
import { delayBefore, wasUseful } from './reconnect.ts';
import { isRepeatable } from './repeatable.ts';
import { ToolHeaders } from './tool-headers.ts';

interface StatelessOptions {
  caller: Caller;
  settings: HttpSettings;
  events: ChannelEvents;
}

/** A message in progress. */
interface Post {
  text: JsonText;
  /** returns the headers that repeat parts of the body; throws if that is impossible */
  fields(): Fields;
  revision: string;
  signal: AbortSignal;
  /** true if it must not reach the server twice */
  once: boolean;
}

/** The maximum number of times that one request is sent. */
const MOST_ATTEMPTS = 3;

/**
 * The requests of the stateless era: each is a POST whose response ends with the result. Closing the response
 * cancels the request.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
export class StatelessRequests {
  readonly #caller: Caller;
  readonly #settings: HttpSettings;
  readonly #events: ChannelEvents;
  readonly #tools: ToolHeaders;
  readonly #pending = new PendingRequests();

  constructor({ caller, settings, events }: StatelessOptions) {
    this.#caller = caller;
    this.#settings = settings;
    this.#events = events;
    this.#tools = new ToolHeaders((error) => events.fault(error));
  }

  /** Sends a request or a notification; the result is reported as events. */
  send(text: JsonText, message: Outbound, revision: string): void {
    const { id } = message;
    const fields = (): Fields => this.#fieldsOf(message, revision);
    const once = !isRepeatable(message.method) && !this.#isRepeatableCall(message);
    if (id === undefined) {
      void this.#pending.run(
        undefined,
        (signal) => this.#notify({ text, fields, revision, signal, once }, message.method),
        (error) => this.#events.fault(error),
      );
      return;
    }
    void this.#pending.run(
      id,
      (signal) => this.#request({ text, fields, revision, signal, once }, { id, method: message.method }),
      (error) => this.#events.failed(id, error),
    );
  }

  /** Cancels a request by closing its response. */
  abandon(id: Id): void {
    this.#pending.abandon(id);
  }

  close(): void {
    this.#pending.close();
  }

  /** Returns the part of a result that can be used over HTTP. */
  inspect(method: string, result: Params): Params {
    return method === 'tools/list' ? this.#tools.learn(result) : result;
  }

  /** Returns when a failed request may be sent again. */
  again(message: Outbound, error: unknown, attempt: number): Again | undefined {
    const { method } = message;
    if (error instanceof RpcError) {
      const refused = method === 'tools/call' && error.code === errors.HeaderMismatch.code;
      return refused && attempt === 1 ? { after: 0, attempt: 2 } : undefined;
    }
    if (method === 'subscriptions/listen') return this.#listenAgain(error, attempt);
    const safe = isRepeatable(method) || this.#isRepeatableCall(message);
    // after a lost response, the server may be restarting
    const lost = error instanceof AnswerLostError || (attempt > 1 && isUnreachable(error));
    if (!safe || !lost || attempt >= MOST_ATTEMPTS) return undefined;
    return { after: this.#settings.reconnect.delay * attempt, attempt: attempt + 1 };
  }

  /** Returns true for a call of a tool that is declared idempotent or read-only. */
  #isRepeatableCall({ method, params = {} }: Outbound): boolean {
    return method === 'tools/call' && this.#tools.isRepeatable(params.name);
  }

  /** Reopens a subscription, as other streams are reconnected. */
  #listenAgain(error: unknown, attempt: number): Again | undefined {
    const heard = error instanceof AnswerLostError ? error.heard : undefined;
    if (attempt === 1 && (heard?.messages ?? 0) === 0) return undefined;
    const lost = heard !== undefined || (error instanceof ConnectionError && error.reason === 'closed');
    if (!lost || (error instanceof HttpError && !isPassing(error))) return undefined;
    // every stream starts with an acknowledgement, even one that the server closes at once
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
    throw new AnswerLostError(`the response to ${method} was lost: ${reason}`, { cause: error, heard });
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

/** Returns the protocol version in a message's `_meta`; messages of the handshake era have none. */
export function claimOf({ params }: Outbound): string | undefined {
  const meta = params?._meta;
  const claim = isObject(meta) ? meta[metaKeys.protocolVersion] : undefined;
  return typeof claim === 'string' ? claim : undefined;
}

function isUnreachable(error: unknown): boolean {
  return error instanceof ConnectionError && error.name === 'ConnectionError' && error.reason === 'closed';
}
