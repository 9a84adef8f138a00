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
import { type Revision, revisions } from '../protocol/revisions.ts';
import { AnswerError } from './errors.ts';
import type { Channel } from './transport.ts';
import { within } from './wait.ts';

/** Who hears what comes over a link besides answers. */
export interface LinkHandlers {
  serve(request: Request, serving: Serving): Promise<string>;
  notified(notification: Notification): void;
  onError(error: Error): void;
  closed(reason: string): void;
}

export interface LinkRequestOptions extends RequestOptions {
  /** hears the id of the request before it is sent */
  sent?: (id: Id) => void;
}

/** Most characters of foreign text that an error quotes. */
const QUOTED = 80;

/** One conversation with a server: requests out, answers, requests and notifications in. */
export class Link {
  readonly #channel: Channel;
  readonly #handlers: LinkHandlers;
  readonly #peer: Peer;
  #revision: Revision | undefined;
  #sent: ((id: Id) => void) | undefined;
  #closed: string | undefined;
  /** hears of errors that name no request, while negotiation makes sense of them */
  onUnaddressed: ((error: RpcError) => void) | undefined;

  constructor(channel: Channel, handlers: LinkHandlers) {
    this.#channel = channel;
    this.#handlers = handlers;
    this.#peer = new Peer({
      write: (text) => channel.send(text),
      serve: (request, serving) => handlers.serve(request, serving),
      notified: (notification) => handlers.notified(notification),
      cancelled: (id, reason) => this.#cancelled(id, reason),
      withProgress: (params, id) => this.#withProgress(params, id),
      onError: (error) => handlers.onError(error instanceof Error ? error : new Error(String(error))),
    });
    channel.start({
      message: (text) => this.#receive(text),
      fault: (error) => handlers.onError(error),
      closed: (reason) => this.#end(reason),
    });
  }

  /** Why the conversation is over, or undefined while it goes on. */
  get closed(): string | undefined {
    return this.#closed;
  }

  /** Fixes the revision that both sides talk from now on. */
  settle(revision: Revision): void {
    this.#revision = revision;
    this.onUnaddressed = undefined;
  }

  async request(method: string, params: Params, options: LinkRequestOptions = {}): Promise<Params> {
    const { sent, ...rest } = options;
    for (let wait = this.#channel.drained(); wait !== undefined; wait = this.#channel.drained()) {
      await within(wait, `sending ${method}`, options);
    }
    try {
      return await this.#ask(method, params, sent, rest);
    } catch (error) {
      if (error instanceof RpcError && error.data instanceof AnswerError) throw error.data;
      throw error;
    }
  }

  notify(method: string, params?: Params): void {
    this.#peer.notify(method, params);
  }

  /** Hands a progress notification to its request. */
  progressed({ progressToken, progress, total, message }: Params): void {
    if (typeof progress !== 'number') return;
    // holds: our tokens are ids, and what is none finds no request
    this.#peer.progressed(progressToken as Id, {
      progress,
      ...(typeof total === 'number' && { total }),
      ...(typeof message === 'string' && { message }),
    });
  }

  /** The server no longer wants the answer to its request. */
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
    // a peer tells the id of a request only to the code that adds its progress token
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
    // before a revision is agreed there is only the probe, which the server may not know, and `initialize`,
    // which must not be cancelled
    if (this.#revision !== undefined) this.#peer.notify('notifications/cancelled', { requestId: id, reason });
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
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      // the parser's words add nothing to the text itself
      this.#handlers.onError(new AnswerError(`the server wrote what is not a message: ${quoted(text)}`));
      return;
    }
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
    if (this.#revision === undefined || revisions[this.#revision].era === 'handshake') {
      this.#peer.accept(request);
      return;
    }
    // a client of the stateless era never writes a response
    this.#handlers.onError(
      new AnswerError(`the server sent a request, ${quoted(request.method)}; ${this.#revision} has none`),
    );
  }

  #settle(response: Response): void {
    if (!('error' in response) || (response.id !== undefined && response.id !== null)) {
      this.#peer.settle(response);
      return;
    }
    const { code, message, data } = response.error;
    const error = new RpcError(code, message, { data });
    if (this.onUnaddressed !== undefined) this.onUnaddressed(error);
    else this.#handlers.onError(error);
  }

  #malformed(reason: string, id: Id | undefined): void {
    const error = new AnswerError(`the server sent a malformed message: ${reason}`);
    this.#handlers.onError(error);
    // what answers a request of ours, though badly, ends its wait; `request` unwraps the error
    const failure = { code: errors.InternalError.code, message: error.message, data: error };
    if (id !== undefined) this.#peer.settle({ jsonrpc: '2.0', id, error: failure });
  }

  #batch(values: readonly unknown[]): void {
    if (this.#revision === undefined || !revisions[this.#revision].batches) {
      const revision = this.#revision ?? 'this revision';
      this.#handlers.onError(new AnswerError(`the server sent a batch, which ${revision} does not have`));
      return;
    }
    // each request of a batch is answered by itself, so that a slow or cancelled one holds nothing back
    for (const value of values) this.#accept(value);
  }
}

function quoted(text: string): string {
  return JSON.stringify(text.length > QUOTED ? `${text.slice(0, QUOTED)}...` : text);
}
