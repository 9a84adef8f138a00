import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Session } from '../lib/session.mjs';
import { gitEnv } from './repository.mjs';

const bench = dirname(dirname(fileURLToPath(import.meta.url)));
const PEER = '@cyanheads/git-mcp-server@2.15.3';

/**
 * A git server and its command line for a repository.
 * @typedef {{ name: string, launch: (repository: string, environment?: Record<string, string>) => Session }} GitServer
 */

/** @returns {GitServer} */
export function ours() {
  const cli = join(bench, '..', '..', 'servers', 'git', 'dist', 'cli.js');
  if (!existsSync(cli)) throw new Error('servers/git/dist/cli.js is missing: build it');
  return {
    name: 'ours',
    launch: (repository, environment = gitEnv) =>
      new Session({ command: process.execPath, args: [cli, '--max-output', '8M', repository] }, environment),
  };
}

/**
 * Installs the peer for this run; undefined without a registry.
 * @param {string} folder
 * @returns {GitServer | undefined}
 */
export function cyanheads(folder) {
  const script = join(folder, 'node_modules', '@cyanheads', 'git-mcp-server', 'dist', 'index.js');
  if (!existsSync(script)) {
    try {
      const install = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', PEER];
      execFileSync('npm', install, { stdio: 'ignore' });
    } catch {
      // its column stays empty, with a note
      return undefined;
    }
  }
  const environment = { ...gitEnv, MCP_TRANSPORT_TYPE: 'stdio', MCP_LOG_LEVEL: 'error' };
  return {
    name: 'cyanheads',
    launch: () => new Session({ command: process.execPath, args: [script] }, environment),
  };
}
