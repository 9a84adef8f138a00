import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const server = join(root, 'servers', 'filesystem');
const MOST_BYTES = 300 * 1024;

let folder: string;
let tarball: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rootbound pack '));
  execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], {
    cwd: server,
  });
  tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz'))!);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the packed filesystem server is smaller than 300 KB', () => {
  expect(statSync(tarball).size).toBeLessThan(MOST_BYTES);
});

test('the packed filesystem server holds its build, its notices and its README, and nothing else', () => {
  const files = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).trim().split('\n');
  for (const wanted of [
    'dist/cli.js',
    'dist/search-worker.js',
    'dist/package.json',
    'dist/THIRD-PARTY-LICENSES.txt',
    'README.md',
    'package.json',
  ]) {
    expect(files).toContain(`package/${wanted}`);
  }
  expect(
    files.filter((file) => !/^package\/(dist\/|README\.md$|LICENSE$|package\.json$)/.test(file)),
  ).toEqual([]);
});

test('the packed filesystem server needs no other package at run time', () => {
  const { dependencies, optionalDependencies, peerDependencies } = JSON.parse(
    readFileSync(join(server, 'package.json'), 'utf8'),
  );
  expect([dependencies, optionalDependencies, peerDependencies]).toEqual([undefined, undefined, undefined]);
});

test('the notices name every package that is bundled', () => {
  const notices = readFileSync(join(server, 'dist', 'THIRD-PARTY-LICENSES.txt'), 'utf8');
  for (const name of ['chokidar', 'picomatch', 're2js', 'readdirp', 'zod'])
    expect(notices).toMatch(new RegExp(`^${name} \\d`, 'm'));
});

test('an installation from the tarball alone answers and serves', () => {
  const home = join(folder, 'somewhere else');
  mkdirSync(home);
  writeFileSync(join(home, 'package.json'), '{"private":true}');
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', '--silent', tarball], {
    cwd: home,
  });
  const bin = join(home, 'node_modules', '.bin', 'server-filesystem');
  expect(execFileSync(bin, ['--version'], { encoding: 'utf8' })).toMatch(/^\d+\.\d+\.\d+\n$/);
  const question = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name: 'search_content',
      arguments: { path: '.', pattern: '"private"' },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  };
  const answer = JSON.parse(
    execFileSync(bin, [home], { input: `${JSON.stringify(question)}\n`, encoding: 'utf8' }),
  );
  const matches = answer.result.structuredContent.files.map(({ path }: { path: string }) => path);
  expect(matches).toEqual(['package.json']);
});
