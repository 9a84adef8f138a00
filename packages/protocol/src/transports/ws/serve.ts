import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { guarded } from '../../jsonrpc/guarded.ts';
import type { Server } from '../../server/server.ts';
import { isLoopbackName } from '../http/guard.ts';
import { DEFAULT_PATH, refuseUpgrade, type WebSocketOptions, webSocketEndpoint } from './endpoint.ts';

/**
 * Options of a listening WebSocket server.
 * @example
 * const options: WebSocketListenerOptions = { host: '127.0.0.1', port: 0 };
 * const listening = await serveWebSocket(server, options);
 * await listening.close();
 */
export interface WebSocketListenerOptions extends WebSocketOptions {
  /** default 127.0.0.1 */
  host?: string;
  /** default: a free port */
  port?: number;
  /** lets other machines connect without authorization; not needed with an authorizer. Default false */
  allowAnyone?: boolean;
}

/**
 * A listening server.
 * @example
 * const listening: WebSocketListener = await serveWebSocket(server);
 * listening.connections; // => 0
 * await listening.close();
 */
export interface WebSocketListener {
  /** the URL for clients */
  readonly url: string;
  /** number of connected clients */
  readonly connections: number;
  /**
   * Accepts no more clients, waits up to `grace` milliseconds (default 5,000) for requests in progress, and
   * closes.
   */
  close(grace?: number): Promise<void>;
}

const LOOPBACK = '127.0.0.1';

/**
 * Serves clients over WebSocket on its own port.
 * @example
 * const listening = await serveWebSocket(server, { port: 0 });
 * listening.url.endsWith('/ws'); // => true
 * await listening.close();
 */
export async function serveWebSocket<S>(
  server: Server<S>,
  options: WebSocketListenerOptions = {},
): Promise<WebSocketListener> {
  const { host = LOOPBACK, port = 0, allowAnyone = false, path = DEFAULT_PATH, ...rest } = options;
  const local = isLoopbackName(host);
  if (!local && !allowAnyone && rest.authorizer === undefined) {
    throw new TypeError(
      `host ${host} is not loopback, so everybody who reaches the port could use the server; set an authorizer, or allowAnyone`,
    );
  }
  const checkHost = rest.checkHost ?? (local || rest.allowedHosts !== undefined);
  const endpoint = webSocketEndpoint(server, { ...rest, path, checkHost });
  const http = createServer((_request, response) => {
    response.writeHead(426, {
      'Content-Type': 'text/plain; charset=utf-8',
      Upgrade: 'websocket',
      Connection: 'close',
    });
    response.end(`connect with a WebSocket at ${path}\n`);
  });
  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    if (endpoint.upgrade(request, socket, head)) return;
    // node:http passes the socket
    refuseUpgrade(socket as Socket, { status: 404, message: `not found; connect at ${path}` });
  };
  http.on('upgrade', (request, socket, head) => {
    guarded(
      () => upgrade(request, socket, head),
      (error) => {
        socket.destroy();
        server.report(error);
      },
    )();
  });
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen({ host, port }, () => {
      http.off('error', reject);
      resolve();
    });
  });
  http.on('error', (error) => server.report(error));
  const bound = http.address() as AddressInfo; // it listens on a port
  const name = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address;
  return {
    url: `ws://${name}:${bound.port}${path}`,
    get connections() {
      return endpoint.connections;
    },
    close: async (grace) => {
      const closed = new Promise<void>((resolve) => http.close(() => resolve()));
      await endpoint.close(grace);
      http.closeAllConnections();
      await closed;
    },
  };
}
