// installs and builds on a machine with only Node and npm; all output goes to stderr
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { visible } from './visible.mjs';

export const root = join(import.meta.dirname, '..');
const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const OLDEST_NODE = [20, 19];

/**
 * Installs the dependencies of the named workspaces, or of all.
 * @param {{ only?: string[] }} options pnpm filters of the workspaces
 */
export function install({ only = [] } = {}) {
  requireNode();
  const everything = `everything ${lockfileDigest()}`;
  const wanted = only.length === 0 ? everything : `${only.join(' ')} ${lockfileDigest()}`;
  if (installed().includes(wanted) || installed().includes(everything)) return;
  const filters = only.flatMap((filter) => ['--filter', filter]);
  run('npx', ['--yes', packageManager, 'install', '--frozen-lockfile', '--prefer-offline', ...filters]);
  mkdirSync(join(root, 'node_modules'), { recursive: true });
  const kept = installed().filter((line) => line.endsWith(lockfileDigest()));
  writeFileSync(stamp(), [...kept, wanted].join('\n'));
}

/**
 * Builds the named workspaces and their dependencies, or all.
 * @param {{ only?: string[] }} options turbo filters
 */
export function build({ only = [] } = {}) {
  pnpm(['turbo', 'run', 'build', '--output-logs=errors-only', ...only.map((filter) => `--filter=${filter}`)]);
}

/**
 * Runs a program of the workspace with pnpm on the path, which turbo needs.
 * @param {string[]} command
 * @param {{ quiet?: boolean }} options quiet: discards its stdout
 */
export function pnpm(command, options) {
  run('npx', ['--yes', packageManager, 'exec', ...command], options);
}

/**
 * Runs a command with its output on stderr, and exits when it fails.
 * @param {string} command
 * @param {string[]} args
 * @param {{ quiet?: boolean }} options
 */
function run(command, args, { quiet = false } = {}) {
  const env = {
    ...process.env,
    TURBO_TELEMETRY_DISABLED: '1',
    DO_NOT_TRACK: '1',
    npm_config_update_notifier: 'false',
  };
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    env,
    stdio: ['ignore', quiet ? 'ignore' : 2, 2],
    shell: process.platform === 'win32',
  });
  if (error !== undefined) fail(`${command} could not be started: ${error.message}`);
  if (status !== 0) fail(`${command} ${args.join(' ')} ended with ${status ?? 'a signal'}`);
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  fail(
    `Node ${OLDEST_NODE.join('.')} or newer is needed, this is ${process.versions.node}; see https://nodejs.org`,
  );
}

function stamp() {
  return join(root, 'node_modules', '.rootbound-installed');
}

function installed() {
  return existsSync(stamp()) ? readFileSync(stamp(), 'utf8').split('\n') : [];
}

function lockfileDigest() {
  return createHash('sha256')
    .update(readFileSync(join(root, 'pnpm-lock.yaml')))
    .digest('hex')
    .slice(0, 16);
}

function fail(reason) {
  process.stderr.write(`rootbound: ${visible(reason)}\n`);
  process.exit(1);
}
