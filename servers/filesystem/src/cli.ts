import { createLogger, runCommandLine } from '@rootbound/kit/cli';
import { serveStdio } from '@rootbound/protocol/stdio';
import { createFilesystem } from './server.ts';
import { spec } from './spec.ts';

void runCommandLine(spec, process.argv.slice(2), (options) => {
  const logger = createLogger({ level: options.logLevel, json: options.logJson });
  const { server, close } = createFilesystem({
    ...options,
    onError: (error) =>
      logger.error(() => (error instanceof Error ? (error.stack ?? error.message) : String(error))),
  });
  serveStdio(server, { onClose: close });
});
