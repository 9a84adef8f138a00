import { createLogger, runCommandLine, type ServeOptions } from '@rootbound/kit/cli';
import { serve } from '@rootbound/kit/serve';
import { createFetchServer } from './server.ts';
import { type FetchExtras, needsLook, spec } from './spec.ts';

type Options = Omit<ServeOptions, 'extra'> & { readonly extra: FetchExtras };

void runCommandLine(spec, process.argv.slice(2), (options) =>
  needsLook(options.extra, process.env) ? startChecked(options) : start(options),
);

function start(options: Options): void | Promise<void> {
  const logger = createLogger({ level: options.logLevel, json: options.logJson });
  const onError = (error: unknown): void =>
    logger.error(() => (error instanceof Error ? (error.stack ?? error.message) : String(error)));
  const { server, close } = createFetchServer({ ...options, onError });
  return serve(server, options, { close, onError });
}

async function startChecked(options: Options): Promise<void> {
  const { findFault } = await import('./configuration.ts');
  const fault = await findFault({ extra: options.extra, environment: process.env });
  if (fault === undefined) return start(options);
  process.stderr.write(`server-${spec.name}: ${fault}\n`);
  process.exitCode = 2;
}
