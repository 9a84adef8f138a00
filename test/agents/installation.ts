import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, 'clients');
/** Where the agents are once they are installed. */
export const modules = join(folder, 'node_modules');

/** The packages of the agents and their exact versions. */
export const { dependencies: versions } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
  dependencies: Readonly<Record<string, string>>;
};

/** Installs the agents as the lockfile has them, without running a script, unless they are there. */
export function installAgents(): void {
  const digest = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
  const stamp = join(modules, '.installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return;
  const quiet = ['--no-audit', '--no-fund', '--silent'];
  // what is optional are terminals and keychains, which need a compiler
  execFileSync('npm', ['ci', '--omit=optional', '--ignore-scripts', ...quiet], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  writeFileSync(stamp, digest);
}
