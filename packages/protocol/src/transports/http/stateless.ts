import { RpcError, toErrorObject } from '../../jsonrpc/errors.ts';
import { classify, isId, isObject, type JsonText, type Params, type Request } from '../../jsonrpc/message.ts';
import { Serving } from '../../jsonrpc/peer.ts';
import { failureText, notificationText, successText } from '../../jsonrpc/text.ts';
import { rpcError } from '../../protocol/errors.ts';
import { metaKeys } from '../../protocol/meta.ts';
import { chain } from '../../server/chain.ts';
import type { Facts, Sink } from '../../server/context.ts';
import { statelessFacts } from '../../server/facts.ts';
import { ListenStreams } from '../../server/listen.ts';
import { Outgoing } from '../../server/outgoing.ts';
import type { Server } from '../../server/server.ts';
import {
  eventStreamHeaders,
  eventText,
  HIGH_WATER,
  jsonHeaders,
  keepAliveComment,
  refuse,
  statusOf,
  unavailable,
} from './answer.ts';
import type { Exchange, OpenBody } from './exchange.ts';
import { checkHeaders, HeaderParams } from './request-headers.ts';
import type { Ticker, Ticking } from './ticker.ts';

/** Serves requests of the stateless era; nothing is stored between them. */
export class StatelessRequests<S> {
  readonly #server: Server<S>;
  readonly #ticker: Ticker;
  readonly #params: HeaderParams<S>;
  /** the requests in progress, so that a shutdown can wait for them */
  readonly #open = new Set<Answer>();
  readonly #listens = new Set<ListenStreams<S>>();
  #draining = false;
  #onIdle: (() => void)[] = [];

  constructor(server: Server<S>, ticker: Ticker) {
    this.#server = server;
    this.#ticker = ticker;
    this.#params = new HeaderParams(server);
  }

  /** Serves a message whose `_meta` has a protocol version. */
  post(exchange: Exchange, value: unknown, meta: Params, principal: string | undefined): void {
    const classified = classify(value);
    if (classified.kind === 'malformed') {
      refuse(exchange, 400, rpcError('InvalidRequest', classified.reason), { id: classified.id ?? null });
      return;
    }
    if (classified.kind === 'response') {
      refuse(exchange, 400, rpcError('InvalidRequest', 'a client of this revision must not send responses'));
      return;
    }
    const { message } = classified;
    const id = classified.kind === 'request' ? classified.message.id : null;
    let facts: Facts;
    try {
      facts = this.#admit(exchange, meta, principal);
    } catch (error) {
      refuse(exchange, 400, error instanceof RpcError ? error : toErrorObjectLike(error), { id });
      return;
    }
    if (classified.kind === 'notification') {
      exchange.respond(202, {});
      return;
    }
    this.#serve(exchange, message as Request, facts); // the kind is checked
  }

  /**
   * Ends the listen streams with their results, accepts no more, and resolves when requests in progress have
   * their responses.
   */
  async drain(): Promise<void> {
    this.#draining = true;
    for (const listens of this.#listens) listens.endAll();
    while (this.#open.size > 0) await new Promise<void>((resolve) => this.#onIdle.push(resolve));
  }

  /** Ends all requests in progress. */
  close(reason: string): void {
    for (const answer of this.#open) answer.cut(reason);
  }

  #admit(exchange: Exchange, meta: Params, principal: string | undefined): Facts {
    const claim = meta[metaKeys.protocolVersion];
    const header = exchange.header('mcp-protocol-version');
    if (typeof claim === 'string' && header !== claim) {
      const problem = header === undefined ? 'is missing' : 'does not match the version of the body';
      throw rpcError('HeaderMismatch', `header mismatch: MCP-Protocol-Version ${problem}`);
    }
    const token = meta.progressToken;
    if (token !== undefined && !isId(token))
      throw rpcError('InvalidParams', 'progressToken must be a string or an integer');
    return statelessFacts(claim, meta, principal);
  }

  #serve(exchange: Exchange, request: Request, facts: Facts): void {
    const { id, method, params = {} } = request;
    const problem = checkHeaders(exchange, request, facts.revision);
    if (problem !== undefined) {
      refuse(exchange, 400, problem, { id });
      return;
    }
    const listens = method === 'subscriptions/listen';
    if (listens && this.#draining) {
      unavailable(exchange, 'the server is shutting down', id);
      return;
    }
    const answer = new Answer(exchange, new Serving(id), this.#ticker);
    let result: JsonText | Promise<JsonText>;
    try {
      if (listens) result = this.#listen(answer, params, facts);
      else {
        const mirrored = method === 'tools/call' ? this.#params.check(exchange, params) : undefined;
        result = chain(mirrored, (wrong) => {
          if (wrong !== undefined) throw wrong;
          return this.#server.handle({ facts, method, params, sink: answer, serving: answer.serving });
        });
      }
    } catch (error) {
      answer.fail(this.#reported(error));
      return;
    }
    if (!(result instanceof Promise)) {
      answer.complete(result);
      return;
    }
    this.#open.add(answer);
    answer.wait();
    result
      .then(
        (text) => answer.complete(text),
        (error: unknown) => answer.fail(this.#reported(error)),
      )
      .catch((error: unknown) => this.#server.report(error))
      .finally(() => this.#settle(answer));
  }

  async #listen(answer: Answer, params: Params, facts: Facts): Promise<JsonText> {
    const outgoing = new Outgoing({ write: (text) => answer.write(text), congested: () => answer.congested });
    answer.onDrain = () => outgoing.drained();
    const listens = new ListenStreams(this.#server, outgoing);
    this.#listens.add(listens);
    answer.onGone = () => {
      listens.abandonAll();
      this.#listens.delete(listens);
      this.#settle(answer);
    };
    try {
      const { serving } = answer;
      return await listens.open({ facts, method: 'subscriptions/listen', params, sink: answer, serving });
    } finally {
      this.#listens.delete(listens);
    }
  }

  #settle(answer: Answer): void {
    this.#open.delete(answer);
    if (this.#open.size > 0) return;
    const waiting = this.#onIdle;
    this.#onIdle = [];
    for (const resolve of waiting) resolve();
  }

  #reported(error: unknown): unknown {
    if (!(error instanceof RpcError)) this.#server.report(error);
    return error;
  }
}

function toErrorObjectLike(error: unknown): Pick<RpcError, 'code' | 'message' | 'data'> {
  const { code, message, data } = toErrorObject(error);
  return { code, message, data };
}

/** The response to one request: JSON if nothing is sent before it, otherwise a stream that ends with it. */
class Answer implements Sink, Ticking {
  readonly serving: Serving;
  onDrain: (() => void) | undefined;
  onGone: (() => void) | undefined;
  readonly #exchange: Exchange;
  readonly #ticker: Ticker;
  #body: OpenBody | undefined;
  #waited = false;

  constructor(exchange: Exchange, serving: Serving, ticker: Ticker) {
    this.#exchange = exchange;
    this.serving = serving;
    this.#ticker = ticker;
  }

  get congested(): boolean {
    return this.#body !== undefined && this.#body.unsent > HIGH_WATER;
  }

  /** Starts the keep-alive of a request that is not ready; its client can cancel it by closing the stream. */
  wait(): void {
    this.#ticker.add(this);
    this.#exchange.onGone(() => this.cut('the client closed the stream'));
  }

  notify(method: string, params: Params): void {
    if (!this.serving.done) this.write(notificationText(method, params));
  }

  write(text: JsonText): void {
    const body = this.#open();
    body.write(eventText(text));
    if (this.onDrain !== undefined && this.congested) body.onDrain(this.onDrain);
  }

  complete(result: JsonText): void {
    const text = successText(this.serving.id, result);
    if (this.#end()) return;
    if (this.#body === undefined) this.#exchange.respond(200, jsonHeaders, text);
    else this.#finish(text);
  }

  fail(error: unknown): void {
    const object = toErrorObject(error);
    const text = failureText(this.serving.id, object);
    if (this.#end()) return;
    if (this.#body === undefined) this.#exchange.respond(statusOf(object.code), jsonHeaders, text);
    else this.#finish(text);
  }

  /** Ends the request without a response. */
  cut(reason: string): void {
    if (this.#end()) return;
    this.serving.cancel(reason);
    this.onGone?.();
    this.#body?.destroy();
  }

  /** Shows that the connection is alive while the response is not ready. */
  tick(): void {
    if (this.#body === undefined && !this.#waited) this.#waited = true;
    else this.#open().write(keepAliveComment);
  }

  #open(): OpenBody {
    this.#body ??= this.#exchange.open(200, eventStreamHeaders);
    return this.#body;
  }

  #finish(text: JsonText): void {
    this.#body?.write(eventText(text));
    this.#body?.end();
  }

  /** Ends it; returns true if it had already ended. */
  #end(): boolean {
    if (this.serving.done) return true;
    this.serving.done = true;
    this.#ticker.delete(this);
    return false;
  }
}

/** Returns the `_meta` of a message of the stateless era: one with a protocol version. */
export function statelessMeta(value: unknown): Params | undefined {
  if (!isObject(value) || !isObject(value.params)) return undefined;
  const meta = value.params._meta;
  return isObject(meta) && meta[metaKeys.protocolVersion] !== undefined ? meta : undefined;
}
