import { join } from 'node:path';
import { type Client, childProcess, connect } from '@rootbound/protocol/client';
import { rolldown } from 'rolldown';
import { newest } from '../harness.ts';
import { cleanEnvironment } from '../scratch.ts';

/** Bundles this server for a plain Node process: the file to start. */
export async function bundleServer(folder: string): Promise<string> {
  const bundle = await rolldown({
    input: join(import.meta.dirname, '..', '..', 'src', 'cli.ts'),
    platform: 'node',
    resolve: { conditionNames: ['rootbound-source', 'node', 'import', 'default'] },
    logLevel: 'silent',
  });
  const dir = join(folder, 'program');
  await bundle.write({
    dir,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
  });
  await bundle.close();
  return join(dir, 'cli.mjs');
}

export interface Start {
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A client of a server in a process of its own. */
export function start({ program, args, env = {} }: Start): Promise<Client> {
  // whose git the settings of this machine do not reach
  const { PATH, GIT_CONFIG_NOSYSTEM, GIT_CONFIG_GLOBAL } = cleanEnvironment();
  return connect(
    childProcess({
      command: process.execPath,
      args: [program, ...args],
      env: {
        PATH: PATH!,
        GIT_CONFIG_NOSYSTEM: GIT_CONFIG_NOSYSTEM!,
        GIT_CONFIG_GLOBAL: GIT_CONFIG_GLOBAL!,
        ...env,
      },
      stderr: 'ignore',
    }),
    { name: 'proofs', version: '1.0.0', timeout: 120_000, era: { pinned: newest } },
  );
}
