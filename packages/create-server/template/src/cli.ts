#!/usr/bin/env node
import { createLogger, DENY_OPTIONS, runCommandLine, type ServerSpec } from '@rootbound/kit/cli';
import { serve } from '@rootbound/kit/serve';
import { createNotesServer, manifest, tools } from './server.ts';

const spec = {
  name: 'template-server',
  program: 'template-server',
  package: manifest.name,
  version: manifest.version,
  summary: manifest.description,
  tools: tools.map(({ name }) => name),
  rootKinds: 'directories',
  options: DENY_OPTIONS,
} satisfies ServerSpec<typeof DENY_OPTIONS>;

// answers --help, --version, --doctor and --print-config itself; otherwise serves stdin and stdout, or HTTP with --http
void runCommandLine(spec, process.argv.slice(2), (options) => {
  const logger = createLogger({ level: options.logLevel, json: options.logJson });
  const onError = (error: unknown): void => logger.error(() => String(error));
  const { server, close } = createNotesServer({ ...options, onError });
  return serve(server, options, { close, onError });
});
