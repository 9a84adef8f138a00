import type { Server } from '../server/server.ts';
import { within } from './grace.ts';
import { ServerStream, type StreamOptions } from './stream.ts';

/**
 * How a process serves its standard streams.
 * @example
 * const options: StdioOptions = { messageLimit: 1024 * 1024, onClose: () => console.error('bye') };
 */
export interface StdioOptions extends StreamOptions {
  /** called once when the session is over, before the process exits */
  onClose?: () => void | Promise<void>;
}

/** How long requests in progress may take to answer once the client has closed its side. */
const END_GRACE_MS = 1500;
/** The same after a signal, which asks for more haste. */
const SIGNAL_GRACE_MS = 200;
/** How long a client that still reads may take between two pieces of what was said to it. */
const READ_GRACE_MS = 2000;

/**
 * Serves one client on standard input and output until it closes its side, goes away, or the process is asked
 * to end; then the process exits. Nothing else may write to standard output.
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
      // also when the end has begun already and waits more patiently
      setTimeout(hurry, SIGNAL_GRACE_MS);
      void end(`the process was asked to end by ${signal}`, SIGNAL_GRACE_MS);
    });
  }
}

/** Resolves when work is done, or when nothing has been read from the output for a while. */
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
