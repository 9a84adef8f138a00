import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { renamed } from '../src/fork.ts';
import { Place, root } from './workshop.ts';

const place = new Place();
const servers = readdirSync(join(root, 'servers'));

const fork = (server: string, ...argv: string[]) =>
  place.run('fork', '--from', server, '--checkout', root, '--name', '@me/mine-server', ...argv);

describe.each(servers)('a fork of the %s server', (server) => {
  beforeEach(async () => {
    expect(await fork(server)).toMatchObject({ code: 0, errors: '' });
  });

  test('has its own name wherever the server names itself', () => {
    expect(place.json('fork', 'package.json')).toMatchObject({
      name: '@me/mine-server',
      version: '0.1.0',
      private: true,
      bin: { 'server-mine': 'dist/cli.js' },
    });
    const spec = place.read('fork', 'src', 'spec.ts');
    expect(spec).toContain("package: '@me/mine-server'");
    expect(spec).toContain("name: 'mine'");
    expect(place.read('fork', 'src', 'server.ts')).toMatch(/name: 'mine',\n\s+title: 'mine'/);
    for (const file of readdirSync(place.at('fork'), { recursive: true, encoding: 'utf8' })) {
      if (!/\.(ts|md|json)$/.test(file)) continue;
      const named = place.read('fork', file).includes(`@rootbound/server-${server}`);
      expect([file, named]).toEqual([file, false]);
    }
  });

  test('needs nothing of the workspace, and each of its modules has what it imports', () => {
    const manifest = place.read('fork', 'package.json');
    expect(manifest).not.toMatch(/workspace:|--root|\.\.\/|github\.com\/rootbound/);
    expect(place.json('fork', 'package.json')).toMatchObject({
      devDependencies: { typescript: expect.any(String), vitest: expect.any(String) },
    });
    for (const file of readdirSync(place.at('fork'), { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts')) continue;
      for (const [, target] of place.read('fork', file).matchAll(/from '(\.[^']*)'/g)) {
        const path = join(dirname(place.at('fork', file)), target!);
        expect([file, path.startsWith(place.at('fork')) && existsSync(path)]).toEqual([file, true]);
      }
    }
    const compiler = place.read('fork', 'tsconfig.json');
    expect(compiler).not.toMatch(/extends|rootbound-source/);
    expect(place.read('fork', 'README.md')).not.toMatch(/\]\(\.\.\//);
    expect(place.entries('fork')).toEqual(
      expect.arrayContaining(['.github', '.gitignore', 'LICENSE', 'test']),
    );
    expect(place.entries('fork')).not.toEqual(expect.arrayContaining(['dist']));
  });
});

test.each(servers)(
  'the README of a fork of %s is about the fork: its name, its origin, how to add a tool',
  async (server) => {
    await fork(server, '--description', 'My own server.');
    const readme = place.read('fork', 'README.md');
    expect(readme).toMatch(/^# @me\/mine-server\n\nMy own server\.\n/);
    expect(readme).toContain(`/tree/main/servers/${server}#readme`);
    expect(readme).toMatch(/^## Tools\n\n[\s\S]*\| `\w+`/m);
    expect(readme).not.toMatch(/\]\(\.\.?\/|@rootbound\/server-/);
    const paths = [...readme.matchAll(/`((?:src|test)\/[^`]+|\w+\.mjs)`/g)].map(([, path]) => path!);
    expect(paths.length).toBeGreaterThan(5);
    for (const path of paths) expect([path, existsSync(place.at('fork', path))]).toEqual([path, true]);
  },
);

test('a fork is worked on in watch mode, and its test checks the types first', async () => {
  await fork('filesystem');
  expect(place.json('fork', 'package.json')).toMatchObject({
    scripts: { pretest: 'npm run typecheck && npm run build', dev: 'vitest watch' },
  });
});

test.each(servers)('a fork of %s has nearly all of its tests', async (server) => {
  await fork(server);
  const tests = (folder: string): string[] =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.ts'));
  const all = tests(join(root, 'servers', server, 'test'));
  expect(tests(place.at('fork', 'test')).length).toBeGreaterThan(all.length * 0.95);
});

test.each(servers)('no test of a fork of %s limits the size of its list of tools', async (server) => {
  await fork(server);
  const tests = readdirSync(place.at('fork', 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => place.read('fork', 'test', file));
  expect(tests.length).toBeGreaterThan(20);
  expect(tests.filter((text) => /byteLength\(JSON\.stringify\((?:\{ tools|tool\b)/.test(text))).toEqual([]);
});

test('the names of other projects stay', () => {
  expect(renamed('server-git, @rootbound/server-git and mcp-server-git', 'git', '@me/mine-server')).toBe(
    'server-mine, @me/mine-server and mcp-server-git',
  );
});

test('a server that there is not is answered with those that there are', async () => {
  const { code, errors } = await fork('gti');
  expect([code, errors]).toEqual([2, expect.stringContaining(servers.join(', '))]);
  expect(place.entries()).toEqual([]);
});

test('a folder that is no checkout is refused', async () => {
  const { code, errors } = await place.run('fork', '--from', 'git', '--checkout', place.folder);
  expect([code, errors]).toEqual([2, expect.stringContaining('is no checkout of Rootbound')]);
});
