import type { Server } from '@rootbound/protocol';
import { serveStdio } from '@rootbound/protocol/stdio';
import type { ServeOptions } from '../cli/options.ts';
import type { ServeHooks } from './hooks.ts';

/**
 * Serves a server as its command line says, on stdin and stdout or over HTTP, until the process is asked to end.
 * @example runCommandLine(spec, process.argv.slice(2), (options) => serve(createSums(options), options, hooks));
 */
export function serve<S>(
  server: Server<S>,
  { http }: Pick<ServeOptions, 'http'>,
  { close, onError }: ServeHooks,
): void | Promise<void> {
  if (http === undefined) {
    serveStdio(server, { onClose: close });
    return;
  }
  return import('./http.ts').then(({ serveChoice }) => serveChoice(server, http, { close, onError }));
}
