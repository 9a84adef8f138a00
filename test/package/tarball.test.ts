import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

interface Packed {
  server: string;
  /** of the packed file, in KiB */
  most: number;
  /** files of the build, besides those that all have */
  built: string[];
  bundled: string[];
  /** a call on an installation's folder, and what its answer holds */
  call: { name: string; arguments: object };
  answers: string;
}

const servers: Packed[] = [
  {
    server: 'filesystem',
    most: 300,
    built: ['dist/search-worker.js'],
    bundled: ['chokidar', 'picomatch', 're2js', 'readdirp', 'zod'],
    call: { name: 'search_content', arguments: { path: '.', pattern: '"private"' } },
    answers: 'package.json',
  },
  {
    server: 'git',
    most: 400,
    built: [],
    bundled: ['chokidar', 'readdirp', 'simple-git', 'zod'],
    call: { name: 'git_status', arguments: {} },
    answers: 'on main, no commit yet',
  },
];

describe.each(servers)('the packed $server server', ({ server, most, built, bundled, call, answers }) => {
  const source = join(root, 'servers', server);
  let folder: string;
  let tarball: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'rootbound pack '));
    execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], {
      cwd: source,
    });
    tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz'))!);
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

  test('it needs no other package at run time', () => {
    const { dependencies, optionalDependencies, peerDependencies } = JSON.parse(
      readFileSync(join(source, 'package.json'), 'utf8'),
    );
    expect([dependencies, optionalDependencies, peerDependencies]).toEqual([undefined, undefined, undefined]);
  });

  test('the notices name every package that is bundled', () => {
    const notices = readFileSync(join(source, 'dist', 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    for (const name of bundled) expect(notices).toMatch(new RegExp(`^${name} \\d`, 'm'));
  });

  test('an installation from the tarball alone answers and serves', () => {
    const home = join(folder, 'somewhere else');
    mkdirSync(home);
    writeFileSync(join(home, 'package.json'), '{"private":true}');
    execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', '--silent', tarball], {
      cwd: home,
    });
    execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: home });
    const bin = join(home, 'node_modules', '.bin', `server-${server}`);
    expect(execFileSync(bin, ['--version'], { encoding: 'utf8' })).toMatch(/^\d+\.\d+\.\d+\n$/);
    const question = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        ...call,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    };
    const input = `${JSON.stringify(question)}\n`;
    const { result } = JSON.parse(execFileSync(bin, [home], { input, encoding: 'utf8' }));
    expect([result.isError ?? false, JSON.stringify(result.content)]).toEqual([
      false,
      expect.stringContaining(answers),
    ]);
  });
});
