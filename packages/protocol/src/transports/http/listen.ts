import { createServer, type Server as NodeServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Server } from '../../server/server.ts';
import { nodeBounds } from './bounds.ts';
import { isLoopbackName } from './guard.ts';
import { createHttpHandler, type HttpHandler, type HttpOptions } from './handler.ts';

/**
 * Options of a listening HTTP server.
 * @example
 * const options: ServeHttpOptions = { port: 0, requestTimeout: 30_000, connectionCap: 100 };
 * const listening = await serveHttp(server, options);
 * await listening.close();
 */
export interface ServeHttpOptions extends HttpOptions {
  /** 0 selects a free port */
  port: number;
  /** host name or address to listen on; default 127.0.0.1 */
  host?: string;
  /** true to listen beyond loopback without an authorizer */
  allowAnyone?: boolean;
  /** milliseconds for a whole request to arrive, 0 for no limit; default 60,000 */
  requestTimeout?: number;
  /**
   * milliseconds for the headers of a request to arrive, at most `requestTimeout`; default 15,000, or
   * `requestTimeout` if less
   */
  headersTimeout?: number;
  /** milliseconds that a connection may stay open between requests; default 75,000 */
  idleTimeout?: number;
  /** maximum size of the headers of a request in bytes; default 32 KiB */
  headerLimit?: number;
  /** maximum number of connections; default no limit */
  connectionCap?: number;
}

/**
 * A listening MCP server.
 * @example
 * const listening: ListeningHttp = await serveHttp(server, { port: 0 });
 * listening.host; // => '127.0.0.1'
 * await listening.close();
 */
export interface ListeningHttp<S = unknown> {
  /** the URL of the MCP endpoint */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  readonly handler: HttpHandler<S>;
  /** the HTTP server, for other handlers on its port */
  readonly listener: NodeServer;
  /**
   * Accepts no new connections, waits up to `grace` milliseconds (default 5,000) for requests in progress,
   * and stops.
   */
  close(grace?: number): Promise<void>;
}

const DEFAULT_GRACE_MS = 5000;

/**
 * Serves an MCP server over HTTP, by default on loopback.
 * @example
 * const listening = await serveHttp(server, { port: 0 });
 * listening.url.endsWith('/mcp'); // => true
 * await listening.close();
 */
export async function serveHttp<S>(server: Server<S>, options: ServeHttpOptions): Promise<ListeningHttp<S>> {
  const { port, host = '127.0.0.1', path = '/mcp', authorizer, allowAnyone = false } = options;
  const local = isLoopbackName(host);
  if (!local && authorizer === undefined && !allowAnyone) {
    throw new TypeError(`host ${host} is not loopback; set an authorizer, or allowAnyone`);
  }
  const bounds = nodeBounds(options);
  const checkHost = options.checkHost ?? (local || (options.allowedHosts ?? []).length > 0);
  const handler = createHttpHandler(server, { ...options, checkHost });
  const listener = createServer(bounds, handler.node);
  if (options.connectionCap !== undefined) listener.maxConnections = options.connectionCap;
  const sockets = new Set<Socket>();
  listener.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject);
    listener.listen(port, host, () => {
      listener.off('error', reject);
      resolve();
    });
  });
  // a connection that cannot be accepted, for lack of file descriptors, does not affect the others
  listener.on('error', (error) => server.report(error));
  const address = listener.address() as AddressInfo; // it listens on a port
  const name = host.includes(':') ? `[${host.replace(/^\[|\]$/g, '')}]` : host;
  let closing: Promise<void> | undefined;
  return {
    url: `http://${name}:${address.port}${path}`,
    host,
    port: address.port,
    handler,
    listener,
    close: (grace = DEFAULT_GRACE_MS) => {
      closing ??= stop(handler, listener, sockets, grace);
      return closing;
    },
  };
}

async function stop<S>(
  handler: HttpHandler<S>,
  listener: NodeServer,
  sockets: ReadonlySet<Socket>,
  grace: number,
): Promise<void> {
  const stopped = new Promise<void>((resolve) => listener.close(() => resolve()));
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, grace);
  });
  await Promise.race([handler.drain(), patience]);
  handler.close();
  listener.closeIdleConnections();
  // node:http does not count connections without a request among the idle ones
  for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  await Promise.race([stopped, patience]);
  clearTimeout(timer);
  for (const socket of sockets) socket.destroy();
  await stopped;
}
