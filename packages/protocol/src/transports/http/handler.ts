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
import { Places } from '../places.ts';
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
 * Serves paths beside the MCP endpoint; false leaves a request to the others.
 * @example
 * const nothing: Mount = () => false;
 * createHttpHandler(server, { mounts: [nothing] });
 */
export type Mount = (exchange: Exchange, identity: Identity | undefined) => boolean | Promise<boolean>;

/**
 * What a handler serves, to whom, and within which bounds.
 * @example
 * const options: HttpOptions = { path: '/mcp', sessionCap: 100, bodyLimit: 1024 * 1024 };
 * createHttpHandler(server, options);
 */
export interface HttpOptions extends GuardOptions {
  /** the MCP endpoint; default `/mcp` */
  path?: string;
  /** decides who may use the server; without it everybody may who gets past the guard */
  authorizer?: Authorizer;
  /** longest body of a request in bytes; default 64 MiB */
  bodyLimit?: number;
  /** milliseconds that a session may be idle; default 30 minutes */
  sessionIdle?: number;
  /**
   * most sessions at once; the one that was idle the longest makes room, and where none is idle the answer is 503
   * with `Retry-After`. Default 1,000
   */
  sessionCap?: number;
  /** most sessions of one principal, by the same rule with 429; default a quarter of `sessionCap` */
  sessionShare?: number;
  /** most requests and streams that are open at once, further ones get 503 with `Retry-After`; default 16,384 */
  openCap?: number;
  /** most of them of one principal, further ones get 429 with `Retry-After`; default 1,024 */
  openShare?: number;
  /** what is held of bodies that have not come to their end; default bounds that all handlers of the process share */
  unfinished?: UnfinishedLimits;
  /** milliseconds between two signs of life on a quiet stream; default 15,000 */
  keepAlive?: number;
  /** milliseconds after which a client is cut off that has unread answers and reads nothing of them. Default 120,000 */
  stallTimeout?: number;
  /** what streams keep for clients that come back */
  eventLimits?: EventLimits;
  /** where events are kept; default the memory of this process */
  eventStore?: EventStore;
  /** where sessions are written down for other processes; default nowhere */
  sessionStore?: SessionStore;
  /** what else is served, behind the same guard and authorization */
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
 * One MCP endpoint over HTTP for every revision that has one.
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
  readonly #open: Places;
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
    this.#open = new Places({ all: openCap, each: openShare });
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

  /** Who may come in and from where; for what else listens on the same port, such as WebSocket. */
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
   * Takes no new sessions, which get 503 with `Retry-After`, ends the listen streams, and resolves when what
   * is in progress has its answer.
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

  /** Serves a request, without a promise where there is nothing to wait for. */
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
      if (!this.#takePlace(exchange)) return;
      if (this.#mounts.length > 0) return this.#serveMounts(exchange, identity);
      else return this.#route(exchange, identity);
    });
  }

  /** Counts a request until it is over; false when too many are open, which is answered. */
  #takePlace(exchange: Exchange): boolean {
    const { owner } = exchange;
    const full = this.#open.take(owner);
    if (full === undefined) {
      exchange.onOver(() => this.#open.free(owner));
      return true;
    }
    if (full === 'each') {
      const message = `too many requests and streams of yours are open, ${this.#openShare} is the most; end some first`;
      refuseShare(exchange, 429, message);
    } else {
      const message = `too many requests and streams are open, ${this.#openCap} is the most; try again later`;
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
    const message = `nothing is served here; the endpoint is ${this.#path}`;
    refuse(exchange, 404, rpcError('InvalidRequest', message));
  }

  async #servePublic(exchange: Exchange): Promise<boolean> {
    const document = await this.#authorizer?.document?.(exchange.path);
    if (document !== undefined) {
      exchange.respond(200, { ...jsonHeaders, 'Cache-Control': 'max-age=3600' }, JSON.stringify(document));
      return true;
    }
    // a client that looks for metadata takes 401 for a failure and 404 for the answer that there is none
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
        refuse(exchange, 405, rpcError('InvalidRequest', 'this revision has POST alone'), {
          headers: { Allow: 'POST' },
        });
        return;
      default:
        refuse(exchange, 405, rpcError('InvalidRequest', 'the endpoint takes POST, GET and DELETE'), {
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
      const message = 'Accept must name application/json and text/event-stream';
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
      // the parser's words quote the message and are left out
      refuse(exchange, 400, rpcError('ParseError', 'parse error: the body is not valid JSON'));
      return;
    }
    if (isLargeBatch(value)) {
      refuse(exchange, 413, rpcError('InvalidRequest', batchTooLong));
      return;
    }
    const missing = identity && this.#authorizer?.permit?.(identity, requestsOf(value));
    if (missing !== undefined) {
      // one for the whole POST, as HTTP has one status; nothing of a batch is served then
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

  /** GET and DELETE of the handshake era. */
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
    else refuse(exchange, 406, rpcError('InvalidRequest', 'Accept must name text/event-stream'));
  }

  #refusesVersion(exchange: Exchange, id: Id | null = null): boolean {
    const version = exchange.header('mcp-protocol-version');
    if (version === undefined || isHandshakeRevision(version)) return false;
    const error = isStatelessRevision(version)
      ? rpcError('InvalidParams', `params._meta must have ${metaKeys.protocolVersion}, as the header says`)
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

  /** Does some of the work for a request; what it throws, now or later, is answered as an error of this side. */
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
 * Serves an MCP server over HTTP from a listener of your own: as `handler.node(request, response)` or as
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
  // 404 would make the client begin anew, though its session is only not to be had
  if (why === 'unavailable') unavailable(exchange, 'the session cannot be taken up now; try again later');
  else
    refuse(exchange, 404, rpcError('InvalidRequest', 'no such session; send initialize to begin a new one'));
}

function refuseUser(exchange: Exchange, refusal: Refusal): void {
  const { status, message } = refusal;
  refuse(exchange, status, rpcError('InvalidRequest', message), { headers: refusalHeaders(refusal) });
}

/** The exchange with headers in its answers by which a page may read them. */
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
