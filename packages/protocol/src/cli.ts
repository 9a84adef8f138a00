#!/usr/bin/env node
import { inspect } from './inspect/inspect.ts';
import { processIo } from './inspect/io.ts';

const [command, ...rest] = process.argv.slice(2);
if (command === 'inspect') process.exitCode = await inspect(rest, processIo);
else {
  const known = command === undefined || command === '--help';
  process.stderr.write('protocol: the one command is inspect; run inspect --help\n');
  process.exitCode = known ? 0 : 2;
}
