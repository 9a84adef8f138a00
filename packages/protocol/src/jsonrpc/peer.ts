import { ConnectionError, RpcError, standardCodes, toErrorObject } from './errors.ts';
import { guarded } from './guarded.ts';
import type { Id, JsonText, Notification, Params, Request, Response } from './message.ts';
import { failureText, notificationText, requestText, successText } from './text.ts';

/**
 * One value of the progress of a request.
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
 * How long a request may take, and who hears how far it is.
 * @example
 * const options: RequestOptions = { timeout: 5000, maxTimeout: 60_000, onProgress: ({ message }) => console.error(message) };
 */
export interface RequestOptions {
  /** milliseconds without an answer or progress after which the request fails and is cancelled; default none */
  timeout?: number;
  /** milliseconds after which it fails however much progress arrives; default none */
  maxTimeout?: number;
  signal?: AbortSignal;
  onProgress?: (update: ProgressUpdate) => void;
}

/**
 * A request or a notification of this side.
 * @example
 * const isRequest = ({ id }: Outbound): boolean => id !== undefined;
 */
export interface Outbound {
  /** undefined for a notification */
  readonly id: Id | undefined;
  readonly method: string;
  readonly params: Params | undefined;
}

/** How this side talks: where text goes, who serves what arrives, and how a cancellation is put into words. */
export interface PeerOptions {
  /** takes the text of a message, and the message itself unless it is a response */
  write(text: JsonText, message?: Outbound): void;
  /** the JSON text of the result, at once or later; throws RpcError for an error response */
  serve(request: Request, serving: Serving, reply: Reply): JsonText | Promise<JsonText>;
  notified(notification: Notification): void;
  /** called when a request of ours is given up, with the id that it was sent under */
  cancelled?(id: Id, reason: string): void;
  /** adds what the other side needs to report progress of request `id` */
  withProgress?(params: Params | undefined, id: Id): Params;
  /** a fault of this side that no caller waits for */
  onError?(error: unknown): void;
  /** requests that are worked on at once; further ones wait for their turn. Default no limit */
  mostServing?: number;
  /** requests that may wait; further ones are refused, so that answers and cancellations always get through */
  mostWaiting?: number;
  /** true while nothing that waits may begin, since answers are not read; `next` goes on */
  held?: (() => boolean) | undefined;
}

/** A request of the other side that is being worked on. */
export class Serving {
  readonly id: Id;
  #controller: AbortController | undefined;
  #cancelled = false;
  #reason: string | undefined;
  /** true once the answer has been written or given up */
  done = false;
  /** set for a request that waits for events instead of working: it takes no turn from others */
  parked = false;
  /** told when the other side cancels it */
  reply: Reply | undefined;

  constructor(id: Id) {
    this.id = id;
  }

  get cancelled(): boolean {
    return this.#cancelled;
  }

  /** Aborts when the other side cancels or the connection ends; made at the first use. */
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

/** What becomes of a request of the other side. */
export interface Reply {
  /** gets the text of the response, at once when the result is */
  respond(text: JsonText): void;
  /** the request was cancelled, so that there will be no response */
  dropped?(): void;
  /** takes what else is said about the request, where that does not go with everything else */
  readonly related?: Related;
}

/** The way of what is said about one request besides its response. */
export interface Related {
  write(text: JsonText): void;
  /** true while the other side does not keep up, so that what may be dropped is */
  readonly congested: boolean;
  /** lets go of the connection on which the other side waits; it asks again after `retryMs` milliseconds */
  release?(retryMs: number | undefined): void;
}

interface Pending {
  method: string;
  resolve(result: Params): void;
  reject(error: Error): void;
  onProgress: ((update: ProgressUpdate) => void) | undefined;
  /** the highest value so far */
  progress: number;
  restartTimer: (() => void) | undefined;
  stopTimer: (() => void) | undefined;
  release(): void;
}

/** How long requests that have waited may begin in one turn, after which other conversations have theirs. */
const MOST_TURN_MS = 10;

/**
 * One side of a JSON-RPC conversation: correlates answers in whatever order they come, serves requests,
 * and ends both on cancellation, timeout and close.
 */
export class Peer {
  readonly #options: PeerOptions;
  readonly #pending = new Map<Id, Pending>();
  readonly #serving = new Map<Id, Serving>();
  readonly #backlog: { request: Request; reply: Reply }[] = [];
  #onIdle: (() => void)[] = [];
  #working = 0;
  /** set while what waits begins in a later turn */
  #later: NodeJS.Immediate | undefined;
  #nextId = 1;
  #closed: Error | undefined;

  constructor(options: PeerOptions) {
    this.#options = options;
  }

  get closed(): boolean {
    return this.#closed !== undefined;
  }

  /** Whether a request of the other side is in progress. */
  get busy(): boolean {
    return this.#serving.size + this.#backlog.length > 0;
  }

  /**
   * Sends a request and resolves with its result; rejects with RpcError or ConnectionError. `write` takes the text
   * of a request that does not go with everything else.
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
      this.#pending.set(id, this.#pend(id, method, options, resolve, reject));
      write(requestText(id, method, sent), { id, method, params: sent });
    });
  }

  notify(method: string, params?: Params): void {
    if (this.#closed !== undefined) return;
    this.#options.write(notificationText(method, params), { id: undefined, method, params });
  }

  /**
   * Serves one request; its response is written unless `reply` takes it. One of many that came at once begins `later`,
   * so that other conversations have their turns.
   */
  accept(
    request: Request,
    reply: Reply = { respond: (text) => this.#options.write(text) },
    later = false,
  ): void {
    const { id } = request;
    const { mostServing = Number.POSITIVE_INFINITY, mostWaiting = Number.POSITIVE_INFINITY } = this.#options;
    const refuse = (code: number, message: string): void => reply.respond(failureText(id, { code, message }));
    const isWaiting = this.#backlog.length > 0 && this.#backlog.some(({ request: other }) => other.id === id);
    if (isWaiting || this.#serving.has(id)) {
      refuse(standardCodes.InvalidRequest, 'id is already in use by a request in progress');
      return;
    }
    if (later) this.#goOnLater();
    if (this.#working < mostServing && this.#later === undefined) this.#begin(request, reply);
    else if (this.#backlog.length < mostWaiting) this.#backlog.push({ request, reply });
    else refuse(standardCodes.InternalError, 'too many requests are in progress; wait for answers');
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
    if (!serving.parked) this.#working += 1;
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

  /** Hands an answer to the request that waits for it; answers that nobody waits for are dropped. */
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

  /** Whether a request of ours still has no answer. */
  waits(id: Id): boolean {
    return this.#pending.has(id);
  }

  /** Ends the wait of a request whose answer will not come; one that nobody waits for is ignored. */
  fail(id: Id, error: Error): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    this.#pending.delete(id);
    pending.release();
    pending.reject(error);
  }

  /** Stops the clock of a request until something else is done that it waits for; its longest time still counts. */
  holdUp(id: Id, until: Promise<unknown>): void {
    const pending = this.#pending.get(id);
    if (pending?.stopTimer === undefined) return;
    pending.stopTimer();
    const goOn = (): void => void (this.#pending.get(id) === pending && pending.restartTimer?.());
    until.then(goOn, goOn);
  }

  /** Hands a progress value to the request that was sent under `id`. */
  progressed(id: Id, update: ProgressUpdate): void {
    const pending = this.#pending.get(id);
    // progress that does not rise is none
    if (pending === undefined || update.progress <= pending.progress) return;
    pending.progress = update.progress;
    pending.restartTimer?.();
    pending.onProgress?.(update);
  }

  /** Cancels a request of the other side; unknown and finished ones are ignored. */
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

  /** Ends the conversation: every request in either direction ends. */
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
    if (!serving.parked) this.#working -= 1;
  }

  /** Serves what has waited, as far as there is room; the rest in later turns where that takes long. */
  next(): void {
    const { mostServing = Number.POSITIVE_INFINITY, held } = this.#options;
    if (this.#later !== undefined) return;
    const began = performance.now();
    while (this.#backlog.length > 0 && this.#working < mostServing && !held?.()) {
      const { request, reply } = this.#backlog.shift()!;
      this.#begin(request, reply);
      if (this.#backlog.length > 0 && performance.now() - began >= MOST_TURN_MS) {
        this.#goOnLater();
        return;
      }
    }
    if (!this.busy) this.#settleIdle();
  }

  #goOnLater(): void {
    this.#later ??= setImmediate(
      guarded(
        () => {
          this.#later = undefined;
          this.next();
        },
        (error) => this.#options.onError?.(error),
      ),
    );
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

  #pend(
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
    const expire = (limit: number) => () => abandon('timeout', `${method} had no answer within ${limit} ms`);
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
