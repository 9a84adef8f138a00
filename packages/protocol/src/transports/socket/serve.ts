import { createServer, type Socket } from 'node:net';
import { rpcError } from '../../protocol/errors.ts';
import type { Server } from '../../server/server.ts';
import { type ConnectionLimits, normaliseLimits, sweepInterval } from '../limits.ts';
import { ownerOf } from '../owner.ts';
import { Roster } from '../roster.ts';
import type { SocketAddress } from './address.ts';
import { SocketConnection, turnAway } from './connection.ts';
import { listen } from './listen.ts';

/**
 * The bounds of a listening socket.
 * @example
 * const options: SocketOptions = { connectionCap: 16, principal: 'local' };
 * const listening = await serveSocket(server, { port: 0 }, options);
 * await listening.close();
 */
export interface SocketOptions extends ConnectionLimits {
  /**
   * lets a TCP port be reached from other machines. Nobody is asked who they are, so this is for networks in which
   * everybody may do everything that the server can. Default false
   */
  allowAnyone?: boolean;
  /** who every client is taken for */
  principal?: string;
}

/**
 * A server that listens.
 * @example
 * const listening: SocketListener = await serveSocket(server, { port: 0 });
 * listening.connections; // => 0
 * await listening.close();
 */
export interface SocketListener {
  /** where it listens, with the port that it was given */
  readonly address: SocketAddress;
  /** clients that are connected */
  readonly connections: number;
  /** Takes no further clients, lets requests in progress answer for up to `grace` milliseconds (default 5,000), and closes. */
  close(grace?: number): Promise<void>;
}

const CLOSE_GRACE_MS = 5000;
const KEEP_ALIVE_DELAY_MS = 60_000;

/**
 * Serves clients on a Unix socket or a TCP port: a connection is a session, and a message is a line, as on standard
 * streams. The file of a Unix socket belongs to the user alone, and one that nobody listens on is replaced. A TCP
 * port is reached from this machine only, but by every user of it; what begins a connection with anything but a
 * message, such as a browser, is turned away.
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
      // a connection that broke is closed next, which says enough
    });
    const owner = ownerOf(socket.remoteAddress);
    const full = roster.reserve(owner);
    if (full !== undefined) {
      const own = `as many connections of your address as it takes, ${limits.connectionShare}; close one first`;
      const message = full === 'each' ? own : 'as many connections as it takes; try again later';
      turnAway(socket, rpcError('InternalError', `the server has ${message}`));
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
