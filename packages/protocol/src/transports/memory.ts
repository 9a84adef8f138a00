import { PassThrough, type Readable, type Writable } from 'node:stream';
import type { Server } from '../server/server.ts';
import { ServerStream, type StreamOptions } from './stream.ts';

/** The client's end of a server in the same process. */
export interface MemoryEnd {
  /** what the server says */
  input: Readable;
  /** what the server hears; ending it ends the session */
  output: Writable;
}

/** Serves a client in the same process over the same framing as standard streams. */
export function serveMemory<S>(server: Server<S>, options: StreamOptions = {}): MemoryEnd {
  const toServer = new PassThrough({ highWaterMark: 64 * 1024 });
  const toClient = new PassThrough({ highWaterMark: 64 * 1024 });
  const stream = new ServerStream(server, toServer, toClient, options);
  toServer.on('end', () => {
    stream.finish();
    void stream.connection.drain().then(() => {
      stream.connection.close('the client closed its side');
      toClient.end();
    });
  });
  toClient.on('close', () => stream.connection.close('the client no longer reads'));
  return { input: toClient, output: toServer };
}
