import type { Server } from '@rootbound/protocol';
import { serveStdio } from '@rootbound/protocol/stdio';
import type { ServeOptions } from '../cli/options.ts';
import { watchOver } from '../watchdog/watchdog.ts';
import type { ServeHooks } from './hooks.ts';

/**
 * Serves a server as its command line says, on stdin and stdout or over HTTP, until the process is asked to end, or until
 * one turn of its event loop has spent more than five seconds of CPU on a call.
 * @example runCommandLine(spec, process.argv.slice(2), (options) => serve(createSums(options), options, hooks));
 */
export function serve<S>(
  server: Server<S>,
  { http }: Pick<ServeOptions, 'http'>,
  { close, onError }: ServeHooks,
): void | Promise<void> {
  watchOver(server, onError);
  if (http === undefined) {
    serveStdio(server, { onClose: close });
    return;
  }
  return import('./http.ts').then(({ serveChoice }) => serveChoice(server, http, { close, onError }));
}
