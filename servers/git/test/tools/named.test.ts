import { chmodSync, existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { scratch } from '../scratch.ts';

const served = new Served();
const { PATH } = process.env;
afterEach(() => {
  process.env.PATH = PATH;
});

test('a git that lies in a root is not the one that runs, although it comes first on PATH', async () => {
  const { folder, git } = scratch();
  git(folder, 'init', '-q');
  const bin = join(folder, 'node_modules', '.bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'git'), `#!/bin/sh\ntouch '${folder}/ran'\nexec /usr/bin/env false\n`);
  chmodSync(join(bin, 'git'), 0o755);
  process.env.PATH = `${bin}${delimiter}${PATH}`;
  const client = await served.client([folder]);
  expect((await call(client, 'git_status')).failed).toBe(false);
  expect(existsSync(join(folder, 'ran'))).toBe(false);
});

test.each([
  ['is in', 'bin'],
  ['is a link into', 'linked'],
])('a git that %s a root of the client is not the one that runs, nor what it starts', async (_, kind) => {
  const [inside, outside] = [scratch(), scratch()];
  inside.git(inside.folder, 'init', '-q');
  const own = inside.write('bin/git', `#!/bin/sh\ntouch '${outside.folder}/ran'\n`, 0o755);
  const linked = outside.write('linked/other', '');
  symlinkSync(own, join(dirname(linked), 'git'));
  const folder = kind === 'bin' ? dirname(own) : dirname(linked);
  const setting = { offers: () => [{ uri: pathToFileURL(inside.folder).href }] };
  process.env.PATH = `${folder}${delimiter}${PATH}`;
  const client = await served.client([], setting);
  expect((await call(client, 'git_status')).text).toMatch(/^on main/);
  process.env.PATH = folder;
  const without = await served.client([], setting);
  expect(await call(without, 'git_status')).toMatchObject({ failed: true, code: 'no-git' });
  expect(existsSync(join(outside.folder, 'ran'))).toBe(false);
});

test('a common dir outside may be permitted by a link to it', async () => {
  const [inside, outside] = [scratch(), scratch()];
  outside.git(outside.folder, 'init', '-q');
  outside.git(outside.folder, 'commit', '--allow-empty', '-qm', 'one');
  outside.git(outside.folder, 'worktree', 'add', '-q', join(inside.folder, 'linked'));
  const link = join(realpathSync(outside.folder), 'by-link');
  symlinkSync(join(outside.folder, '.git'), link);
  const repo_path = join(inside.folder, 'linked');
  const without = await served.client([inside.folder]);
  expect((await call(without, 'git_status', { repo_path })).code).toBe('not-found');
  const allowed = await served.client([inside.folder], { extra: { 'allow-common-dir': [link] } });
  expect((await call(allowed, 'git_status', { repo_path })).text).toMatch(/^on linked/);
});
