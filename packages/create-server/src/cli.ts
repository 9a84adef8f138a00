#!/usr/bin/env node
import { create } from './create.ts';

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupted.abort());

process.exitCode = await create(process.argv.slice(2), {
  cwd: process.cwd(),
  input: process.stdin,
  output: process.stdout,
  errors: process.stderr,
  terminal: process.stdin.isTTY && process.stdout.isTTY,
  signal: interrupted.signal,
});
