import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { article, Site } from '../../servers/fetch/test/site.ts';
import { ask, linkDriver, makeShop, pack, root, weigh } from './packages.ts';

interface Packed {
  server: string;
  /** of the packed file, in KiB */
  most: number;
  /** files of the build, besides those that all have */
  built: string[];
  bundled: string[];
  /** packages that npm leaves out where they do not fit */
  optional?: string[];
  /** of an installation without those, in MiB */
  installed: number;
  /** puts there what an installation without those cannot do without, and what the call is about */
  furnish(home: string): Furnished | Promise<Furnished>;
  /** a call on an installation's folder, and what its answer holds */
  call: { name: string; arguments: object };
  answers: string;
}

/** What a server is started with besides the folder, what its call takes besides, and what ends it all. */
interface Furnished {
  args?: string[];
  arguments?: object;
  close?: () => Promise<void>;
}

const servers: Packed[] = [
  {
    server: 'filesystem',
    most: 300,
    built: ['dist/search-worker.js'],
    bundled: ['chokidar', 'picomatch', 're2js', 'readdirp', 'zod'],
    installed: 2,
    furnish: () => ({}),
    call: { name: 'search_content', arguments: { path: '.', pattern: '"private"' } },
    answers: 'package.json',
  },
  {
    server: 'git',
    most: 400,
    built: [],
    bundled: ['chokidar', 'readdirp', 'simple-git', 'zod'],
    installed: 2,
    furnish(home) {
      execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: home });
      return {};
    },
    call: { name: 'git_status', arguments: {} },
    answers: 'on main, no commit yet',
  },
  {
    server: 'sqlite',
    most: 4096,
    built: ['dist/lane.js', 'dist/chart.js', 'dist/chart-font.ttf', 'dist/resvg.wasm'],
    bundled: ['@resvg/resvg-wasm', 'chokidar', 'dejavu-fonts-ttf', 'echarts', 'zod', 'zrender'],
    optional: ['@rootbound/sqlite-node20', 'better-sqlite3'],
    installed: 6,
    furnish(home) {
      linkDriver(home);
      makeShop(join(home, 'shop.db'));
      return {};
    },
    call: { name: 'read_query', arguments: { query: 'SELECT name FROM item' } },
    answers: 'kettle',
  },
  {
    server: 'fetch',
    most: 2560,
    built: ['dist/reader.js', 'dist/cmaps/H.bcmap'],
    bundled: ['htmlparser2', 'papaparse', 'pdfjs-dist', 're2js', 'tldts', 'undici', 'zod'],
    optional: ['playwright-core'],
    installed: 6,
    async furnish() {
      const site = await new Site().start();
      const url = site.page('/kettles', article(1));
      return { args: ['--allow-private', site.host], arguments: { url }, close: () => site.close() };
    },
    call: { name: 'fetch', arguments: {} },
    answers: 'Section 0 speaks of kettles',
  },
];

describe.each(servers)('the packed $server server', (packed) => {
  const { server, most, built, bundled, optional = [], installed, furnish, call, answers } = packed;
  const source = join(root, 'servers', server);
  let folder: string;
  let tarball: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'rootbound pack '));
    tarball = pack(source, folder);
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test(`it is smaller than ${most} KiB`, () => {
    expect(statSync(tarball).size).toBeLessThan(most * 1024);
  });

  test('it holds its build, its notices and its README, and nothing else', () => {
    const files = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).trim().split('\n');
    const all = [
      'dist/cli.js',
      'dist/package.json',
      'dist/THIRD-PARTY-LICENSES.txt',
      'README.md',
      'package.json',
    ];
    for (const wanted of [...all, ...built]) expect(files).toContain(`package/${wanted}`);
    expect(
      files.filter((file) => !/^package\/(dist\/|README\.md$|LICENSE$|package\.json$)/.test(file)),
    ).toEqual([]);
  });

  test('it needs no other package at run time than those that npm may leave out', () => {
    const {
      dependencies,
      optionalDependencies = {},
      peerDependencies,
    } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
    expect([dependencies, Object.keys(optionalDependencies), peerDependencies]).toEqual([
      undefined,
      optional,
      undefined,
    ]);
  });

  test('the notices name every package that is bundled', () => {
    const notices = readFileSync(join(source, 'dist', 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    for (const name of bundled) expect(notices).toMatch(new RegExp(`^${name} \\d`, 'm'));
  });

  test('an installation from the tarball alone is one package, answers and serves', async () => {
    const home = join(folder, 'somewhere else');
    mkdirSync(home);
    writeFileSync(join(home, 'package.json'), '{"private":true}');
    const alone = ['--offline', '--omit=optional', '--no-audit', '--no-fund', '--silent'];
    execFileSync('npm', ['install', ...alone, tarball], { cwd: home });
    const { names, mib } = weigh(home);
    expect(names).toEqual([`@rootbound/server-${server}`]);
    expect(mib).toBeLessThan(installed);
    const bin = join(home, 'node_modules', '.bin', `server-${server}`);
    expect(execFileSync(bin, ['--version'], { encoding: 'utf8' })).toMatch(/^\d+\.\d+\.\d+\n$/);
    const { args = [], arguments: given, close } = await furnish(home);
    if (close !== undefined) onTestFinished(close);
    const question = { name: call.name, arguments: { ...call.arguments, ...given } };
    const { failed, text } = await ask(bin, [home, ...args], question);
    expect([failed, text]).toEqual([false, expect.stringContaining(answers)]);
  });
});
