import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type Authorizer,
  type Identity,
  isRefusal,
  type Refusal,
  refusalHeaders,
  requestsOf,
} from '../../auth/authorizer.ts';
import { batchTooLong, isLargeBatch } from '../../jsonrpc/batch.ts';
import { boundsFault } from '../../jsonrpc/bounds.ts';
import { type Id, isId, isObject } from '../../jsonrpc/message.ts';
import { rpcError } from '../../protocol/errors.ts';
import { metaKeys } from '../../protocol/meta.ts';
import {
  handshakeRevisions,
  isHandshakeRevision,
  isStatelessRevision,
  statelessRevisions,
} from '../../protocol/revisions.ts';
import { chain } from '../../server/chain.ts';
import type { Server } from '../../server/server.ts';
import { Slots } from '../slots.ts';
import { jsonHeaders, refuse, refuseBody, refuseShare, retryLater, unavailable } from './answer.ts';
import { type EventLimits, type EventStore, MemoryEventStore } from './event-store.ts';
import type { BodyError, Exchange, Headers, OpenBody } from './exchange.ts';
import { Guard, type GuardOptions } from './guard.ts';
import { acceptsBoth, acceptsStream, isJson } from './media-types.ts';
import { NodeExchange } from './node.ts';
import type { SessionStore } from './session-store.ts';
import { Sessions } from './sessions.ts';
import { StatelessRequests, statelessMeta } from './stateless.ts';
import { Ticker } from './ticker.ts';
import { UnfinishedBodies, type UnfinishedLimits, unfinishedOfProcess } from './unfinished.ts';
import { WebExchange } from './web.ts';

/**
 * Serves other paths than the MCP endpoint; returns false for a request that it does not serve.
 * @example
 * const nothing: Mount = () => false;
 * createHttpHandler(server, { mounts: [nothing] });
 */
export type Mount = (exchange: Exchange, identity: Identity | undefined) => boolean | Promise<boolean>;

/**
 * Options of an HTTP handler.
 * @example
 * const options: HttpOptions = { path: '/mcp', sessionCap: 100, bodyLimit: 1024 * 1024 };
 * createHttpHandler(server, options);
 */
export interface HttpOptions extends GuardOptions {
  /** path of the MCP endpoint; default `/mcp` */
  path?: string;
  /** authorizes requests; without it every request that the guard accepts is served */
  authorizer?: Authorizer;
  /** maximum size of a request body in bytes; default 64 MiB */
  bodyLimit?: number;
  /** milliseconds after which an idle session ends; default 30 minutes */
  sessionIdle?: number;
  /**
   * maximum number of sessions; the longest idle one is ended for a new one, and if none is idle the response
   * is 503 with `Retry-After`. Default 1,000
   */
  sessionCap?: number;
  /** maximum number of sessions of one principal, by the same rule with 429; default a quarter of `sessionCap` */
  sessionShare?: number;
  /** maximum number of open requests and streams; further ones get 503 with `Retry-After`. Default 16,384 */
  openCap?: number;
  /** maximum number of those of one principal; further ones get 429 with `Retry-After`. Default 1,024 */
  openShare?: number;
  /** limits of incomplete bodies; by default all handlers of the process share the default limits */
  unfinished?: UnfinishedLimits;
  /** milliseconds between two comments on a quiet stream; default 15,000 */
  keepAlive?: number;
  /** milliseconds without reading after which a client with unread responses is disconnected; default 120,000 */
  stallTimeout?: number;
  /** limits of the events that streams store for clients that reconnect */
  eventLimits?: EventLimits;
  /** stores events; default the memory of this process */
  eventStore?: EventStore;
  /** stores sessions for other processes; default none */
  sessionStore?: SessionStore;
  /** other handlers behind the same guard and authorization */
  mounts?: readonly Mount[];
}

const DEFAULT_BODY_LIMIT = 64 * 1024 * 1024;
const DEFAULT_IDLE_MS = 30 * 60_000;
const DEFAULT_CAP = 1000;
const DEFAULT_OPEN_CAP = 16_384;
const DEFAULT_OPEN_SHARE = 1024;
const DEFAULT_KEEP_ALIVE_MS = 15_000;
const DEFAULT_STALL_MS = 120_000;

/**
 * An MCP endpoint over HTTP for every revision that has one.
 * @example
 * const handler: HttpHandler<unknown> = createHttpHandler(server);
 * const response = await handler.fetch(new Request('http://localhost/healthz'));
 * response.status; // => 200
 */
export class HttpHandler<S> {
  readonly #path: string;
  readonly #guard: Guard;
  readonly #authorizer: Authorizer | undefined;
  readonly #bodyLimit: number;
  readonly #mounts: readonly Mount[];
  readonly #stallTimeout: number;
  readonly #sessions: Sessions<S>;
  readonly #stateless: StatelessRequests<S>;
  readonly #server: Server<S>;
  readonly #unfinished: UnfinishedBodies;
  readonly #open: Slots;
  readonly #openCap: number;
  readonly #openShare: number;
  #draining = false;

  constructor(server: Server<S>, options: HttpOptions) {
    const { path = '/mcp', authorizer, bodyLimit = DEFAULT_BODY_LIMIT, mounts = [] } = options;
    if (!path.startsWith('/')) throw new TypeError(`path ${JSON.stringify(path)} must begin with a slash`);
    const ticker = new Ticker(options.keepAlive ?? DEFAULT_KEEP_ALIVE_MS);
    const { openCap = DEFAULT_OPEN_CAP, openShare = DEFAULT_OPEN_SHARE } = options;
    this.#server = server;
    this.#unfinished =
      options.unfinished === undefined ? unfinishedOfProcess : new UnfinishedBodies(options.unfinished);
    this.#openCap = openCap;
    this.#openShare = openShare;
    this.#open = new Slots({ all: openCap, each: openShare });
    this.#path = path;
    this.#guard = new Guard(options);
    this.#authorizer = authorizer;
    this.#bodyLimit = bodyLimit;
    this.#mounts = mounts;
    this.#stallTimeout = options.stallTimeout ?? DEFAULT_STALL_MS;
    this.#stateless = new StatelessRequests(server, ticker);
    this.#sessions = new Sessions({
      server,
      ticker,
      events: options.eventStore ?? new MemoryEventStore(options.eventLimits),
      store: options.sessionStore,
      idle: options.sessionIdle ?? DEFAULT_IDLE_MS,
      cap: options.sessionCap ?? DEFAULT_CAP,
      share: options.sessionShare,
    });
  }

  /** The guard, for other protocols on the same port, such as WebSocket. */
  get guard(): Guard {
    return this.#guard;
  }

  /** Serves a request of node:http. */
  readonly node = (request: IncomingMessage, response: ServerResponse): void => {
    const exchange = new NodeExchange(request, response, this.#stallTimeout, this.#unfinished);
    this.#attempt(exchange, () => this.#serve(exchange));
  };

  /** Serves a web-standard request. */
  readonly fetch = (request: Request): Promise<Response> => {
    const exchange = new WebExchange(request, this.#unfinished);
    this.#attempt(exchange, () => this.#serve(exchange));
    return exchange.response;
  };

  /**
   * Refuses new sessions with 503 and `Retry-After`, ends the listen streams, and resolves when requests in
   * progress have their responses.
   */
  async drain(): Promise<void> {
    this.#draining = true;
    await Promise.all([this.#stateless.drain(), this.#sessions.drain()]);
  }

  /** Ends every session and stream. */
  close(reason = 'the server is shutting down'): void {
    this.#draining = true;
    this.#stateless.close(reason);
    this.#sessions.close(reason);
  }

  /** Serves a request; returns no promise if there is nothing to wait for. */
  #serve(bare: Exchange): void | Promise<void> {
    if (bare.path === '/healthz' && bare.method === 'GET') {
      if (this.#draining) bare.respond(503, { ...jsonHeaders, ...retryLater }, '{"status":"draining"}');
      else bare.respond(200, jsonHeaders, '{"status":"ok"}');
      return;
    }
    const refusal = this.#guard.refusal(bare);
    if (refusal !== undefined) {
      refuse(bare, 403, rpcError('InvalidRequest', refusal));
      return;
    }
    if (bare.method === 'OPTIONS') {
      bare.respond(204, this.#guard.preflightHeaders(bare));
      return;
    }
    const exchange = readable(bare, this.#guard.corsHeaders(bare));
    if (exchange.method !== 'GET') return this.#admit(exchange);
    return this.#servePublic(exchange).then((served) => (served ? undefined : this.#admit(exchange)));
  }

  #admit(exchange: Exchange): void | Promise<void> {
    return chain(this.#identify(exchange), (identity) => {
      if (identity !== undefined && isRefusal(identity)) {
        refuseUser(exchange, identity);
        return;
      }
      if (identity !== undefined) exchange.belongsTo(identity.principal);
      if (!this.#reserveSlot(exchange)) return;
      if (this.#mounts.length > 0) return this.#serveMounts(exchange, identity);
      else return this.#route(exchange, identity);
    });
  }

  /** Counts a request until it is over; if too many are open, refuses it and returns false. */
  #reserveSlot(exchange: Exchange): boolean {
    const { owner } = exchange;
    const full = this.#open.take(owner);
    if (full === undefined) {
      exchange.onOver(() => this.#open.free(owner));
      return true;
    }
    if (full === 'each') {
      const message = `too many requests and streams of yours are open, at most ${this.#openShare}; end some first`;
      refuseShare(exchange, 429, message);
    } else {
      const message = `too many requests and streams are open, at most ${this.#openCap}; try again later`;
      refuseShare(exchange, 503, message);
    }
    return false;
  }

  async #serveMounts(exchange: Exchange, identity: Identity | undefined): Promise<void> {
    for (const mount of this.#mounts) {
      if (await mount(exchange, identity)) return;
    }
    await this.#route(exchange, identity);
  }

  #route(exchange: Exchange, identity: Identity | undefined): void | Promise<void> {
    if (exchange.path === this.#path) return this.#endpoint(exchange, identity);
    const message = `not found; the MCP endpoint is ${this.#path}`;
    refuse(exchange, 404, rpcError('InvalidRequest', message));
  }

  async #servePublic(exchange: Exchange): Promise<boolean> {
    const document = await this.#authorizer?.document?.(exchange.path);
    if (document !== undefined) {
      exchange.respond(200, { ...jsonHeaders, 'Cache-Control': 'max-age=3600' }, JSON.stringify(document));
      return true;
    }
    // a client that looks for metadata treats 401 as a failure and 404 as missing metadata
    if (!exchange.path.startsWith('/.well-known/')) return false;
    refuse(exchange, 404, rpcError('InvalidRequest', 'no such metadata'));
    return true;
  }

  #identify(exchange: Exchange): Identity | Refusal | Promise<Identity | Refusal> | undefined {
    const { method, path } = exchange;
    return this.#authorizer?.authorize({ method, path, header: (name) => exchange.header(name) });
  }

  #endpoint(exchange: Exchange, identity: Identity | undefined): void | Promise<void> {
    switch (exchange.method) {
      case 'POST':
        return this.#post(exchange, identity);
      case 'GET':
      case 'DELETE':
        if (!isStatelessRevision(exchange.header('mcp-protocol-version')))
          return this.#ofSession(exchange, identity);
        refuse(exchange, 405, rpcError('InvalidRequest', 'this revision supports only POST'), {
          headers: { Allow: 'POST' },
        });
        return;
      default:
        refuse(exchange, 405, rpcError('InvalidRequest', 'the endpoint supports POST, GET and DELETE'), {
          headers: { Allow: 'POST, GET, DELETE' },
        });
    }
  }

  #post(exchange: Exchange, identity: Identity | undefined): void {
    const contentType = exchange.header('content-type');
    if (contentType === undefined || !isJson(contentType)) {
      refuse(exchange, 415, rpcError('InvalidRequest', 'Content-Type must be application/json'));
      return;
    }
    const accept = exchange.header('accept');
    if (accept !== undefined && !acceptsBoth(accept)) {
      const message = 'Accept must include application/json and text/event-stream';
      refuse(exchange, 406, rpcError('InvalidRequest', message));
      return;
    }
    exchange.takeBody(this.#bodyLimit, (body) => {
      this.#attempt(exchange, () => this.#take(exchange, identity, body));
    });
  }

  #take(exchange: Exchange, identity: Identity | undefined, body: string | BodyError): void | Promise<void> {
    if (typeof body !== 'string') {
      refuseBody(exchange, body);
      return;
    }
    const fault = boundsFault(body);
    if (fault !== undefined) {
      refuse(exchange, 413, rpcError('InvalidRequest', fault));
      return;
    }
    let value: unknown;
    try {
      value = JSON.parse(body);
    } catch {
      // the parser's message quotes the body and is not sent
      refuse(exchange, 400, rpcError('ParseError', 'parse error: the body is not valid JSON'));
      return;
    }
    if (isLargeBatch(value)) {
      refuse(exchange, 413, rpcError('InvalidRequest', batchTooLong));
      return;
    }
    const missing = identity && this.#authorizer?.permit?.(identity, requestsOf(value));
    if (missing !== undefined) {
      // one response for the whole POST, because HTTP has one status; no request of a batch is served then
      refuseUser(exchange, missing);
      return;
    }
    const meta = statelessMeta(value);
    if (meta !== undefined) {
      this.#stateless.post(exchange, value, meta, identity?.principal);
      return;
    }
    if (this.#refusesVersion(exchange, idOf(value))) return;
    const id = exchange.header('mcp-session-id');
    if (id === undefined) {
      this.#sessions.begin(exchange, value, identity?.principal);
      return;
    }
    return chain(this.#sessions.find(id, identity?.principal), (session) => {
      if (typeof session === 'string') refuseSession(exchange, session);
      else session.post(exchange, value);
    });
  }

  /** Serves GET and DELETE of the handshake era. */
  async #ofSession(exchange: Exchange, identity: Identity | undefined): Promise<void> {
    if (this.#refusesVersion(exchange)) return;
    const id = exchange.header('mcp-session-id');
    if (id === undefined) {
      refuse(exchange, 400, rpcError('InvalidRequest', 'Mcp-Session-Id is missing'));
      return;
    }
    const session = await this.#sessions.find(id, identity?.principal);
    if (typeof session === 'string') refuseSession(exchange, session);
    else if (exchange.method === 'DELETE') {
      this.#sessions.delete(session);
      exchange.respond(204, {});
    } else if (acceptsStream(exchange.header('accept') ?? '*/*')) await session.get(exchange);
    else refuse(exchange, 406, rpcError('InvalidRequest', 'Accept must include text/event-stream'));
  }

  #refusesVersion(exchange: Exchange, id: Id | null = null): boolean {
    const version = exchange.header('mcp-protocol-version');
    if (version === undefined || isHandshakeRevision(version)) return false;
    const error = isStatelessRevision(version)
      ? rpcError(
          'InvalidParams',
          `params._meta must have ${metaKeys.protocolVersion} with the version of the header`,
        )
      : rpcError(
          'UnsupportedProtocolVersion',
          `protocol version ${JSON.stringify(version)} is not supported`,
          {
            supported: [...handshakeRevisions, ...statelessRevisions],
            requested: version,
          },
        );
    refuse(exchange, 400, error, { id });
    return true;
  }

  /** Runs a step of a request; an error, also a later one, becomes an error response. */
  #attempt(exchange: Exchange, work: () => void | Promise<void>): void {
    try {
      const rest = work();
      if (rest instanceof Promise) rest.catch((error: unknown) => this.#crash(exchange, error));
    } catch (error) {
      this.#crash(exchange, error);
    }
  }

  #crash(exchange: Exchange, error: unknown): void {
    this.#server.report(error);
    refuse(exchange, 500, rpcError('InternalError'));
  }
}

/**
 * Returns a handler that serves an MCP server from your own listener: `handler.node(request, response)` or
 * `handler.fetch(request)`.
 * @example
 * import { createServer as createHttpServer } from 'node:http';
 * const handler = createHttpHandler(server);
 * const listener = createHttpServer(handler.node).listen(0, '127.0.0.1');
 * listener.close();
 */
export function createHttpHandler<S>(server: Server<S>, options: HttpOptions = {}): HttpHandler<S> {
  return new HttpHandler(server, options);
}

function idOf(value: unknown): Id | null {
  return isObject(value) && isId(value.id) ? value.id : null;
}

function refuseSession(exchange: Exchange, why: 'unknown' | 'unavailable'): void {
  // after a 404 the client would start a new session, although this one is only unavailable now
  if (why === 'unavailable') unavailable(exchange, 'the session is not available now; try again later');
  else
    refuse(exchange, 404, rpcError('InvalidRequest', 'no such session; send initialize to start a new one'));
}

function refuseUser(exchange: Exchange, refusal: Refusal): void {
  const { status, message } = refusal;
  refuse(exchange, status, rpcError('InvalidRequest', message), { headers: refusalHeaders(refusal) });
}

/** Returns the exchange with CORS headers in its responses. */
function readable(exchange: Exchange, cors: Headers | undefined): Exchange {
  if (cors === undefined) return exchange;
  return {
    method: exchange.method,
    path: exchange.path,
    search: exchange.search,
    get owner() {
      return exchange.owner;
    },
    belongsTo: (principal) => exchange.belongsTo(principal),
    header: (name) => exchange.header(name),
    body: (limit) => exchange.body(limit),
    takeBody: (limit, use) => exchange.takeBody(limit, use),
    respond: (status, headers, body) => exchange.respond(status, { ...headers, ...cors }, body),
    open: (status, headers): OpenBody => exchange.open(status, { ...headers, ...cors }),
    onGone: (listener) => exchange.onGone(listener),
    onOver: (listener) => exchange.onOver(listener),
  };
}
