import { batchTooLong, isLargeBatch } from '../jsonrpc/batch.ts';
import { boundsFault } from '../jsonrpc/bounds.ts';
import { RpcError } from '../jsonrpc/errors.ts';
import {
  classify,
  type Id,
  isObject,
  type Notification,
  type Params,
  type Request,
  type Response,
} from '../jsonrpc/message.ts';
import { Peer, type RequestOptions, type Serving } from '../jsonrpc/peer.ts';
import { errors } from '../protocol/errors.ts';
import { type Era, type Revision, revisions } from '../protocol/revisions.ts';
import { AnswerError } from './errors.ts';
import type { Channel } from './transport.ts';
import { pause, within } from './wait.ts';

/** The receiver of requests, notifications and events of a link. */
export interface LinkHandlers {
  serve(request: Request, serving: Serving): Promise<string>;
  notified(notification: Notification): void;
  onError(error: Error): void;
  closed(reason: string): void;
  /** the session was restarted, and the server has lost its subscriptions and log level */
  renewed(): void;
  /** notifications of the server may be lost */
  missed(): void;
}

export interface LinkRequestOptions extends RequestOptions {
  /** called with the id of the request before it is sent */
  sent?: (id: Id) => void;
}

/** The maximum number of characters of foreign text in an error. */
const QUOTED = 80;
/** The maximum numbers of running and queued requests of the server: 1,024 may wait for the end of tasks alone. */
const MOST_SERVING = 2048;
const MOST_WAITING = 1024;
/** The maximum number of pages of tools that are read to find the arguments that are sent as headers. */
const MOST_PAGES = 100;

/** One connection to a server: sends requests, and receives responses, requests and notifications. */
export class Link {
  readonly #channel: Channel;
  readonly #handlers: LinkHandlers;
  readonly #peer: Peer;
  #revision: Revision | undefined;
  /** the era of the negotiation, before there is an agreement */
  #begun: Era | undefined;
  #sent: ((id: Id) => void) | undefined;
  #closed: string | undefined;
  /** called with errors without an id during negotiation */
  onUnaddressed: ((error: RpcError) => void) | undefined;

  constructor(channel: Channel, handlers: LinkHandlers) {
    this.#channel = channel;
    this.#handlers = handlers;
    this.#peer = new Peer({
      write: (text, message) => channel.send(text, message),
      serve: (request, serving) => handlers.serve(request, serving),
      notified: (notification) => handlers.notified(notification),
      cancelled: (id, reason) => this.#cancelled(id, reason),
      withProgress: (params, id) => this.#withProgress(params, id),
      onError: (error) => handlers.onError(error instanceof Error ? error : new Error(String(error))),
      maxServing: MOST_SERVING,
      maxQueued: MOST_WAITING,
    });
    channel.start({
      message: (text) => this.#receive(text),
      fault: (error) => handlers.onError(error),
      closed: (reason) => this.#end(reason),
      answer: (id, text) => this.#answer(id, text),
      failed: (id, error) => this.#peer.fail(id, error),
      waits: (id) => this.#peer.isPending(id),
      heldUp: (id, until) => this.#peer.pauseTimeout(id, until),
      renewed: () => handlers.renewed(),
      missed: () => handlers.missed(),
    });
  }

  /** The reason why the connection is closed, or undefined. */
  get closed(): string | undefined {
    return this.#closed;
  }

  /** An identifier of the credentials that requests carry now. */
  get credentials(): string | undefined {
    return this.#channel.credentials;
  }

  /** Sets the negotiated revision. */
  settle(revision: Revision): void {
    this.#revision = revision;
    this.onUnaddressed = undefined;
    this.#channel.settle?.(revision);
  }

  /** Sends a request, again if the channel allows it, and returns the usable part of its result. */
  async request(method: string, params: Params, options: LinkRequestOptions = {}): Promise<Params> {
    const { sent, ...rest } = options;
    if (method === 'initialize') this.#begun = 'handshake';
    const started = performance.now();
    for (let attempt = 1; ; ) {
      for (let wait = this.#channel.drained(); wait !== undefined; wait = this.#channel.drained()) {
        await within(wait, `sending ${method}`, options);
      }
      try {
        const result = await this.#ask(method, params, sent, rest);
        return this.#channel.inspect?.(method, result) ?? result;
      } catch (error) {
        const again = this.#channel.again?.({ id: undefined, method, params }, error, attempt);
        if (again === undefined || this.#closed !== undefined) throw error;
        attempt = again.attempt;
        await pause(again.after, options.signal);
        if (isMismatch(error)) await this.#relist(params, rest);
        const left = (options.maxTimeout ?? Number.POSITIVE_INFINITY) - (performance.now() - started);
        if (left <= 0) throw error;
        if (rest.maxTimeout !== undefined) rest.maxTimeout = left;
      }
    }
  }

  notify(method: string, params?: Params): void {
    this.#peer.notify(method, params);
  }

  /** Passes a progress notification to its request. */
  progressed({ progressToken, progress, total, message }: Params): void {
    if (typeof progress !== 'number') return;
    // our tokens are ids, and any other value matches no request
    this.#peer.reportProgress(progressToken as Id, {
      progress,
      ...(typeof total === 'number' && { total }),
      ...(typeof message === 'string' && { message }),
    });
  }

  /** Cancels a request of the server. */
  cancelServing(id: Id, reason: string): void {
    this.#peer.cancelServing(id, reason);
  }

  async close(reason: string): Promise<void> {
    this.#end(reason);
    await this.#channel.close();
  }

  #ask(
    method: string,
    params: Params,
    sent: ((id: Id) => void) | undefined,
    options: RequestOptions,
  ): Promise<Params> {
    if (sent === undefined) return this.#peer.request(method, params, options);
    // a peer passes the id of a request only to the code that adds its progress token
    this.#sent = sent;
    const result = this.#peer.request(method, params, { onProgress: () => {}, ...options });
    this.#sent = undefined;
    return result;
  }

  #end(reason: string): void {
    if (this.#closed !== undefined) return;
    this.#closed = reason;
    this.#peer.close(reason);
    this.#handlers.closed(reason);
  }

  #cancelled(id: Id, reason: string): void {
    if (this.#channel.abandon?.(id) === true) return;
    // before the agreement there is only the probe, which the server may not know, and `initialize`, which
    // must not be cancelled
    if (this.#revision !== undefined) this.#peer.notify('notifications/cancelled', { requestId: id, reason });
  }

  /** Lists the tools again, so that the channel learns which arguments to send as headers. */
  async #relist({ _meta }: Params, options: RequestOptions): Promise<void> {
    const { timeout, maxTimeout, signal } = options;
    const limits = {
      ...(timeout !== undefined && { timeout }),
      ...(maxTimeout !== undefined && { maxTimeout }),
      ...(signal !== undefined && { signal }),
    };
    let cursor: unknown;
    for (let page = 0; page < MOST_PAGES; page++) {
      const result = await this.request('tools/list', { _meta, ...(page > 0 && { cursor }) }, limits);
      cursor = result.nextCursor;
      if (cursor === undefined) return;
    }
  }

  #withProgress(params: Params = {}, id: Id): Params {
    if (this.#sent !== undefined) {
      this.#sent(id);
      return params;
    }
    const meta = params._meta;
    return { ...params, _meta: { ...(isObject(meta) && meta), progressToken: id } };
  }

  #receive(text: string): void {
    const fault = boundsFault(text);
    if (fault !== undefined) {
      this.#handlers.onError(new AnswerError(`a message of the server is too large: ${fault}`));
      return;
    }
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      // the parser's message adds nothing to the text
      this.#handlers.onError(new AnswerError(`the server sent an invalid message: ${quoted(text)}`));
      return;
    }
    this.#take(value);
  }

  /** Takes a text as the response to a request, which settles the request in any case. */
  #answer(id: Id, text: string): void {
    const fault = boundsFault(text);
    if (fault !== undefined) {
      this.#peer.fail(id, new AnswerError(`a response of the server is too large: ${fault}`));
      return;
    }
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      // the parser's message adds nothing to the text
      this.#peer.fail(id, new AnswerError(`the server sent an invalid response: ${quoted(text)}`));
      return;
    }
    const classified = classify(value);
    const error = classified.kind === 'response' ? unaddressed(classified.message) : undefined;
    if (error !== undefined) this.#peer.fail(id, error);
    else this.#take(value);
    if (!this.#peer.isPending(id)) return;
    this.#peer.fail(id, new AnswerError('the server sent a response with another id'));
  }

  #take(value: unknown): void {
    if (Array.isArray(value)) this.#batch(value);
    else this.#accept(value);
  }

  #accept(value: unknown): void {
    const classified = classify(value);
    switch (classified.kind) {
      case 'request':
        this.#serve(classified.message);
        return;
      case 'notification':
        this.#peer.notified(classified.message);
        return;
      case 'response':
        this.#settle(classified.message);
        return;
      case 'malformed':
        this.#malformed(classified.reason, classified.id);
        return;
      default:
        classified satisfies never;
    }
  }

  #serve(request: Request): void {
    const era = this.#revision === undefined ? this.#begun : revisions[this.#revision].era;
    if (era === 'handshake') {
      this.#peer.accept(request);
      return;
    }
    // a client of the stateless era never sends responses
    const where = this.#revision ?? 'the time before initialize';
    this.#handlers.onError(
      new AnswerError(`the server sent a request, ${quoted(request.method)}; ${where} has none`),
    );
  }

  #settle(response: Response): void {
    const error = unaddressed(response);
    if (error === undefined) this.#peer.settle(response);
    else if (this.onUnaddressed !== undefined) this.onUnaddressed(error);
    else this.#handlers.onError(error);
  }

  #malformed(reason: string, id: Id | undefined): void {
    const error = new AnswerError(`the server sent a malformed message: ${reason}`);
    this.#handlers.onError(error);
    // a malformed response to a request of ours ends its wait
    if (id !== undefined) this.#peer.fail(id, error);
  }

  #batch(values: readonly unknown[]): void {
    if (this.#revision === undefined || !revisions[this.#revision].batches) {
      const revision = this.#revision ?? 'this revision';
      this.#handlers.onError(new AnswerError(`the server sent a batch, which ${revision} does not have`));
      return;
    }
    if (isLargeBatch(values)) {
      this.#handlers.onError(new AnswerError(`a message of the server is too large: ${batchTooLong}`));
      return;
    }
    // each request of a batch gets its own response, so that a slow or cancelled one delays none
    for (const value of values) this.#accept(value);
  }
}

function quoted(text: string): string {
  return JSON.stringify(text.length > QUOTED ? `${text.slice(0, QUOTED)}...` : text);
}

/** Returns the error of a response without an id. */
function unaddressed(response: Response): RpcError | undefined {
  if (!('error' in response) || (response.id !== undefined && response.id !== null)) return undefined;
  const { code, message, data } = response.error;
  return new RpcError(code, message, { data });
}

function isMismatch(error: unknown): boolean {
  return error instanceof RpcError && error.code === errors.HeaderMismatch.code;
}
