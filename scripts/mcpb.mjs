// makes bundles for Claude Desktop (MCPB): the build of a server, a manifest, and a driver if it needs one
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { text } from 'node:stream/consumers';
import { zipSync } from 'fflate';
import { root } from './setup.mjs';

/**
 * @typedef {object} Offer the title of a server, the question to the person who installs it, and its requirements
 * @property {string} title
 * @property {string} [folders] the purpose of the folders; without it none are asked for
 * @property {string} [driver] a package of the bundle that the build does not include
 * @property {string} [node]
 */

/** @type {Record<string, Offer>} */
const OFFERS = {
  filesystem: {
    title: 'Files',
    folders: 'Folders whose files may be read and changed. The server opens nothing outside them.',
  },
  git: {
    title: 'Git',
    folders:
      'Folders with repositories. The server opens nothing outside them. Git 2.39 or newer must be installed.',
  },
  sqlite: {
    title: 'SQLite',
    folders: 'Folders with databases. The server opens nothing outside them.',
    driver: 'better-sqlite3',
    node: '>=22.0.0',
  },
  fetch: { title: 'Web pages' },
};

/** The files of a driver for the systems of Claude Desktop. */
const DRIVER_FILES = /^(?:package\.json|LICENSE|lib\/.*|prebuilds\/(?:darwin|linux|win32)-.*)$/;
/** The time of every file, so that archives with equal files are equal. */
const NEVER = new Date(1980, 0, 1);

/**
 * Makes the bundle of a built server.
 * @param {string} server
 * @returns {Promise<{ name: string, bytes: Uint8Array }>}
 */
export async function makeBundle(server) {
  const home = join(root, 'servers', server);
  const manifest = await makeManifest(server);
  /** @type {Record<string, Uint8Array>} */
  const files = {
    'manifest.json': Buffer.from(`${JSON.stringify(manifest, undefined, 2)}\n`),
    ...filesOf(home, /^(?:README\.md|LICENSE|dist\/.*)$/, ['dist'], ''),
  };
  const { driver } = OFFERS[server];
  if (driver !== undefined) {
    const installed = join(home, 'node_modules', driver);
    Object.assign(files, filesOf(installed, DRIVER_FILES, ['lib', 'prebuilds'], `node_modules/${driver}/`));
  }
  return {
    name: `${manifest.name}-${manifest.version}.mcpb`,
    bytes: zipSync(files, { level: 9, mtime: NEVER }),
  };
}

/** @param {string} server */
async function makeManifest(server) {
  const { title, folders, node = '>=20.19.0' } = OFFERS[server];
  const { version, description, license } = JSON.parse(
    readFileSync(join(root, 'servers', server, 'package.json'), 'utf8'),
  );
  const { tools, prompts } = await listsOf(server);
  return {
    manifest_version: '0.3',
    name: `rootbound-${server}`,
    display_name: `Rootbound: ${title}`,
    version,
    description,
    author: { name: 'The Rootbound authors' },
    license,
    server: {
      type: 'node',
      entry_point: 'dist/cli.js',
      mcp_config: {
        command: 'node',
        // biome-ignore-start lint/suspicious/noTemplateCurlyInString: Claude Desktop fills these in
        args: ['${__dirname}/dist/cli.js', ...(folders === undefined ? [] : ['${user_config.folders}'])],
        // biome-ignore-end lint/suspicious/noTemplateCurlyInString: the end
      },
    },
    tools: tools.map((tool) => ({ name: tool.name, description: tool.description })),
    ...(prompts.length === 0 ? {} : { prompts_generated: true }),
    compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node } },
    ...(folders === undefined
      ? {}
      : {
          user_config: {
            folders: {
              type: 'directory',
              title: 'Folders',
              description: folders,
              multiple: true,
              required: true,
            },
          },
        }),
  };
}

/**
 * Returns the tools and prompts that a built server lists without arguments.
 * @param {string} server
 * @returns {Promise<{ tools: { name: string, description: string }[], prompts: unknown[] }>}
 */
async function listsOf(server) {
  const child = spawn(process.execPath, [join(root, 'servers', server, 'dist', 'cli.js')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const requests = ['tools/list', 'prompts/list'].map((method, id) => ({
    jsonrpc: '2.0',
    id,
    method,
    params: { _meta },
  }));
  child.stdin.end(requests.map((request) => `${JSON.stringify(request)}\n`).join(''));
  const answers = (await text(child.stdout))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const [tools, prompts] = requests.map(({ id }) => answers.find((answer) => answer.id === id)?.result);
  return { tools: tools.tools, prompts: prompts?.prompts ?? [] };
}

/**
 * Reads the files of a folder whose paths match, under names that begin with a prefix.
 * @param {string} folder
 * @param {RegExp} wanted
 * @param {string[]} below folders whose files are read too
 * @param {string} prefix
 */
function filesOf(folder, wanted, below, prefix) {
  const own = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  const deep = below.flatMap((name) =>
    readdirSync(join(folder, name), { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    ),
  );
  const paths = [...own, ...deep].map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    paths
      .map((path) => ({ path, name: relative(folder, path).split(sep).join('/') }))
      .filter(({ name }) => wanted.test(name))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ path, name }) => [`${prefix}${name}`, new Uint8Array(readFileSync(path))]),
  );
}
