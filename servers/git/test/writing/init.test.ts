import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allRevisions } from '@rootbound/protocol';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { call, Served } from '../harness.ts';
import { scratch } from '../scratch.ts';

const served = new Served();
const { folder, git, write } = scratch();

afterEach(() => {
  vi.unstubAllEnvs();
});

/** An empty folder that is to be a root. */
function root(name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
}

describe.each(allRevisions)('git_init at %s', (revision) => {
  test('makes a repository of a root', async () => {
    const path = root(`made-${revision}`);
    const client = await served.client([path], { revision });
    const { text } = await call(client, 'git_init', { branch_name: 'größer' });
    expect(text).toBe(`made a repository in ${path}, on größer`);
    expect(git(path, 'symbolic-ref', 'HEAD').toString()).toBe('refs/heads/größer\n');
  });
});

test('a new folder is made, of the kind that is asked for', async () => {
  const path = root('new');
  const client = await served.client([path]);
  const { facts } = await call(client, 'git_init', {
    repo_path: join(path, 'deep/in'),
    bare: true,
    object_format: 'sha256',
    branch_name: 'main',
  });
  const repository = join(path, 'deep/in');
  expect(facts).toEqual({ repository, branch: 'main', bare: true, object_format: 'sha256' });
  expect(git(repository, 'rev-parse', '--show-object-format').toString()).toBe('sha256\n');
});

test('hooks of a template are not copied', async () => {
  write('template/hooks/pre-commit', '#!/bin/sh\n', 0o755);
  vi.stubEnv('GIT_CONFIG_GLOBAL', write('global', `[init]\n\ttemplateDir = ${join(folder, 'template')}\n`));
  const path = root('templates');
  const client = await served.client([path]);
  await call(client, 'git_init', {});
  expect([existsSync(join(path, '.git/HEAD')), existsSync(join(path, '.git/hooks/pre-commit'))]).toEqual([
    true,
    false,
  ]);
});

test('a repository that is there is told, and one around it too', async () => {
  const path = root('around');
  git(folder, 'init', '-q', path);
  mkdirSync(join(path, 'inner'));
  const client = await served.client([path]);
  expect((await call(client, 'git_init', { repo_path: path })).code).toBe('exists');
  expect((await call(client, 'git_init', { repo_path: join(path, '.git') })).code).toBe('permission');
  expect((await call(client, 'git_init', { repo_path: join(path, '.git/refs') })).code).toBe('permission');
  const { facts } = await call(client, 'git_init', { repo_path: join(path, 'inner') });
  expect(facts).toMatchObject({ repository: join(path, 'inner'), inside_of: path });
});

test('nothing is made outside, in a root that may only be read, or over what is there', async () => {
  const path = root('closed');
  const other = root('other');
  write('other/file', '');
  writeFileSync(join(path, 'file'), '');
  const client = await served.client([path]);
  expect((await call(client, 'git_init', { repo_path: other })).code).toBe('not-found');
  expect((await call(client, 'git_init', { repo_path: join(path, '../fresh') })).code).toBe('not-found');
  expect((await call(client, 'git_init', { bare: true })).code).toBe('exists');
  expect((await call(client, 'git_init', { branch_name: '--bare' })).code).toBe('invalid-ref');
  const closed = await served.client([{ path, readOnly: true }]);
  expect((await call(closed, 'git_init', {})).code).toBe('read-only');
  expect([existsSync(join(other, '.git')), existsSync(join(folder, 'fresh'))]).toEqual([false, false]);
  expect(existsSync(join(path, '.git'))).toBe(false);
});
