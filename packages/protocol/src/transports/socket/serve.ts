import { createServer, type Socket } from 'node:net';
import { rpcError } from '../../protocol/errors.ts';
import type { Server } from '../../server/server.ts';
import { type ConnectionLimits, normaliseLimits, sweepInterval } from '../limits.ts';
import { ownerOf } from '../owner.ts';
import { Roster } from '../roster.ts';
import type { SocketAddress } from './address.ts';
import { refuseClient, SocketConnection } from './connection.ts';
import { listen } from './listen.ts';

/**
 * Options of a listening socket.
 * @example
 * const options: SocketOptions = { connectionCap: 16, principal: 'local' };
 * const listening = await serveSocket(server, { port: 0 }, options);
 * await listening.close();
 */
export interface SocketOptions extends ConnectionLimits {
  /**
   * lets other machines connect to a TCP port. There is no authentication, so use it only in networks in
   * which everybody may do everything that the server can. Default false
   */
  allowAnyone?: boolean;
  /** the principal of every client */
  principal?: string;
}

/**
 * A listening server.
 * @example
 * const listening: SocketListener = await serveSocket(server, { port: 0 });
 * listening.connections; // => 0
 * await listening.close();
 */
export interface SocketListener {
  /** the address, with the actual port */
  readonly address: SocketAddress;
  /** number of connected clients */
  readonly connections: number;
  /**
   * Accepts no more clients, waits up to `grace` milliseconds (default 5,000) for requests in progress, and
   * closes.
   */
  close(grace?: number): Promise<void>;
}

const CLOSE_GRACE_MS = 5000;
const KEEP_ALIVE_DELAY_MS = 60_000;

/**
 * Serves clients on a Unix socket or a TCP port: a connection is a session, and a message is a line, as on
 * standard streams. The file of a Unix socket is accessible to its user only, and one that nobody listens on
 * is replaced. A TCP port accepts connections from this machine only, but from every user of it; a connection
 * that does not start with a message, such as one of a browser, is closed.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#custom-transports
 * @example
 * const listening = await serveSocket(server, { host: '127.0.0.1', port: 0 });
 * listening.connections; // => 0
 * await listening.close();
 */
export async function serveSocket<S>(
  server: Server<S>,
  at: SocketAddress,
  options: SocketOptions = {},
): Promise<SocketListener> {
  const { allowAnyone = false, principal } = options;
  const limits = normaliseLimits(options);
  const roster = new Roster({
    most: limits.connectionCap,
    each: limits.connectionShare,
    every: sweepInterval(limits),
  });
  const strictStart = !('path' in at);

  const serve = (socket: Socket): void => {
    socket.on('error', () => {
      // the close event follows
    });
    const owner = ownerOf(socket.remoteAddress);
    const full = roster.reserve(owner);
    if (full !== undefined) {
      const own = `reached the limit of ${limits.connectionShare} connections of your address; close one first`;
      const message = full === 'each' ? own : 'reached its limit of connections; try again later';
      refuseClient(socket, rpcError('InternalError', `the server has ${message}`));
      return;
    }
    const connection = new SocketConnection(server, socket, { limits, principal, strictStart });
    roster.add(connection, owner);
    socket.once('close', () => roster.delete(connection));
  };

  const net = createServer(
    { allowHalfOpen: true, noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_DELAY_MS },
    serve,
  );
  const address = await listen(net, at, { allowAnyone }).catch((error: unknown) => {
    net.close();
    throw error;
  });
  net.on('error', (error) => server.report(error));
  return {
    address,
    get connections() {
      return roster.size;
    },
    close: async (grace = CLOSE_GRACE_MS) => {
      const closed = new Promise<void>((resolve) => net.close(() => resolve()));
      await roster.end(grace);
      await closed;
    },
  };
}
