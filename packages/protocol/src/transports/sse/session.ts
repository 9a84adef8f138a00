import { type Authorizer, type Identity, refusalHeaders, requestsOf } from '../../auth/authorizer.ts';
import { batchTooLong, isLargeBatch } from '../../jsonrpc/batch.ts';
import { boundsFault } from '../../jsonrpc/bounds.ts';
import type { JsonText } from '../../jsonrpc/message.ts';
import { rpcError } from '../../protocol/errors.ts';
import { ServerConnection } from '../../server/connection.ts';
import type { Server } from '../../server/server.ts';
import { eventStreamHeaders, HIGH_WATER, keepAliveComment, refuse, refuseBody } from '../http/answer.ts';
import { BodyError, type Exchange, type OpenBody } from '../http/exchange.ts';
import { ConnectionTimeouts, type Limits } from '../limits.ts';
import type { Member } from '../roster.ts';

export interface SessionOptions<S> {
  server: Server<S>;
  limits: Limits;
  /** undefined without authorization */
  identity: Identity | undefined;
  /** checks the permissions of the identity; undefined allows everything */
  permit: Authorizer['permit'];
  /** the URI for messages of the client */
  endpoint: string;
  /** milliseconds between two comments on a quiet stream */
  keepAlive: number;
}

/** The maximum number of POSTs of one session that are read or waiting. */
const MOST_POSTS = 64;

/** One HTTP+SSE session: messages of the server are sent in the response to a GET, and the session ends with it. */
export class SseSession<S> implements Member {
  readonly principal: string | undefined;
  readonly #options: SessionOptions<S>;
  readonly #body: OpenBody;
  readonly #connection: ServerConnection<S>;
  readonly #timeouts: ConnectionTimeouts;
  readonly #gone: Promise<void>;
  #resolveGone: () => void = () => {};
  #closed = false;
  #posts = 0;
  /** POSTs that wait until the client has read */
  #waiting: (() => void)[] = [];
  #listening = false;
  #lastSentAt = performance.now();
  #unsent = 0;
  #takenAt = performance.now();

  constructor(exchange: Exchange, options: SessionOptions<S>) {
    const { server, limits, identity, endpoint } = options;
    this.principal = identity?.principal;
    this.#options = options;
    this.#timeouts = new ConnectionTimeouts(limits);
    this.#gone = new Promise((resolve) => {
      this.#resolveGone = resolve;
    });
    this.#body = exchange.open(200, eventStreamHeaders);
    this.#connection = new ServerConnection(server, {
      write: (text) => this.#say(text),
      congested: () => this.#congested,
      held: () => this.#congested,
      ...(identity !== undefined && { principal: identity.principal }),
    });
    this.#body.write(`event: endpoint\ndata: ${endpoint}\n\n`);
    exchange.onGone(() => this.#end('the client closed the stream'));
  }

  /** Resolves when the stream has ended. */
  get gone(): Promise<void> {
    return this.#gone;
  }

  /** Serves a POST: one message, or a batch if the revision has batches. The responses are sent on the stream. */
  async post(exchange: Exchange): Promise<void> {
    if (this.#posts >= MOST_POSTS) {
      const error = rpcError('InternalError', 'too many messages wait; read the stream and try again');
      refuse(exchange, 503, error, { headers: { 'Retry-After': '1' } });
      return;
    }
    this.#posts += 1;
    try {
      await this.#uncongested();
      this.#take(exchange, await exchange.body(this.#options.limits.messageLimit));
    } catch (error) {
      if (!(error instanceof BodyError)) throw error;
      refuseBody(exchange, error);
    } finally {
      this.#posts -= 1;
    }
  }

  tick(): void {
    const now = performance.now();
    const { unsent } = this.#body;
    if (unsent === 0 || unsent < this.#unsent) this.#takenAt = now;
    this.#unsent = unsent;
    const { limits, keepAlive } = this.#options;
    if (now - this.#takenAt >= limits.stallTimeout) this.destroy();
    else if (this.#expired || this.#timeouts.expired(this.#connection.busy) !== undefined)
      this.#close('the token has expired');
    else if (unsent === 0 && now - this.#lastSentAt >= keepAlive) this.#write(keepAliveComment);
  }

  async drain(): Promise<void> {
    await this.#connection.drain();
    this.#close('the server is shutting down');
    await this.#gone;
  }

  destroy(): void {
    this.#body.destroy();
    this.#end('the client does not read');
  }

  get #congested(): boolean {
    return this.#body.unsent > HIGH_WATER;
  }

  get #expired(): boolean {
    const expiresAt = this.#options.identity?.expiresAt;
    return expiresAt !== undefined && Date.now() / 1000 >= expiresAt;
  }

  #take(exchange: Exchange, text: string): void {
    if (this.#closed) {
      refuse(exchange, 404, rpcError('InvalidRequest', 'the session has ended; open the stream again'));
      return;
    }
    const fault = boundsFault(text);
    if (fault !== undefined) {
      refuse(exchange, 413, rpcError('InvalidRequest', fault));
      return;
    }
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      // the parser's message quotes the body and is not sent
      refuse(exchange, 400, rpcError('ParseError', 'parse error: the message is not valid JSON'));
      return;
    }
    if (isLargeBatch(value)) {
      refuse(exchange, 413, rpcError('InvalidRequest', batchTooLong));
      return;
    }
    if (this.#isRefused(exchange, value)) return;
    this.#timeouts.received();
    exchange.respond(202, {});
    this.#connection.accept(value, { respond: (answer) => this.#say(answer) });
  }

  /** Refuses a message that the identity may not send; returns true if it did. */
  #isRefused(exchange: Exchange, value: unknown): boolean {
    const { identity, permit } = this.#options;
    if (identity === undefined || permit === undefined) return false;
    const refusal = permit(identity, requestsOf(value));
    if (refusal === undefined) return false;
    const { status, message } = refusal;
    refuse(exchange, status, rpcError('InvalidRequest', message), { headers: refusalHeaders(refusal) });
    return true;
  }

  #say(text: JsonText): void {
    const head = 'event: message\ndata: ';
    this.#write(typeof text === 'string' ? `${head}${text}\n\n` : [head, ...text, '\n\n']);
    this.#listen();
  }

  #write(text: JsonText): void {
    if (this.#closed) return;
    this.#lastSentAt = performance.now();
    this.#body.write(text);
  }

  /** Waits for the client to read, if it has unread data. */
  #listen(): void {
    if (this.#listening || !this.#congested) return;
    this.#listening = true;
    this.#body.onDrain(() => {
      this.#listening = false;
      this.#connection.drained();
      this.#listen();
      while (this.#waiting.length > 0 && !this.#congested) this.#waiting.shift()!(); // not empty
    });
  }

  /** Resolves when the client has read enough, or is gone. */
  async #uncongested(): Promise<void> {
    while (this.#congested && !this.#closed)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #close(reason: string): void {
    if (this.#closed) return;
    this.#body.end();
    this.#end(reason);
  }

  #end(reason: string): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#connection.close(reason);
    for (const go of this.#waiting.splice(0)) go();
    this.#resolveGone();
  }
}
