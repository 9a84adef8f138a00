import { PassThrough, type Readable, type Writable } from 'node:stream';
import type { Server } from '../server/server.ts';
import { ServerStream, type StreamOptions } from './stream.ts';

/**
 * The client's end of a server in the same process.
 * @example
 * const end: MemoryEnd = serveMemory(server);
 * end.output.end();
 */
export interface MemoryEnd {
  /** messages of the server */
  input: Readable;
  /** messages to the server; ending it ends the session */
  output: Writable;
}

/**
 * Serves a client in the same process with the framing of standard streams.
 * @example
 * const one = await connect(streams(() => serveMemory(server)), { name: 'test', version: '1.0.0' });
 * (await one.listTools()).map(({ name }) => name); // => ['add']
 * await one.close();
 */
export function serveMemory<S>(server: Server<S>, options: StreamOptions = {}): MemoryEnd {
  const toServer = new PassThrough({ highWaterMark: 64 * 1024 });
  const toClient = new PassThrough({ highWaterMark: 64 * 1024 });
  const stream = new ServerStream(server, toServer, toClient, options);
  const end = async (): Promise<void> => {
    await stream.finish();
    await stream.connection.drain();
    stream.connection.close('the client closed its side');
    toClient.end();
  };
  toServer.on('end', () => void end());
  toClient.on('close', () => stream.connection.close('the client does not read'));
  return { input: toClient, output: toServer };
}
