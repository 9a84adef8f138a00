import type { Server } from '../server/server.ts';
import { within } from './grace.ts';
import { ServerStream, type StreamOptions } from './stream.ts';

/**
 * Options for serving standard streams.
 * @example
 * const options: StdioOptions = { messageLimit: 1024 * 1024, onClose: () => console.error('bye') };
 */
export interface StdioOptions extends StreamOptions {
  /** called once when the session has ended, before the process exits */
  onClose?: () => void | Promise<void>;
}

/** The longest time for requests in progress after the client has closed its side, in milliseconds. */
const END_GRACE_MS = 1500;
/** The same after a signal. */
const SIGNAL_GRACE_MS = 200;
/** The longest time without reading in which a client may still read the remaining output, in milliseconds. */
const READ_GRACE_MS = 2000;

/**
 * Serves one client on standard input and output until it closes its side or disconnects, or until a signal;
 * then the process exits. Nothing else may write to standard output.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio
 * @example serveStdio(server);
 */
export function serveStdio<S>(server: Server<S>, options: StdioOptions = {}): void {
  const { stdin, stdout } = process;
  const stream = new ServerStream(server, stdin, stdout, { ...options, outputCopies: true });
  let ending = false;
  let hurry = (): void => {};
  const hurried = new Promise<void>((resolve) => {
    hurry = resolve;
  });

  const end = async (reason: string, grace: number): Promise<void> => {
    if (ending) return;
    ending = true;
    await within(grace, Promise.race([stream.connection.drain(), hurried]));
    stream.connection.close(reason);
    await whileRead(stdout, stream.flushed());
    await options.onClose?.();
    process.exit(0);
  };

  stdin.on('end', () => {
    const served = whileRead(stdout, stream.finish());
    void served.then(() => end('the client closed its side', END_GRACE_MS));
  });
  stdin.on('error', () => void end('standard input failed', SIGNAL_GRACE_MS));
  // a client that no longer reads is gone
  stdout.on('error', () => process.exit(0));
  stdout.on('close', () => process.exit(0));
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // also if the end has already begun with a longer grace
      setTimeout(hurry, SIGNAL_GRACE_MS);
      void end(`the process received ${signal}`, SIGNAL_GRACE_MS);
    });
  }
}

/** Resolves when work is done, or when the output has not been read for a while. */
async function whileRead(output: NodeJS.WriteStream, work: Promise<void>): Promise<void> {
  let over = false;
  const done = work.then(() => {
    over = true;
  });
  for (let before = -1; !over && before !== output.bytesWritten - output.writableLength; ) {
    before = output.bytesWritten - output.writableLength;
    await within(READ_GRACE_MS, done);
  }
}
