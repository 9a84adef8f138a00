import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, 'clients');
/** The folder of the installed agents. */
export const modules = join(folder, 'node_modules');

/** Returns the packages of the agents with exact versions. */
export const { dependencies: versions } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
  dependencies: Readonly<Record<string, string>>;
};

/** Installs the agents of the lockfile without scripts, unless they are installed. */
export function installAgents(): void {
  const digest = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
  const stamp = join(modules, '.installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return;
  const quiet = ['--no-audit', '--no-fund', '--silent'];
  // optional packages are terminals and keychains, which need a compiler
  execFileSync('npm', ['ci', '--omit=optional', '--ignore-scripts', ...quiet], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  writeFileSync(stamp, digest);
}
