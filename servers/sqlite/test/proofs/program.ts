import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, childProcess, connect } from '@rootbound/protocol/client';
import { buildFolder, bundleInto } from '../bundle.ts';
import { newest } from '../harness.ts';

export interface Program {
  readonly file: string;
  remove(): void;
}

/** Bundles this server and its lanes for plain Node processes. */
export async function bundleServer(): Promise<Program> {
  const folder = buildFolder('program');
  await bundleInto(folder, { cli: 'src/cli.ts', lane: 'src/lane.ts' }, 'esm');
  return { file: join(folder, 'cli.js'), remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Returns a client of a server process, which writes its process id into `pidFile`. */
export function start(program: Program, root: string, pidFile: string): Promise<Client> {
  const line = 'echo $$ > "$0" && exec "$@"';
  return connect(
    childProcess({
      command: '/bin/sh',
      args: ['-c', line, pidFile, process.execPath, program.file, root],
      stderr: 'ignore',
    }),
    { name: 'proofs', version: '1.0.0', timeout: 120_000, era: { pinned: newest } },
  );
}
