import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import {
  below,
  findCircle,
  findWrongArrows,
  type Graph,
  importsOf,
  type Layer,
  reachableFrom,
  readGraph,
} from './graph.ts';

const root = join(import.meta.dirname, '..', '..');
const graph = readGraph(root, [
  'packages/protocol/src',
  'packages/kit/src',
  'packages/create-server/src',
  'packages/create-server/template/src',
  'servers/filesystem/src',
  'servers/git/src',
  'servers/sqlite/src',
  'servers/fetch/src',
]);

const protocol = (name: string, mayImport: readonly string[]): Layer => ({
  name,
  holds: below(`packages/protocol/src/${name}`),
  mayImport,
});
const kit = (name: string, mayImport: readonly string[]): Layer => ({
  name: `kit/${name}`,
  holds: below(`packages/kit/src/${name}`),
  mayImport: ['entries of protocol', ...mayImport],
});
/** The folders of the git server by floors, the lowest first: each may import those of lower floors, and no others. */
const gitFloors: readonly (readonly string[])[] = [
  ['run'],
  ['porcelain'],
  ['repository'],
  ['repository/states'],
  ['repository/files', 'call'],
  ['reading/patches', 'changing/safety', 'mcp/completing', 'mcp/trust', 'mcp/watching'],
  ['reading/history'],
  ['reading/objects', 'reading/state'],
  [
    'reading/lists',
    ...['changing/branches', 'changing/files', 'changing/sequences', 'mcp/prompts', 'mcp/resources'],
  ],
  ['changing/commits', 'changing/remotes'],
  ['changing/submodules'],
  [''],
];
const git = (folder: string, floor: number): Layer => ({
  name: `git/${folder}`,
  holds: (target) => dirname(target) === join('servers/git/src', folder),
  mayImport: [
    'entries of protocol',
    'entries of kit',
    'primitives of kit',
    ...gitFloors.slice(0, floor).flatMap((below) => below.map((name) => `git/${name}`)),
  ],
});
const fetch = (name: string, mayImport: readonly string[]): Layer => ({
  name: name === '' ? 'fetch' : `fetch/${name}`,
  holds: below(name === '' ? 'servers/fetch' : `servers/fetch/src/${name}`),
  mayImport: ['fetch/words', 'entries of kit', 'primitives of kit', ...mayImport],
});
/** The SQLite server without lane/ (the code of its lane processes) and shared/ (the code of both sides). */
function isServerOfSqlite(target: string): boolean {
  return /^servers\/sqlite\/src\/(?!lane\/|lane\.ts$|shared\/)/.test(target);
}
const fetchWords = ['failure', 'url-fragment', 'bounded-map', 'web/visit', 'reading/reading'];
const isEntry = (folder: string) => (target: string) =>
  new RegExp(`^packages/${folder}/src/[a-z]+\\.ts$`).test(target);

const layers: readonly Layer[] = [
  protocol('jsonrpc', []),
  protocol('protocol', ['jsonrpc']),
  protocol('server', ['jsonrpc', 'protocol']),
  protocol('client', ['jsonrpc', 'protocol']),
  protocol('auth', ['jsonrpc', 'protocol']),
  protocol('transports', ['jsonrpc', 'protocol', 'server', 'client', 'auth']),
  protocol('inspect', ['jsonrpc', 'protocol', 'client', 'transports']),
  {
    name: 'entries of protocol',
    holds: (target) => isEntry('protocol')(target) || target.startsWith('@rootbound/protocol'),
    mayImport: ['jsonrpc', 'protocol', 'server', 'client', 'auth', 'transports', 'inspect'],
  },
  kit('primitives', []),
  kit('boundary/names', []),
  kit('boundary/deny', []),
  kit('boundary/scope', ['kit/boundary/names', 'kit/boundary/deny']),
  kit('boundary/verifying', ['kit/boundary/names', 'kit/boundary/scope']),
  kit('boundary/opening', ['kit/boundary/names', 'kit/boundary/scope', 'kit/boundary/verifying']),
  kit('boundary/changes', [
    'kit/primitives',
    'kit/boundary/names',
    'kit/boundary/scope',
    'kit/boundary/verifying',
    'kit/boundary/opening',
  ]),
  kit('boundary', ['kit/boundary/scope', 'kit/boundary/verifying']),
  kit('budget', []),
  kit('call', ['kit/boundary', 'kit/boundary/scope']),
  kit('watch', ['kit/primitives']),
  kit('cli', [
    'kit/boundary',
    'kit/boundary/deny',
    'kit/boundary/scope',
    'kit/boundary/verifying',
    'kit/budget',
  ]),
  kit('media', []),
  kit('prompts', ['kit/boundary/names', 'kit/budget']),
  kit('watchdog', []),
  kit('serve', [
    'kit/primitives',
    'kit/boundary',
    'kit/boundary/scope',
    'kit/call',
    'kit/cli',
    'kit/watchdog',
  ]),
  kit('build', []),
  {
    name: 'primitives of kit',
    holds: (target) => target === 'packages/kit/src/primitives.ts' || target === '@rootbound/kit/primitives',
    mayImport: ['kit/primitives'],
  },
  {
    name: 'entries of kit',
    holds: (target) => isEntry('kit')(target) || target.startsWith('@rootbound/kit'),
    mayImport: [
      'kit/primitives',
      'kit/boundary/names',
      'kit/boundary/deny',
      'kit/boundary/scope',
      'kit/boundary/verifying',
      'kit/boundary/opening',
      'kit/boundary/changes',
      'kit/boundary',
      'kit/budget',
      'kit/call',
      'kit/watch',
      'kit/cli',
      'kit/media',
      'kit/prompts',
      'kit/serve',
      'kit/build',
      'entries of protocol',
    ],
  },
  { name: 'create-server', holds: below('packages/create-server/src'), mayImport: [] },
  {
    name: 'the template of create-server',
    holds: below('packages/create-server/template'),
    mayImport: ['entries of protocol', 'entries of kit', 'primitives of kit'],
  },
  {
    name: 'filesystem',
    holds: below('servers/filesystem'),
    mayImport: ['entries of protocol', 'entries of kit', 'primitives of kit'],
  },
  ...gitFloors.flatMap((folders, floor) => folders.map((folder) => git(folder, floor))),
  { name: 'sqlite/shared', holds: below('servers/sqlite/src/shared'), mayImport: ['primitives of kit'] },
  {
    name: 'sqlite/server',
    holds: isServerOfSqlite,
    // from the lane it imports types; the tests below check that it executes no module of it
    mayImport: ['sqlite/shared', 'sqlite/lane', 'entries of protocol', 'entries of kit', 'primitives of kit'],
  },
  {
    name: 'sqlite/lane',
    holds: below('servers/sqlite/src'),
    mayImport: ['sqlite/shared', 'primitives of kit'],
  },
  {
    // what all layers of the fetch server name: failures, what a visit and a reading are
    name: 'fetch/words',
    holds: (target) => fetchWords.some((file) => target === `servers/fetch/src/${file}.ts`),
    mayImport: ['fetch/words'],
  },
  fetch('guard', []),
  fetch('robots', []),
  fetch('charset', []),
  fetch('markdown', []),
  fetch('extracting', ['fetch/markdown']),
  fetch('formats', ['fetch/markdown', 'fetch/charset']),
  fetch('reading', ['fetch/charset', 'fetch/formats', 'fetch/markdown', 'fetch/extracting', 'fetch/pages']),
  fetch('web', ['fetch/guard', 'fetch/robots']),
  fetch('rendering', ['fetch/guard', 'fetch/web']),
  fetch('cache', []),
  fetch('pages', []),
  fetch('', [
    'entries of protocol',
    ...['guard', 'web', 'cache', 'pages', 'reading', 'rendering'].map((name) => `fetch/${name}`),
  ]),
];

test('every import follows the direction of the layers', () => {
  expect(findWrongArrows(graph, layers)).toEqual([]);
});

test('no file imports itself over others', () => {
  expect(findCircle(graph)).toBeUndefined();
});

test('a planted circle is found, also one of types alone', () => {
  const planted: Graph = new Map([
    ['a.ts', importsOf(root, 'a.ts', "import { b } from './b.ts';")],
    ['b.ts', importsOf(root, 'b.ts', "import type { C } from './c.ts';")],
    ['c.ts', importsOf(root, 'c.ts', "export const load = () => import('./a.ts');")],
  ]);
  expect(findCircle(planted)).toEqual(['a.ts', 'b.ts', 'c.ts', 'a.ts']);
});

test('a planted arrow against the direction is found', () => {
  const file = 'packages/protocol/src/jsonrpc/planted.ts';
  const planted: Graph = new Map([
    [file, importsOf(root, file, "import { methods } from '../protocol/methods.ts';")],
  ]);
  expect(findWrongArrows(planted, layers)).toEqual([
    `${file} (jsonrpc) imports packages/protocol/src/protocol/methods.ts (protocol)`,
  ]);
});

test('a lane process loads no module of the server that starts it', () => {
  const reached = reachableFrom(root, 'servers/sqlite/src/lane.ts');
  expect(reached.has('servers/sqlite/src/lane/connection.ts')).toBe(true);
  expect([...reached.keys()].filter(isServerOfSqlite)).toEqual([]);
});

test('the SQLite server itself loads no module that opens a database', () => {
  const reached = reachableFrom(root, 'servers/sqlite/src/cli.ts');
  expect(reached.has('servers/sqlite/src/lanes/lanes.ts')).toBe(true);
  // --doctor reads from lane/driver.ts which driver the lanes load
  const driver = 'servers/sqlite/src/lane/driver.ts';
  const opening = /^servers\/sqlite\/src\/lane(\/|\.ts$)|sqlite3|sqlite-node20/;
  expect([...reached.keys()].filter((file) => opening.test(file))).toEqual([driver]);
  const importers = [...reached].filter(([, imports]) => imports.includes(driver));
  expect(importers.map(([file]) => file)).toEqual(['servers/sqlite/src/machine.ts']);
});

test('the JSON-RPC layer says no word of the protocol above it', () => {
  const words = /\b(mcp|tool|resource|prompt|initialize|revision|notifications\/|stateless|handshake)/i;
  const files = [...graph.keys()].filter((file) => file.startsWith('packages/protocol/src/jsonrpc/'));
  expect(files.length).toBeGreaterThan(3);
  for (const file of files) expect(readSource(file)).not.toMatch(words);
});

test('the protocol layer does no input or output', () => {
  const files = [...graph].filter(([file]) => file.startsWith('packages/protocol/src/protocol/'));
  expect(files.length).toBeGreaterThan(5);
  for (const [file, imports] of files) {
    // Buffer is global, and what else its module has looks at bytes alone
    const outside = imports.filter((target) => target.startsWith('node:') && target !== 'node:buffer');
    expect([file, outside]).toEqual([file, []]);
  }
});

function readSource(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}
