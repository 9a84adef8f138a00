import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { childEnv } from '../lib/machine.mjs';
import { Session } from '../lib/session.mjs';
import { HOSTS } from './site.mjs';

const bench = dirname(dirname(fileURLToPath(import.meta.url)));
const server = join(bench, '..', '..', 'servers', 'fetch');

/** @typedef {import('../lib/servers.mjs').Call} Call */

/**
 * A fetch server with its calls for a whole page and for its main content; undefined if it has no such call.
 * @typedef {object} FetchServer
 * @property {string} name
 * @property {() => Session} launch
 * @property {((url: string) => Call) | undefined} whole
 * @property {((url: string) => Call) | undefined} article
 */

/** Arguments for a whole page in one result. */
const ALL = 1_000_000;

/**
 * Returns our server, for a site on this port.
 * @param {number} port
 * @param {readonly string[]} options
 * @returns {FetchServer}
 */
export function ours(port, options = ['--max-output', '64M']) {
  const cli = join(server, 'dist', 'cli.js');
  if (!existsSync(cli)) throw new Error('servers/fetch/dist/cli.js is missing: build it');
  const allowed = ['--allow-private', HOSTS.map((host) => `${host}:${port}`).join(',')];
  return {
    name: 'ours',
    launch: () => new Session({ command: process.execPath, args: [cli, ...allowed, ...options] }),
    whole: (url) => ['fetch', { url, full: true, max_length: 999_999 }],
    article: (url) => ['fetch', { url, max_length: 999_999 }],
  };
}

/**
 * The guards of these peers against loopback have no option, but do not recognize an IPv4 address inside an IPv6 one.
 * @param {string} url
 */
const mapped = (url) => url.replace(/\/\/([\d.]+)/, '//[::ffff:$1]');

/**
 * @typedef {Omit<FetchServer, 'launch'> & {
 *   spec: string,
 *   script: readonly string[],
 *   environment?: Record<string, string>,
 * }} Peer
 */

/** @type {readonly Peer[]} */
const known = [
  {
    name: 'zcaceres',
    spec: 'mcp-fetch-server@1.1.2',
    script: ['mcp-fetch-server', 'dist', 'index.js'],
    whole: (url) => ['fetch_markdown', { url: mapped(url), max_length: ALL }],
    article: (url) => ['fetch_readable', { url: mapped(url), max_length: ALL }],
  },
  {
    name: 'kazuph',
    spec: '@kazuph/mcp-fetch@1.6.3',
    script: ['@kazuph', 'mcp-fetch', 'dist', 'index.js'],
    // on a busy machine it exceeds its limit of 12 s for 1 MB
    environment: { MCP_FETCH_TIMEOUT_MS: '120000' },
    whole: undefined,
    article: (url) => ['imageFetch', { url: mapped(url), maxLength: ALL }],
  },
  {
    name: 'egoist',
    spec: 'fetch-mcp@0.0.5',
    script: ['fetch-mcp', 'cli.js'],
    whole: (url) => ['fetch_url', { url, max_length: ALL }],
    article: undefined,
  },
];

/**
 * Installs the peers for this run; none without a registry.
 * @param {string} folder
 * @returns {FetchServer[]}
 */
export function peersIn(folder) {
  mkdirSync(folder, { recursive: true });
  return known.flatMap(({ spec, script, environment, ...peer }) => {
    const file = join(folder, 'node_modules', ...script);
    try {
      if (!existsSync(file))
        execFileSync(
          'npm',
          ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', spec],
          { stdio: 'ignore' },
        );
    } catch {
      // its columns stay empty, with a note
      return [];
    }
    const command = { command: process.execPath, args: [file] };
    return [{ ...peer, launch: () => new Session(command, { ...childEnv(), ...environment }) }];
  });
}

/**
 * Converts a page to Markdown in this process, with undici and the turndown of the peers.
 * @param {string} folder
 * @returns {(url: string) => Promise<string>}
 */
export function turndownIn(folder) {
  const { request } = createRequire(join(server, 'package.json'))('undici');
  const Turndown = createRequire(join(folder, 'node_modules', 'mcp-fetch-server', 'package.json'))(
    'turndown',
  );
  const turndown = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced' });
  return async (url) => {
    const { body } = await request(url);
    return turndown.turndown(await body.text());
  };
}

/**
 * Converts a page to Markdown with undici in this process and the worker of our server: the cost of our server without
 * its protocol, guard and result.
 * @returns {Promise<{ read: (url: string) => Promise<string>, end: () => Promise<number> }>}
 */
export async function readerAlone() {
  const { request } = createRequire(join(server, 'package.json'))('undici');
  // the number of each task that may begin, like in the server
  const claims = new Int32Array(new SharedArrayBuffer(8));
  const worker = new Worker(join(server, 'dist', 'reader.js'), { workerData: claims });
  await once(worker, 'message');
  let id = 0;
  return {
    read: async (url) => {
      const { body, headers } = await request(url);
      const bytes = new Uint8Array(await body.arrayBuffer());
      id += 1;
      claims[id % claims.length] = 0;
      const given = { bytes, contentType: headers['content-type'], url, want: 'page' };
      worker.postMessage({ id, task: 'read', given });
      const [answer] = await once(worker, 'message');
      if (answer.type !== 'done') throw new Error(`not read: ${answer.failure?.message ?? answer.stack}`);
      return answer.result.text;
    },
    end: () => worker.terminate(),
  };
}
