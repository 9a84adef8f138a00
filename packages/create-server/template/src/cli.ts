#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { serveStdio } from '@rootbound/protocol/stdio';
import { createNotesServer } from './server.ts';

const usage = 'usage: template-server [--http <port>]';

try {
  const { values } = parseArgs({ options: { http: { type: 'string' }, help: { type: 'boolean' } } });
  if (values.help === true) process.stdout.write(`${usage}\n`);
  else if (values.http === undefined) serveStdio(createNotesServer());
  else await listen(values.http);
} catch (error) {
  process.stderr.write(
    `template-server: ${error instanceof Error ? error.message : String(error)}\n${usage}\n`,
  );
  process.exitCode = 2;
}

/** Serves this machine over HTTP until a signal ends it; port 0 takes a free one. */
async function listen(port: string): Promise<void> {
  if (!/^\d{1,5}$/.test(port)) throw new TypeError(`--http takes a port, such as 3000, not ${port}`);
  const { serveHttp } = await import('@rootbound/protocol/http');
  const listening = await serveHttp(createNotesServer(), { port: Number(port) });
  process.stderr.write(`listening on ${listening.url}\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void listening.close());
}
