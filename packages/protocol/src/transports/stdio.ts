import type { Server } from '../server/server.ts';
import { ServerStream, type StreamOptions } from './stream.ts';

export interface StdioOptions extends StreamOptions {
  /** called once when the session is over, before the process exits */
  onClose?: () => void | Promise<void>;
}

/** How long requests in progress may take to answer once the client has closed its side. */
const END_GRACE_MS = 1500;
/** The same after a signal, which asks for more haste. */
const SIGNAL_GRACE_MS = 200;

/**
 * Serves one client on standard input and output until it closes its side, goes away, or the process is asked
 * to end; then the process exits. Nothing else may write to standard output.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio
 */
export function serveStdio<S>(server: Server<S>, options: StdioOptions = {}): void {
  const { stdin, stdout } = process;
  const stream = new ServerStream(server, stdin, stdout, options);
  let ending = false;

  const end = async (reason: string, grace: number): Promise<void> => {
    if (ending) return;
    ending = true;
    await settled(stream.connection.drain(), grace);
    stream.connection.close(reason);
    await settled(stream.flushed(), grace);
    await options.onClose?.();
    process.exit(0);
  };

  stdin.on('end', () => {
    stream.finish();
    void end('the client closed its side', END_GRACE_MS);
  });
  stdin.on('error', () => void end('standard input failed', SIGNAL_GRACE_MS));
  // a client that no longer reads is gone
  stdout.on('error', () => void end('the client no longer reads', 0));
  stdout.on('close', () => void end('the client no longer reads', 0));
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => void end(`the process was asked to end by ${signal}`, SIGNAL_GRACE_MS));
  }
}

/** Resolves when work is done or its time is up. */
function settled(work: Promise<void>, grace: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, grace);
    void work.finally(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
