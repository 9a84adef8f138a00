import { createLogger, runCommandLine } from '@rootbound/kit/cli';
import { serve } from '@rootbound/kit/serve';
import { createFetchServer } from './server.ts';
import { spec } from './spec.ts';

void runCommandLine(spec, process.argv.slice(2), (options) => {
  const logger = createLogger({ level: options.logLevel, json: options.logJson });
  const onError = (error: unknown): void =>
    logger.error(() => (error instanceof Error ? (error.stack ?? error.message) : String(error)));
  const { server, close } = createFetchServer({ ...options, onError });
  return serve(server, options, { close, onError });
});
