import { ConnectionError, RpcError, standardCodes, toErrorObject } from './errors.ts';
import type { Id, JsonText, Notification, Params, Request, Response } from './message.ts';
import { failureText, notificationText, requestText, successText } from './text.ts';

/**
 * One progress report of a request.
 * @example
 * const show = ({ progress, total }: ProgressUpdate): string => `${progress} of ${total ?? 'many'}`;
 * show({ progress: 3 }); // => '3 of many'
 */
export interface ProgressUpdate {
  progress: number;
  total?: number;
  message?: string;
}

/**
 * Timeouts, cancellation and the progress callback of a request.
 * @example
 * const options: RequestOptions = { timeout: 5000, maxTimeout: 60_000, onProgress: ({ message }) => console.error(message) };
 */
export interface RequestOptions {
  /** milliseconds without a response or progress after which the request fails and is cancelled; default none */
  timeout?: number;
  /** milliseconds after which the request fails even if progress arrives; default none */
  maxTimeout?: number;
  signal?: AbortSignal;
  onProgress?: (update: ProgressUpdate) => void;
}

/**
 * A request or a notification that this side sends.
 * @example
 * const isRequest = ({ id }: Outbound): boolean => id !== undefined;
 */
export interface Outbound {
  /** undefined for a notification */
  readonly id: Id | undefined;
  readonly method: string;
  readonly params: Params | undefined;
}

/** Callbacks and limits of a peer. */
export interface PeerOptions {
  /** writes the text of a message; `message` is absent for a response */
  write(text: JsonText, message?: Outbound): void;
  /** returns the JSON text of the result, or a promise of it; throws RpcError for an error response */
  serve(request: Request, serving: Serving, reply: Reply): JsonText | Promise<JsonText>;
  notified(notification: Notification): void;
  /** called when this side cancels one of its requests, with the id of that request */
  cancelled?(id: Id, reason: string): void;
  /** adds the progress token for request `id` */
  withProgress?(params: Params | undefined, id: Id): Params;
  /** called with a fault of this side that fails no call */
  onError?(error: unknown): void;
  /** maximum number of requests that run at once; further ones are queued. Default no limit */
  maxServing?: number;
  /** maximum length of that queue; further requests are refused, so that responses and cancellations still arrive */
  maxQueued?: number;
  /** true while queued requests must not start because responses are not read; `next` resumes them */
  paused?: (() => boolean) | undefined;
}

/** A request of the other side that is running. */
export class Serving {
  readonly id: Id;
  #controller: AbortController | undefined;
  #cancelled = false;
  #reason: string | undefined;
  /** true once the response has been written, or will never be */
  done = false;
  /** true for a request that waits for events: it does not count towards `mostServing` */
  idle = false;
  /** notified when the other side cancels the request */
  reply: Reply | undefined;

  constructor(id: Id) {
    this.id = id;
  }

  get cancelled(): boolean {
    return this.#cancelled;
  }

  /** Aborts when the other side cancels the request or the connection ends. Created at first use. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#cancelled && !this.#controller.signal.aborted) this.#controller.abort(this.#error());
    return this.#controller.signal;
  }

  cancel(reason: string): void {
    if (this.#cancelled) return;
    this.#cancelled = true;
    this.#reason = reason;
    this.#controller?.abort(this.#error());
  }

  #error(): ConnectionError {
    return new ConnectionError('cancelled', this.#reason ?? 'cancelled');
  }
}

/** The receiver of the response to a request of the other side. */
export interface Reply {
  /** called with the text of the response, in the same turn if the result is ready */
  respond(text: JsonText): void;
  /** called if the request was cancelled and has no response */
  dropped?(): void;
  /** the channel for related messages, if they do not go to the connection's default channel */
  readonly related?: Related;
}

/** The channel for messages that belong to one request, except its response. */
export interface Related {
  write(text: JsonText): void;
  /** true while the other side reads too slowly, so that messages that may be lost are dropped */
  readonly congested: boolean;
  /** closes the connection on which the other side waits; it reconnects after `retryMs` milliseconds */
  release?(retryMs: number | undefined): void;
}

interface Pending {
  method: string;
  resolve(result: Params): void;
  reject(error: Error): void;
  onProgress: ((update: ProgressUpdate) => void) | undefined;
  /** the highest progress so far */
  progress: number;
  restartTimer: (() => void) | undefined;
  stopTimer: (() => void) | undefined;
  release(): void;
}

/** The longest time in which queued requests are started in one turn; then other connections have their turn. */
const MOST_TURN_MS = 10;

/**
 * One side of a JSON-RPC connection: matches responses to requests, serves requests, and ends both on
 * cancellation, timeout and close.
 */
export class Peer {
  readonly #options: PeerOptions;
  readonly #pending = new Map<Id, Pending>();
  readonly #serving = new Map<Id, Serving>();
  readonly #backlog: { request: Request; reply: Reply }[] = [];
  #onIdle: (() => void)[] = [];
  #working = 0;
  /** set while queued requests wait for a later turn */
  #later: NodeJS.Immediate | undefined;
  #nextId = 1;
  #closed: Error | undefined;

  constructor(options: PeerOptions) {
    this.#options = options;
  }

  get closed(): boolean {
    return this.#closed !== undefined;
  }

  /** True while a request of the other side is in progress. */
  get busy(): boolean {
    return this.#serving.size + this.#backlog.length > 0;
  }

  /**
   * Sends a request and resolves with its result; rejects with RpcError or ConnectionError. `write` replaces
   * the default channel for this request.
   */
  request(
    method: string,
    params?: Params,
    options: RequestOptions = {},
    write: (text: JsonText, message?: Outbound) => void = this.#options.write,
  ): Promise<Params> {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      if (this.#closed !== undefined) {
        reject(this.#closed);
        return;
      }
      if (options.signal?.aborted === true) {
        reject(new ConnectionError('cancelled', `${method} was cancelled before it was sent`));
        return;
      }
      const sent =
        options.onProgress === undefined || this.#options.withProgress === undefined
          ? params
          : this.#options.withProgress(params, id);
      this.#pending.set(id, this.#track(id, method, options, resolve, reject));
      write(requestText(id, method, sent), { id, method, params: sent });
    });
  }

  notify(method: string, params?: Params): void {
    if (this.#closed !== undefined) return;
    this.#options.write(notificationText(method, params), { id: undefined, method, params });
  }

  /**
   * Serves one request. `reply` receives the response; by default it is written. With `later`, the request
   * starts in a later turn, so that a batch of requests does not block other connections.
   */
  accept(
    request: Request,
    reply: Reply = { respond: (text) => this.#options.write(text) },
    later = false,
  ): void {
    const { id } = request;
    const { maxServing = Number.POSITIVE_INFINITY, maxQueued = Number.POSITIVE_INFINITY } = this.#options;
    const refuse = (code: number, message: string): void => reply.respond(failureText(id, { code, message }));
    const isWaiting = this.#backlog.length > 0 && this.#backlog.some(({ request: other }) => other.id === id);
    if (isWaiting || this.#serving.has(id)) {
      refuse(standardCodes.InvalidRequest, 'id is already in use by a request in progress');
      return;
    }
    if (later) this.#nextLater();
    if (this.#working < maxServing && this.#later === undefined) this.#begin(request, reply);
    else if (this.#backlog.length < maxQueued) this.#backlog.push({ request, reply });
    else refuse(standardCodes.InternalError, 'too many requests are in progress; wait for responses');
  }

  #begin(request: Request, reply: Reply): void {
    const { id } = request;
    const serving = new Serving(id);
    let result: JsonText | Promise<JsonText>;
    try {
      result = this.#options.serve(request, serving, reply);
    } catch (error) {
      serving.done = true;
      reply.respond(failureText(id, this.#report(error)));
      return;
    }
    if (!(result instanceof Promise)) {
      serving.done = true;
      reply.respond(successText(id, result));
      return;
    }
    this.#serving.set(id, serving);
    serving.reply = reply;
    if (!serving.idle) this.#working += 1;
    result
      .then(
        (text) => this.#finish(serving, reply, () => successText(id, text)),
        (error: unknown) => this.#finish(serving, reply, () => failureText(id, this.#report(error))),
      )
      .catch((error: unknown) => this.#options.onError?.(error));
  }

  notified(notification: Notification): void {
    this.#options.notified(notification);
  }

  /** Settles the request that a response belongs to; a response to an unknown request is dropped. */
  settle(response: Response): void {
    const { id } = response;
    if (id === undefined || id === null) return;
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    this.#pending.delete(id);
    pending.release();
    if ('error' in response) {
      const { code, message, data } = response.error;
      pending.reject(new RpcError(code, message, { data }));
    } else pending.resolve(response.result);
  }

  /** Returns true while a request of this side has no response. */
  isPending(id: Id): boolean {
    return this.#pending.has(id);
  }

  /** Rejects a request that will have no response; an unknown id is ignored. */
  fail(id: Id, error: Error): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    this.#pending.delete(id);
    pending.release();
    pending.reject(error);
  }

  /** Stops the timeout of a request until a promise settles; the maximum timeout continues. */
  pauseTimeout(id: Id, until: Promise<unknown>): void {
    const pending = this.#pending.get(id);
    if (pending?.stopTimer === undefined) return;
    pending.stopTimer();
    const resume = (): void => void (this.#pending.get(id) === pending && pending.restartTimer?.());
    until.then(resume, resume);
  }

  /** Passes a progress report to the request with this id. */
  reportProgress(id: Id, update: ProgressUpdate): void {
    const pending = this.#pending.get(id);
    // progress must increase with each notification
    if (pending === undefined || update.progress <= pending.progress) return;
    pending.progress = update.progress;
    pending.restartTimer?.();
    pending.onProgress?.(update);
  }

  /** Cancels a request of the other side; unknown and finished requests are ignored. */
  cancelServing(id: Id, reason: string): void {
    const serving = this.#serving.get(id);
    if (serving === undefined) {
      const waiting = this.#backlog.findIndex(({ request }) => request.id === id);
      if (waiting >= 0) this.#backlog.splice(waiting, 1)[0]?.reply.dropped?.();
      return;
    }
    this.#release(serving);
    serving.cancel(reason);
    serving.reply?.dropped?.();
    this.next();
  }

  /** Resolves when no request of the other side is in progress. */
  async idle(): Promise<void> {
    while (this.busy) await new Promise<void>((resolve) => this.#onIdle.push(resolve));
  }

  /** Closes the connection: every request in either direction ends. */
  close(reason: string): void {
    if (this.#closed !== undefined) return;
    this.#closed = new ConnectionError('closed', reason);
    for (const pending of this.#pending.values()) {
      pending.release();
      pending.reject(this.#closed);
    }
    this.#pending.clear();
    for (const serving of this.#serving.values()) {
      serving.done = true;
      serving.cancel(reason);
    }
    this.#serving.clear();
    this.#backlog.length = 0;
    this.#settleIdle();
  }

  #finish(serving: Serving, reply: Reply, text: () => JsonText): void {
    if (serving.done) return;
    this.#release(serving);
    try {
      reply.respond(text());
    } finally {
      this.next();
    }
  }

  #release(serving: Serving): void {
    serving.done = true;
    this.#serving.delete(serving.id);
    if (!serving.idle) this.#working -= 1;
  }

  /** Starts queued requests while there is room; after MOST_TURN_MS the rest starts in a later turn. */
  next(): void {
    const { maxServing = Number.POSITIVE_INFINITY, paused } = this.#options;
    if (this.#later !== undefined) return;
    const began = performance.now();
    while (this.#backlog.length > 0 && this.#working < maxServing && !paused?.()) {
      const { request, reply } = this.#backlog.shift()!;
      this.#begin(request, reply);
      if (this.#backlog.length > 0 && performance.now() - began >= MOST_TURN_MS) {
        this.#nextLater();
        return;
      }
    }
    if (!this.busy) this.#settleIdle();
  }

  #nextLater(): void {
    this.#later ??= setImmediate(() => {
      this.#later = undefined;
      try {
        this.next();
      } catch (error) {
        this.#options.onError?.(error);
      }
    });
  }

  #settleIdle(): void {
    const waiting = this.#onIdle;
    this.#onIdle = [];
    for (const resolve of waiting) resolve();
  }

  #report(error: unknown): ReturnType<typeof toErrorObject> {
    if (!(error instanceof RpcError)) this.#options.onError?.(error);
    return toErrorObject(error);
  }

  #track(
    id: Id,
    method: string,
    options: RequestOptions,
    resolve: (result: Params) => void,
    reject: (error: Error) => void,
  ): Pending {
    const { signal, timeout, maxTimeout } = options;
    const abandon = (reason: ConnectionError['reason'], message: string): void => {
      if (!this.#pending.delete(id)) return;
      release();
      this.#options.cancelled?.(id, message);
      reject(new ConnectionError(reason, message));
    };
    const expire = (limit: number) => () =>
      abandon('timeout', `${method} had no response within ${limit} ms`);
    const onAbort = (): void => abandon('cancelled', `${method} was cancelled`);
    let timer = timeout === undefined ? undefined : setTimeout(expire(timeout), timeout);
    const longest = maxTimeout === undefined ? undefined : setTimeout(expire(maxTimeout), maxTimeout);
    signal?.addEventListener('abort', onAbort, { once: true });
    const release = (): void => {
      clearTimeout(timer);
      clearTimeout(longest);
      signal?.removeEventListener('abort', onAbort);
    };
    const restartTimer =
      timeout === undefined
        ? undefined
        : () => {
            clearTimeout(timer);
            timer = setTimeout(expire(timeout), timeout);
          };
    const stopTimer = restartTimer === undefined ? undefined : () => clearTimeout(timer);
    const { onProgress } = options;
    const progress = Number.NEGATIVE_INFINITY;
    return { method, resolve, reject, onProgress, progress, restartTimer, stopTimer, release };
  }
}
