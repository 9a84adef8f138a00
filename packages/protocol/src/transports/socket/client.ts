import { connect, type Socket } from 'node:net';
import { type StreamOptions, streams } from '../../client/streams.ts';
import type { Transport } from '../../client/transport.ts';
import { ConnectionError } from '../../jsonrpc/errors.ts';
import { nameOf, netAddressOf, type SocketAddress } from './address.ts';

/**
 * Options of a socket transport.
 * @example
 * const options: SocketClientOptions = { connectTimeout: 2000 };
 * socket({ port: 7000 }, options);
 */
export interface SocketClientOptions extends StreamOptions {
  /** timeout of the connection attempt in milliseconds; default 30,000 */
  connectTimeout?: number;
}

/**
 * Returns a transport that connects to a server on a Unix socket or a TCP port.
 * @example
 * const listening = await serveSocket(server, { port: 0 });
 * const client = await connect(socket(listening.address), { name: 'me', version: '1.0.0' });
 * (await client.listTools()).map(({ name }) => name); // => ['add']
 * await client.close();
 * await listening.close();
 */
export function socket(at: SocketAddress, options: SocketClientOptions = {}): Transport {
  const { connectTimeout = 30_000, ...rest } = options;
  return streams(async () => {
    const connected = await open(at, connectTimeout);
    return { input: connected, output: connected };
  }, rest);
}

function open(at: SocketAddress, timeout: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const connection = connect({ ...netAddressOf(at), noDelay: true, keepAlive: true });
    const fail = (reason: string, cause?: Error): void => {
      connection.destroy();
      const options = cause === undefined ? undefined : { cause };
      reject(new ConnectionError('closed', `cannot connect to ${nameOf(at)}: ${reason}`, options));
    };
    const timer = setTimeout(() => fail(`no response within ${timeout} ms`), timeout);
    const failed = (error: Error): void => {
      clearTimeout(timer);
      fail(error.message, error);
    };
    connection.once('error', failed);
    connection.once('connect', () => {
      clearTimeout(timer);
      connection.off('error', failed);
      resolve(connection);
    });
  });
}
