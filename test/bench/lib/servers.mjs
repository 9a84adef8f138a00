import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @typedef {readonly [string, Record<string, unknown>]} Call */

/**
 * A server's calls of the benchmark; undefined if it has no such call.
 * @typedef {object} Dialect
 * @property {readonly string[]} large options for answers of 10 MB
 * @property {(path: string) => Call} read
 * @property {(path: string, lines: number) => Call} head
 * @property {(path: string, lines: number) => Call} tail
 * @property {((path: string, from: number, lines: number) => Call) | undefined} range `from` counts from 1
 * @property {(path: string, content: string) => Call} write
 * @property {((path: string, oldText: string, newText: string) => Call) | undefined} edit
 * @property {((source: string, destination: string) => Call) | undefined} copy
 * @property {((path: string) => Call) | undefined} tree
 * @property {(path: string) => Call} firstPage 100 entries in directory order
 * @property {(path: string) => Call} sortedPage 100 entries by name, with the total
 * @property {(path: string, pattern: string) => Call} findNames
 * @property {((path: string, text: string) => Call) | undefined} findContent
 * @property {boolean} subscribes
 */

/** @type {Record<'ours' | 'responder' | 'official', Dialect>} */
const dialects = {
  ours: {
    large: ['--max-output', '32M'],
    read: (path) => ['read_text_file', { path }],
    head: (path, lines) => ['read_text_file', { path, head: lines }],
    tail: (path, lines) => ['read_text_file', { path, tail: lines }],
    range: (path, from, lines) => ['read_text_file', { path, startLine: from, endLine: from + lines - 1 }],
    write: (path, content) => ['write_file', { path, content }],
    edit: (path, oldText, newText) => ['edit_file', { path, edits: [{ oldText, newText }] }],
    copy: (source, destination) => ['copy_file', { source, destination }],
    tree: (path) => ['directory_tree', { path }],
    firstPage: (path) => ['list_directory', { path, limit: 100, sort: 'none' }],
    sortedPage: (path) => ['list_directory', { path, limit: 100, sort: 'name' }],
    findNames: (path, pattern) => ['search_files', { path, pattern }],
    findContent: (path, text) => ['search_content', { path, pattern: text }],
    subscribes: true,
  },
  responder: {
    large: [],
    read: (path) => ['read_text_file', { path }],
    head: (path, lines) => ['read_text_file', { path, head: lines }],
    tail: (path, lines) => ['read_text_file', { path, tail: lines }],
    range: (path, from, lines) => ['read_text_file', { path, from, lines }],
    write: (path, content) => ['write_file', { path, content }],
    edit: undefined,
    copy: undefined,
    tree: undefined,
    firstPage: (path) => ['list_directory', { path, limit: 100 }],
    sortedPage: (path) => ['list_directory', { path, limit: 100, sort: 'name' }],
    findNames: (path, pattern) => ['search_files', { path, pattern }],
    findContent: (path, text) => ['search_content', { path, pattern: text }],
    subscribes: true,
  },
  official: {
    large: [],
    read: (path) => ['read_text_file', { path }],
    head: (path, lines) => ['read_text_file', { path, head: lines }],
    tail: (path, lines) => ['read_text_file', { path, tail: lines }],
    range: undefined,
    write: (path, content) => ['write_file', { path, content }],
    edit: (path, oldText, newText) => ['edit_file', { path, edits: [{ oldText, newText }] }],
    copy: undefined,
    tree: (path) => ['directory_tree', { path }],
    firstPage: (path) => ['list_directory', { path }],
    sortedPage: (path) => ['list_directory', { path }],
    findNames: (path, pattern) => ['search_files', { path, pattern }],
    findContent: undefined,
    subscribes: false,
  },
};

/**
 * @typedef {object} Contestant
 * @property {string} name
 * @property {Dialect} dialect
 * @property {(root: string, options?: readonly string[]) => { command: string, args: readonly string[] }} launch
 */

const bench = dirname(dirname(fileURLToPath(import.meta.url)));

/** The folder of the measured package. */
export const packageFolder = join(bench, '..', '..', 'servers', 'filesystem');

/**
 * Returns our server, the responder and, if it is installed, the official server. `--server` replaces ours by another
 * program or by one of the other two.
 * @param {string | undefined} server
 * @returns {{ ours: Contestant, responder: Contestant, peers: Contestant[], missing: string[] }}
 */
export function contestants(server) {
  const responder = script('responder', join(bench, 'responder.cjs'), dialects.responder);
  const officialPath = findOfficial();
  const official =
    officialPath === undefined ? undefined : script('official', officialPath, dialects.official);
  const missing = official ? [] : ['@modelcontextprotocol/server-filesystem'];
  return {
    ours: findOurs(server, responder, official),
    responder,
    peers: official ? [official] : [],
    missing,
  };
}

/**
 * @param {string | undefined} server
 * @param {Contestant} responder
 * @param {Contestant | undefined} official
 * @returns {Contestant}
 */
function findOurs(server, responder, official) {
  if (server === 'responder') return { ...responder, name: 'ours' };
  if (server === 'official') {
    if (!official) throw new Error('--server official: the package is not installed');
    return { ...official, name: 'ours' };
  }
  if (server !== undefined) {
    const [command = '', ...args] = server.split(' ').filter((word) => word !== '');
    return {
      name: 'ours',
      dialect: dialects.ours,
      launch: (root, options = []) => ({ command, args: [...args, ...options, root] }),
    };
  }
  const cli = join(packageFolder, 'dist', 'cli.js');
  if (!existsSync(cli))
    throw new Error('servers/filesystem/dist/cli.js is missing: build it, or name a server with --server');
  return script('ours', cli, dialects.ours);
}

/**
 * @param {string} name
 * @param {string} path
 * @param {Dialect} dialect
 * @returns {Contestant}
 */
function script(name, path, dialect) {
  return {
    name,
    dialect,
    launch: (root, options = []) => ({ command: process.execPath, args: [path, ...options, root] }),
  };
}

function findOfficial() {
  try {
    const manifest = createRequire(import.meta.url).resolve(
      '@modelcontextprotocol/server-filesystem/package.json',
    );
    const { bin } = JSON.parse(readFileSync(manifest, 'utf8'));
    return join(dirname(manifest), bin['mcp-server-filesystem']);
  } catch {
    // not installed: its columns stay empty, with a note
    return undefined;
  }
}
