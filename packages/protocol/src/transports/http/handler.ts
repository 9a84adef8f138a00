import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Authorizer, type Identity, isRefusal, type Refusal } from '../../auth/authorizer.ts';
import { type Id, isId, isObject } from '../../jsonrpc/message.ts';
import { rpcError } from '../../protocol/errors.ts';
import { metaKeys } from '../../protocol/meta.ts';
import {
  handshakeRevisions,
  isHandshakeRevision,
  isStatelessRevision,
  statelessRevisions,
} from '../../protocol/revisions.ts';
import type { Server } from '../../server/server.ts';
import { jsonHeaders, refuse } from './answer.ts';
import { type EventLimits, type EventStore, MemoryEventStore } from './event-store.ts';
import { BodyError, type Exchange, type Headers, type OpenBody } from './exchange.ts';
import { Guard, type GuardOptions } from './guard.ts';
import { NodeExchange } from './node.ts';
import type { SessionStore } from './session-store.ts';
import { Sessions } from './sessions.ts';
import { StatelessRequests, statelessMeta } from './stateless.ts';
import { Ticker } from './ticker.ts';
import { WebExchange } from './web.ts';

/** Serves paths beside the MCP endpoint; false leaves a request to the others. */
export type Mount = (exchange: Exchange, identity: Identity | undefined) => boolean | Promise<boolean>;

export interface HttpOptions extends GuardOptions {
  /** the MCP endpoint; default `/mcp` */
  path?: string;
  /** decides who may use the server; without it everybody may who gets past the guard */
  authorizer?: Authorizer;
  /** longest body of a request in bytes; default 64 MiB */
  bodyLimit?: number;
  /** milliseconds that a session may be idle; default 30 minutes */
  sessionIdle?: number;
  /** most sessions at once; the one that was idle the longest makes room. Default 1,000 */
  sessionCap?: number;
  /** milliseconds between two signs of life on a quiet stream; default 15,000 */
  keepAlive?: number;
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
const DEFAULT_KEEP_ALIVE_MS = 15_000;

/** One MCP endpoint over HTTP for every revision that has one. */
export class HttpHandler<S> {
  readonly #path: string;
  readonly #guard: Guard;
  readonly #authorizer: Authorizer | undefined;
  readonly #bodyLimit: number;
  readonly #mounts: readonly Mount[];
  readonly #sessions: Sessions<S>;
  readonly #stateless: StatelessRequests<S>;
  readonly #server: Server<S>;
  #draining = false;

  constructor(server: Server<S>, options: HttpOptions) {
    const { path = '/mcp', authorizer, bodyLimit = DEFAULT_BODY_LIMIT, mounts = [] } = options;
    if (!path.startsWith('/')) throw new TypeError(`path ${JSON.stringify(path)} must begin with a slash`);
    const ticker = new Ticker(options.keepAlive ?? DEFAULT_KEEP_ALIVE_MS);
    this.#server = server;
    this.#path = path;
    this.#guard = new Guard(options);
    this.#authorizer = authorizer;
    this.#bodyLimit = bodyLimit;
    this.#mounts = mounts;
    this.#stateless = new StatelessRequests(server, ticker);
    this.#sessions = new Sessions({
      server,
      ticker,
      events: options.eventStore ?? new MemoryEventStore(options.eventLimits),
      store: options.sessionStore,
      idle: options.sessionIdle ?? DEFAULT_IDLE_MS,
      cap: options.sessionCap ?? DEFAULT_CAP,
    });
  }

  /** Who may come in and from where; for what else listens on the same port, such as WebSocket. */
  get guard(): Guard {
    return this.#guard;
  }

  /** Serves a request of node:http. */
  readonly node = (request: IncomingMessage, response: ServerResponse): void => {
    const exchange = new NodeExchange(request, response);
    this.#serve(exchange).catch((error: unknown) => this.#crash(exchange, error));
  };

  /** Serves a web-standard request. */
  readonly fetch = (request: Request): Promise<Response> => {
    const exchange = new WebExchange(request);
    this.#serve(exchange).catch((error: unknown) => this.#crash(exchange, error));
    return exchange.response;
  };

  /** Takes no new sessions, ends the listen streams, and resolves when what is in progress has its answer. */
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

  async #serve(bare: Exchange): Promise<void> {
    if (bare.path === '/healthz' && bare.method === 'GET') {
      bare.respond(
        this.#draining ? 503 : 200,
        jsonHeaders,
        `{"status":"${this.#draining ? 'draining' : 'ok'}"}`,
      );
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
    if (exchange.method === 'GET' && (await this.#servePublic(exchange))) return;
    const identity = await this.#identify(exchange);
    if (identity !== undefined && isRefusal(identity)) {
      challenge(exchange, identity);
      return;
    }
    for (const mount of this.#mounts) {
      if (await mount(exchange, identity)) return;
    }
    if (exchange.path === this.#path) await this.#endpoint(exchange, identity);
    else
      refuse(
        exchange,
        404,
        rpcError('InvalidRequest', `nothing is served here; the endpoint is ${this.#path}`),
      );
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

  #endpoint(exchange: Exchange, identity: Identity | undefined): Promise<void> | void {
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

  async #post(exchange: Exchange, identity: Identity | undefined): Promise<void> {
    if (!isJson(exchange.header('content-type'))) {
      refuse(exchange, 415, rpcError('InvalidRequest', 'Content-Type must be application/json'));
      return;
    }
    if (!accepts(exchange.header('accept'))) {
      const message = 'Accept must name application/json and text/event-stream';
      refuse(exchange, 406, rpcError('InvalidRequest', message));
      return;
    }
    let text: string;
    try {
      text = await exchange.body(this.#bodyLimit);
    } catch (error) {
      if (!(error instanceof BodyError)) throw error;
      refuse(exchange, error.status, rpcError('InvalidRequest', error.message));
      return;
    }
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      // the parser's words quote the message and are left out
      refuse(exchange, 400, rpcError('ParseError', 'parse error: the body is not valid JSON'));
      return;
    }
    const missing = identity === undefined ? undefined : this.#missingScope(identity, value);
    if (missing !== undefined) {
      challenge(exchange, missing);
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
    const session = await this.#sessions.find(id, identity?.principal);
    if (session === undefined) unknownSession(exchange);
    else session.post(exchange, value);
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
    if (session === undefined) unknownSession(exchange);
    else if (exchange.method === 'DELETE') {
      this.#sessions.delete(session);
      exchange.respond(204, {});
    } else if (mentions(exchange.header('accept'), 'text/event-stream')) await session.get(exchange);
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

  #missingScope(identity: Identity, value: unknown): Refusal | undefined {
    if (this.#authorizer?.permit === undefined) return undefined;
    for (const message of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (!isObject(message) || typeof message.method !== 'string') continue;
      const params = isObject(message.params) ? message.params : {};
      const refusal = this.#authorizer.permit(identity, message.method, params);
      if (refusal !== undefined) return refusal;
    }
    return undefined;
  }

  #crash(exchange: Exchange, error: unknown): void {
    this.#server.report(error);
    refuse(exchange, 500, rpcError('InternalError'));
  }
}

/**
 * Serves an MCP server over HTTP from a listener of your own: as `handler.node(request, response)` or as
 * `handler.fetch(request)`.
 * @example const handler = createHttpHandler(server); http.createServer(handler.node).listen(3000, '127.0.0.1');
 */
export function createHttpHandler<S>(server: Server<S>, options: HttpOptions = {}): HttpHandler<S> {
  return new HttpHandler(server, options);
}

function idOf(value: unknown): Id | null {
  return isObject(value) && isId(value.id) ? value.id : null;
}

function unknownSession(exchange: Exchange): void {
  refuse(exchange, 404, rpcError('InvalidRequest', 'no such session; send initialize to begin a new one'));
}

function challenge(exchange: Exchange, { status, challenge: value, message }: Refusal): void {
  const headers = value === undefined ? undefined : { 'WWW-Authenticate': value };
  refuse(exchange, status, rpcError('InvalidRequest', message), { headers });
}

function isJson(contentType: string | undefined): boolean {
  return contentType !== undefined && /^\s*application\/json\s*(?:;|$)/i.test(contentType);
}

function accepts(accept: string | undefined): boolean {
  if (accept === undefined) return true;
  return mentions(accept, 'application/json') && mentions(accept, 'text/event-stream');
}

/** Whether an `Accept` header takes a media type; its preferences do not matter where there is one offer. */
function mentions(accept: string | undefined, type: string): boolean {
  if (accept === undefined) return true;
  const ranges = accept.toLowerCase();
  return ranges.includes(type) || ranges.includes('*/*') || ranges.includes(`${type.split('/')[0]}/*`);
}

/** The exchange with headers in its answers by which a page may read them. */
function readable(exchange: Exchange, cors: Headers | undefined): Exchange {
  if (cors === undefined) return exchange;
  return {
    method: exchange.method,
    path: exchange.path,
    search: exchange.search,
    header: (name) => exchange.header(name),
    body: (limit) => exchange.body(limit),
    respond: (status, headers, body) => exchange.respond(status, { ...headers, ...cors }, body),
    open: (status, headers): OpenBody => exchange.open(status, { ...headers, ...cors }),
    onGone: (listener) => exchange.onGone(listener),
  };
}
