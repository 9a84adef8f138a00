import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { rounds } from '../lib/rounds.mjs';
import { packageFolder } from '../lib/servers.mjs';

/**
 * The size of a download: the tarball and its dependencies.
 * @type {import('../lib/group.mjs').Group}
 */
export const packed = {
  workload: 'package',
  rows: {
    tarball: { row: 'packed tarball', unit: 'bytes', must: 299_999 },
    dependencies: { row: 'runtime dependencies', unit: 'packages' },
  },
  async run() {
    return {
      tarball: await rounds(1, { ours: tarball }),
      dependencies: await rounds(1, { ours: dependencies }),
    };
  },
};

async function tarball() {
  if (!existsSync(join(packageFolder, 'dist', 'cli.js'))) throw new Error('servers/filesystem is not built');
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const { stdout } = await promisify(execFile)('npm', args, { cwd: packageFolder });
  return JSON.parse(stdout)[0].size;
}

async function dependencies() {
  const manifest = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
  return Object.keys(manifest.dependencies ?? {}).length;
}
