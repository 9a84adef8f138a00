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

/** Who hears what comes over a link besides answers. */
export interface LinkHandlers {
  serve(request: Request, serving: Serving): Promise<string>;
  notified(notification: Notification): void;
  onError(error: Error): void;
  closed(reason: string): void;
  /** the conversation was begun anew, and the server no longer knows what it was told */
  renewed(): void;
  /** something that the server said unasked may be lost */
  missed(): void;
}

export interface LinkRequestOptions extends RequestOptions {
  /** hears the id of the request before it is sent */
  sent?: (id: Id) => void;
}

/** Most characters of foreign text that an error quotes. */
const QUOTED = 80;
/** Requests of the server that are worked on at once, and that may wait: 1,024 may wait for the end of tasks alone. */
const MOST_SERVING = 2048;
const MOST_WAITING = 1024;
/** Most pages of tools that are read to find out which arguments go into headers. */
const MOST_PAGES = 100;

/** One conversation with a server: requests out, answers, requests and notifications in. */
export class Link {
  readonly #channel: Channel;
  readonly #handlers: LinkHandlers;
  readonly #peer: Peer;
  #revision: Revision | undefined;
  /** the era that was begun, while it is not agreed */
  #begun: Era | undefined;
  #sent: ((id: Id) => void) | undefined;
  #closed: string | undefined;
  /** hears of errors that name no request, while negotiation makes sense of them */
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

  /** Why the conversation is over, or undefined while it goes on. */
  get closed(): string | undefined {
    return this.#closed;
  }

  /** A name for the credentials that requests carry now. */
  get credentials(): string | undefined {
    return this.#channel.credentials;
  }

  /** Fixes the revision that both sides talk from now on. */
  settle(revision: Revision): void {
    this.#revision = revision;
    this.onUnaddressed = undefined;
    this.#channel.settle?.(revision);
  }

  /** Sends a request, again where the channel says so, and gives what of its result can be used. */
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

  /** Hands a progress notification to its request. */
  progressed({ progressToken, progress, total, message }: Params): void {
    if (typeof progress !== 'number') return;
    // holds: our tokens are ids, and what is none finds no request
    this.#peer.reportProgress(progressToken as Id, {
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
    if (this.#channel.abandon?.(id) === true) return;
    // before a revision is agreed there is only the probe, which the server may not know, and `initialize`,
    // which must not be cancelled
    if (this.#revision !== undefined) this.#peer.notify('notifications/cancelled', { requestId: id, reason });
  }

  /** Lists the tools once more, so that the channel learns which arguments they want in headers. */
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
      this.#handlers.onError(new AnswerError(`the server sent too much at once: ${fault}`));
      return;
    }
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      // the parser's words add nothing to the text itself
      this.#handlers.onError(new AnswerError(`the server wrote what is not a message: ${quoted(text)}`));
      return;
    }
    this.#take(value);
  }

  /** Takes what was sent as the answer to a request, which settles that request in one way or another. */
  #answer(id: Id, text: string): void {
    const fault = boundsFault(text);
    if (fault !== undefined) {
      this.#peer.fail(id, new AnswerError(`the server answered with too much at once: ${fault}`));
      return;
    }
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      // the parser's words add nothing to the text itself
      this.#peer.fail(id, new AnswerError(`the server answered with what is not a message: ${quoted(text)}`));
      return;
    }
    const classified = classify(value);
    const error = classified.kind === 'response' ? unaddressed(classified.message) : undefined;
    if (error !== undefined) this.#peer.fail(id, error);
    else this.#take(value);
    if (!this.#peer.isPending(id)) return;
    this.#peer.fail(id, new AnswerError('the server answered a request with what is not its answer'));
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
    // a client of the stateless era never writes a response
    const where = this.#revision ?? 'what comes before initialize';
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
    // what answers a request of ours, though badly, ends its wait
    if (id !== undefined) this.#peer.fail(id, error);
  }

  #batch(values: readonly unknown[]): void {
    if (this.#revision === undefined || !revisions[this.#revision].batches) {
      const revision = this.#revision ?? 'this revision';
      this.#handlers.onError(new AnswerError(`the server sent a batch, which ${revision} does not have`));
      return;
    }
    if (isLargeBatch(values)) {
      this.#handlers.onError(new AnswerError(`the server sent too much at once: ${batchTooLong}`));
      return;
    }
    // each request of a batch is answered by itself, so that a slow or cancelled one holds nothing back
    for (const value of values) this.#accept(value);
  }
}

function quoted(text: string): string {
  return JSON.stringify(text.length > QUOTED ? `${text.slice(0, QUOTED)}...` : text);
}

/** The error of a response that names no request. */
function unaddressed(response: Response): RpcError | undefined {
  if (!('error' in response) || (response.id !== undefined && response.id !== null)) return undefined;
  const { code, message, data } = response.error;
  return new RpcError(code, message, { data });
}

function isMismatch(error: unknown): boolean {
  return error instanceof RpcError && error.code === errors.HeaderMismatch.code;
}
