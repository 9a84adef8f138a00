import { randomUUID } from 'node:crypto';
import type { Authorizer, Identity } from '../../auth/authorizer.ts';
import { rpcError } from '../../protocol/errors.ts';
import type { Server } from '../../server/server.ts';
import { refuse, refuseShare } from '../http/answer.ts';
import type { Exchange } from '../http/exchange.ts';
import { type ConnectionLimits, normaliseLimits, sweepInterval } from '../limits.ts';
import { Roster } from '../roster.ts';
import { SseSession } from './session.ts';

/**
 * Paths and limits of HTTP+SSE.
 * @example
 * const options: SseOptions = { ssePath: '/sse', messagesPath: '/messages', connectionCap: 100 };
 */
export interface SseOptions extends ConnectionLimits {
  /** path on which clients open their streams; default `/sse` */
  ssePath?: string;
  /** path to which clients send their messages; default `/messages` */
  messagesPath?: string;
  /** milliseconds between two comments on a quiet stream, which keep proxies from closing it; default 15,000 */
  keepAlive?: number;
  /** checks the permissions of an identity; default none */
  permit?: Authorizer['permit'];
}

/**
 * The two endpoints of HTTP+SSE, for an HTTP handler that has checked Origin, Host and credentials.
 * @example
 * const routes: SseRoutes = sseRoutes(server);
 * routes.sessions; // => 0
 * await routes.close();
 */
export interface SseRoutes {
  /** Serves a request for one of the endpoints; returns false for other paths. */
  readonly route: (exchange: Exchange, identity: Identity | undefined) => boolean;
  /** number of connected clients */
  readonly sessions: number;
  /**
   * Accepts no more clients, waits up to `grace` milliseconds (default 5,000) for requests in progress, and
   * ends the streams.
   */
  close(grace?: number): Promise<void>;
}

const DEFAULT_KEEP_ALIVE_MS = 15_000;
const CLOSE_GRACE_MS = 5000;

/**
 * Serves clients of 2024-11-05, which open a stream with GET and send each message with a POST. A session
 * belongs to the identity that opened it and ends with its stream.
 * Source: https://modelcontextprotocol.io/specification/2024-11-05/basic/transports#http-with-sse
 * @example
 * const routes = sseRoutes(server);
 * const listening = await serveHttp(server, { port: 0, mounts: [routes.route] });
 * await routes.close();
 * await listening.close();
 */
export function sseRoutes<S>(server: Server<S>, options: SseOptions = {}): SseRoutes {
  const { ssePath = '/sse', messagesPath = '/messages', keepAlive = DEFAULT_KEEP_ALIVE_MS } = options;
  const limits = normaliseLimits(options);
  const sessions = new Map<string, SseSession<S>>();
  const every = Math.min(sweepInterval(limits), keepAlive);
  const roster = new Roster({
    most: limits.connectionCap,
    each: limits.connectionShare,
    every,
  });

  const open = (exchange: Exchange, identity: Identity | undefined): void => {
    if (!takesEvents(exchange.header('accept'))) {
      refuse(exchange, 406, rpcError('InvalidRequest', 'Accept must include text/event-stream'));
      return;
    }
    const { owner } = exchange;
    const full = roster.reserve(owner);
    if (full === 'each') {
      const most = `at most ${limits.connectionShare}`;
      refuseShare(exchange, 429, `too many sessions of yours, ${most}; close one first`);
      return;
    }
    if (full !== undefined) {
      const error = rpcError('InternalError', 'the server accepts no more sessions now; try again later');
      refuse(exchange, 503, error, { headers: { 'Retry-After': '5' } });
      return;
    }
    const id = randomUUID();
    const endpoint = `${messagesPath}?sessionId=${id}`;
    const session = new SseSession(exchange, {
      server,
      limits,
      identity,
      permit: options.permit,
      endpoint,
      keepAlive,
    });
    sessions.set(id, session);
    roster.add(session, owner);
    void session.gone.then(() => {
      sessions.delete(id);
      roster.delete(session);
    });
  };

  const post = (exchange: Exchange, identity: Identity | undefined): void => {
    const id = new URLSearchParams(exchange.search).get('sessionId');
    if (id === null) {
      const reason = `the URI must be the one in the endpoint event of ${ssePath}`;
      refuse(exchange, 400, rpcError('InvalidRequest', reason));
      return;
    }
    const session = sessions.get(id);
    // a session of another principal is reported as unknown
    if (session === undefined || session.principal !== identity?.principal) {
      refuse(exchange, 404, rpcError('InvalidRequest', `no such session; open the stream at ${ssePath}`));
      return;
    }
    if (!isJson(exchange.header('content-type'))) {
      refuse(exchange, 415, rpcError('InvalidRequest', 'Content-Type must be application/json'));
      return;
    }
    session.post(exchange).catch((error: unknown) => {
      server.report(error);
      refuse(exchange, 500, rpcError('InternalError'));
    });
  };

  const routes: Readonly<Record<string, { method: string; serve: typeof open }>> = {
    [ssePath]: { method: 'GET', serve: open },
    [messagesPath]: { method: 'POST', serve: post },
  };
  return {
    route: (exchange, identity) => {
      const route = Object.hasOwn(routes, exchange.path) ? routes[exchange.path] : undefined;
      if (route === undefined) return false;
      if (exchange.method === route.method) route.serve(exchange, identity);
      else {
        const error = rpcError('InvalidRequest', `${exchange.path} supports only ${route.method}`);
        refuse(exchange, 405, error, { headers: { Allow: route.method } });
      }
      return true;
    },
    get sessions() {
      return sessions.size;
    },
    close: (grace = CLOSE_GRACE_MS) => roster.end(grace),
  };
}

/** Returns true if a client accepts event streams; without Accept it does. */
function takesEvents(accept: string | undefined): boolean {
  if (accept === undefined) return true;
  const types = accept.split(',').map((range) => (range.split(';')[0] ?? '').trim().toLowerCase());
  return types.some((type) => type === 'text/event-stream' || type === 'text/*' || type === '*/*');
}

function isJson(type: string | undefined): boolean {
  return (type?.split(';')[0] ?? '').trim().toLowerCase() === 'application/json';
}
