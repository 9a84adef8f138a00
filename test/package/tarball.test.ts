import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { smokeCalls } from './calls.ts';
import { ask, linkDriver, pack, root, weigh } from './packages.ts';

interface Packed {
  server: keyof typeof smokeCalls;
  /** of the packed file, in KiB */
  most: number;
  /** files of the build besides the common ones */
  built: string[];
  bundled: string[];
  /** optional packages */
  optional?: string[];
  /** size of an installation without them, in MiB */
  installed: number;
}

const servers: Packed[] = [
  {
    server: 'filesystem',
    most: 400,
    built: ['dist/search-worker.js'],
    bundled: ['chokidar', 're2js', 'readdirp', 'zod'],
    installed: 2,
  },
  {
    server: 'git',
    most: 400,
    built: [],
    bundled: ['chokidar', 'readdirp', 'simple-git', 'zod'],
    installed: 2,
  },
  {
    server: 'sqlite',
    most: 4096,
    built: ['dist/lane.js', 'dist/chart.js', 'dist/chart-font.ttf', 'dist/resvg.wasm'],
    bundled: ['@resvg/resvg-wasm', 'chokidar', 'dejavu-fonts-ttf', 'echarts', 'zod', 'zrender'],
    optional: ['@rootbound/sqlite-node20', 'better-sqlite3'],
    installed: 6,
  },
  {
    server: 'fetch',
    most: 2560,
    built: ['dist/reader.js', 'dist/cmaps/H.bcmap'],
    bundled: ['htmlparser2', 'papaparse', 'pdfjs-dist', 're2js', 'tldts', 'undici', 'zod'],
    optional: ['playwright-core'],
    installed: 6,
  },
];

describe.each(servers)('the packed $server server', (packed) => {
  const { server, most, built, bundled, optional = [], installed } = packed;
  const { furnish, call, answers } = smokeCalls[server];
  const source = join(root, 'servers', server);
  let folder: string;
  let tarball: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'rootbound pack '));
    tarball = pack(source, folder);
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test(`is smaller than ${most} KiB`, () => {
    expect(statSync(tarball).size).toBeLessThan(most * 1024);
  });

  test('has its build, its notices and its README, and nothing else', () => {
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

  test('has no run-time dependencies except optional ones', () => {
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
    if (server === 'sqlite') linkDriver(home);
    const { args = [], arguments: given, close } = await furnish(home);
    if (close !== undefined) onTestFinished(close);
    const question = { name: call.name, arguments: { ...call.arguments, ...given } };
    const { failed, text } = await ask(bin, [home, ...args], question);
    expect([failed, text]).toEqual([false, expect.stringContaining(answers)]);
  });
});
