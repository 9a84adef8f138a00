import { classify } from '../../jsonrpc/message.ts';
import { rpcError } from '../../protocol/errors.ts';
import { headerNames } from '../../protocol/headers.ts';
import { ServerConnection } from '../../server/connection.ts';
import type { Introduction } from '../../server/facts.ts';
import type { Server } from '../../server/server.ts';
import { eventStreamHeaders, refuse } from './answer.ts';
import type { EventStore } from './event-store.ts';
import { EventStream, readEventId } from './event-stream.ts';
import type { Exchange, Headers, OpenBody } from './exchange.ts';
import { PostReply } from './post-reply.ts';
import type { Ticker, Ticking } from './ticker.ts';

/** The first revision whose clients may be disconnected and poll. */
const POLLING_SINCE = '2025-11-25';
/** The maximum number of ended streams that a client can still resume. */
const MOST_FINISHED = 16;
/** The number of the stream of a GET. */
const STANDALONE = 0;

export interface SessionOptions<S> {
  server: Server<S>;
  id: string;
  principal: string | undefined;
  /** the owner whose limits apply */
  owner: string | undefined;
  events: EventStore;
  ticker: Ticker;
  /** number of the first stream of a POST; the events of the GET stream are numbered from it too */
  firstStream?: number;
}

/**
 * A session of the handshake era over HTTP: requests arrive by POST, and other messages of the server are
 * sent on the stream of a GET.
 */
export class Session<S> implements Ticking {
  readonly id: string;
  readonly principal: string | undefined;
  /** the owner whose limits apply */
  readonly owner: string | undefined;
  readonly connection: ServerConnection<S>;
  /** by `performance.now()` */
  lastUsed = performance.now();
  readonly #events: EventStore;
  readonly #ticker: Ticker;
  readonly #standalone: EventStream;
  readonly #streams = new Map<number, EventStream>();
  /** the open responses */
  readonly #replies = new Set<PostReply>();
  #finished: EventStream[] = [];
  #nextStream: number;
  #open = 0;

  constructor({
    server,
    id,
    principal,
    owner,
    events,
    ticker,
    firstStream = STANDALONE + 1,
  }: SessionOptions<S>) {
    this.id = id;
    this.principal = principal;
    this.owner = owner;
    this.#events = events;
    this.#ticker = ticker;
    this.#nextStream = firstStream;
    // a session from another process starts above the event ids of that process
    this.#standalone = new EventStream(id, STANDALONE, events, firstStream - 1);
    this.connection = new ServerConnection(server, {
      write: (text) => this.#standalone.write(text),
      congested: () => this.#standalone.congested,
      ...(principal !== undefined && { principal }),
    });
  }

  /** True while a connection waits for a response or a stream. */
  get busy(): boolean {
    return this.#open > 0 || this.#standalone.taken;
  }

  /** Restores a session that began in another process. */
  resume(introduction: Introduction): void {
    this.connection.resume(introduction);
  }

  /** Serves a POST: one message, or a batch if the revision has batches. */
  post(exchange: Exchange, value: unknown): void {
    this.lastUsed = performance.now();
    let answered: boolean;
    if (Array.isArray(value)) {
      // a refused batch gets an HTTP status, even if it has no requests
      const fault = this.connection.batchFault(value);
      if (fault !== undefined) {
        refuse(exchange, 400, rpcError('InvalidRequest', fault));
        return;
      }
      answered = expectsAnswer(value);
    } else {
      const classified = classify(value);
      if (classified.kind === 'malformed') {
        const { id = null, reason } = classified;
        refuse(exchange, 400, rpcError('InvalidRequest', reason), { id });
        return;
      }
      answered = classified.kind === 'request';
    }
    if (!answered) {
      this.connection.accept(value, { respond: () => {} }); // it contains no requests
      exchange.respond(202, {});
      return;
    }
    this.#open += 1;
    const { facts } = this.connection;
    // the response to initialize has the session id
    const headers = (): Headers | undefined =>
      facts === undefined && this.connection.facts !== undefined
        ? { [headerNames.sessionId]: this.id }
        : undefined;
    const reply = new PostReply({
      exchange,
      headers,
      openStream: () => this.#openStream(),
      polls: facts !== undefined && facts.revision >= POLLING_SINCE,
      ticker: this.#ticker,
      done: () => {
        this.#replies.delete(reply);
        this.#open -= 1;
        this.lastUsed = performance.now();
      },
    });
    this.connection.accept(value, reply);
    if (reply.over) return;
    this.#replies.add(reply);
    reply.wait();
  }

  /** Serves a GET: the standalone stream, or the rest of a broken stream. */
  async get(exchange: Exchange): Promise<void> {
    this.lastUsed = performance.now();
    const given = exchange.header('last-event-id');
    const position = given === undefined ? undefined : readEventId(given);
    const stream =
      position === undefined || position.stream === STANDALONE
        ? this.#standalone
        : this.#streams.get(position.stream);
    if (stream === undefined || (given !== undefined && position === undefined)) {
      refuse(
        exchange,
        400,
        rpcError('InvalidRequest', 'Last-Event-ID names no stream of this session; omit it to start again'),
      );
      return;
    }
    // a client that knows an event has lost the previous connection, even if that is not detected here
    if (stream.taken && (position === undefined || !stream.resumable)) {
      refuse(
        exchange,
        409,
        rpcError('InvalidRequest', 'the stream is open on another connection; close that first'),
      );
      return;
    }
    const polls = (this.connection.facts?.revision ?? '') >= POLLING_SINCE;
    const resumed = await stream.resume(
      position?.sequence,
      () => {
        const body = exchange.open(200, eventStreamHeaders);
        exchange.onGone(() => this.#left(stream, body));
        return body;
      },
      polls,
    );
    if (!resumed) {
      refuse(
        exchange,
        400,
        rpcError('InvalidRequest', 'events after Last-Event-ID are no longer stored; omit it to start again'),
      );
      return;
    }
    if (stream !== this.#standalone) return;
    this.#ticker.add(this);
    this.#flush();
  }

  tick(): void {
    this.#standalone.keepAlive();
  }

  /** Ends its streams when the requests in progress have their responses. */
  async drain(): Promise<void> {
    await this.connection.drain();
  }

  /** Ends the session; `refuse` is called for requests without any response yet. */
  close(reason: string, refuse: (exchange: Exchange) => void): void {
    this.connection.close(reason);
    for (const reply of this.#replies) reply.abandon(refuse);
    this.#ticker.delete(this);
    this.#standalone.drop();
    for (const stream of this.#streams.values()) stream.drop();
    this.#streams.clear();
  }

  #left(stream: EventStream, body: OpenBody): void {
    if (!stream.detach(body)) return;
    this.lastUsed = performance.now();
    if (stream === this.#standalone) this.#ticker.delete(this);
  }

  /** Sends the held notifications. */
  #flush(): void {
    this.connection.drained();
    if (this.#standalone.taken) this.#standalone.onDrain(() => this.#flush());
  }

  #openStream(): EventStream {
    const stream = new EventStream(this.id, this.#nextStream++, this.#events);
    this.#streams.set(stream.number, stream);
    this.#finished.push(stream);
    // unfinished streams belong to their requests
    while (this.#finished.length > MOST_FINISHED) {
      const oldest = this.#finished.find((each) => each.finished && !each.taken);
      if (oldest === undefined) break;
      this.#finished = this.#finished.filter((each) => each !== oldest);
      this.#streams.delete(oldest.number);
      oldest.drop();
    }
    return stream;
  }
}

/** Returns true if a batch contains requests or malformed messages, which have responses. */
function expectsAnswer(batch: readonly unknown[]): boolean {
  return batch.some((message) => {
    const { kind } = classify(message);
    return kind === 'request' || kind === 'malformed';
  });
}
