import { mkdirSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allRevisions } from '@rootbound/protocol';
import type { Client } from '@rootbound/protocol/client';
import { describe, expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { made, numbered } from './repository.ts';

interface Facts {
  staged: { path: string; before?: string; after?: string; mode?: string; conflict?: string }[];
  total: number;
  nested?: string[];
  undo?: string;
}

const served = new Served();

async function hunkIds(client: Client, args: Record<string, unknown> = {}): Promise<string[]> {
  const { facts } = await call<{ hunks: { ids: { id: string }[] }[] }>(client, 'git_diff', args);
  return facts.hunks.flatMap(({ ids }) => ids.map(({ id }) => id));
}

describe.each(allRevisions)('git_add at %s', (revision) => {
  test('stages what it is told, tells it by blob, and nothing twice', async () => {
    const { folder, write, status } = made();
    write('a', 'two\n');
    write('dir/new', 'new\n');
    const client = await served.client([folder], { revision });
    const first = await call(client, 'git_add', { repo_path: folder, files: ['.'] });
    expect([first.failed, first.text]).toEqual([false, 'staged 2 paths\nM a\nA dir/new']);
    expect(status()).toEqual(['M  a', 'A  dir/new']);
    const again = await call(client, 'git_add', { repo_path: folder, files: ['a'] });
    expect([again.failed, again.text]).toEqual([false, 'nothing staged: the index has all of it']);
  });
});

test('each path is told with the blob that was there, the one that is, and the way back', async () => {
  const { folder, write, oid, status } = made();
  const client = await served.client([folder]);
  const before = oid(':a');
  write('a', 'two\n');
  unlinkSync(join(folder, 'b'));
  const gone = oid(':b');
  const { facts } = await call<Facts>(client, 'git_add', { files: ['a', 'b'] });
  expect(facts.staged).toEqual([
    { path: 'a', before, after: oid(':a'), mode: '100644' },
    { path: 'b', before: gone },
  ]);
  expect(facts.undo).toBe('git_reset with paths ["a","b"]');
  await call(client, 'git_reset', { paths: ['a', 'b'] });
  expect(status()).toEqual([' M a', ' D b']);
  await call(client, 'git_add', { update: true });
  expect(status()).toEqual(['M  a', 'D  b']);
});

test('a dry run tells what would be staged, and stages nothing', async () => {
  const { folder, write, status } = made();
  write('a', 'two\n');
  write('new', '');
  const client = await served.client([folder]);
  const { text } = await call(client, 'git_add', { files: ['.'], dry_run: true });
  expect(text).toBe('would stage 2 paths\nM a\nA new');
  expect(status()).toEqual([' M a', '?? new']);
});

test('hunks and lines of hunks are staged by themselves, and stale ids are refused', async () => {
  const { folder, write, say } = made();
  write('b', numbered(20, 2, 18));
  const client = await served.client([folder]);
  const ids = await hunkIds(client);
  expect(ids).toHaveLength(2);
  const { facts } = await call<Facts>(client, 'git_add', { hunks: [{ id: ids[1] }] });
  expect(facts.staged.map(({ path }) => path)).toEqual(['b']);
  expect(`${say('show', ':b')}\n`).toBe(numbered(20, 18));
  expect((await call(client, 'git_add', { hunks: [{ id: ids[0] }] })).code).toBe('stale-hunk');
  // of line 2 only what is new: the old one stays
  await call(client, 'git_add', { hunks: [{ id: (await hunkIds(client))[0], lines: [3] }] });
  expect(say('show', ':b').split('\n').slice(0, 3)).toEqual(['line 1', 'line 2', 'line 2 changed']);
});

test('what is ignored, unknown, outside, in .git or behind a link is refused, and then nothing is staged', async () => {
  const { folder, write, status } = made();
  write('.gitignore', '*.log\n');
  write('x.log', '');
  write('a', 'two\n');
  symlinkSync('/etc', join(folder, 'link'));
  const client = await served.client([folder]);
  const codes: unknown[] = [];
  for (const file of ['x.log', 'missing', '../x', '.git', '.git/config', 'link/passwd', '', '--all']) {
    codes.push((await call(client, 'git_add', { files: ['a', file] })).code);
  }
  expect(codes).toEqual([
    ...['ignored', 'unknown-path', 'invalid-path', 'invalid-path', 'invalid-path', 'invalid-path'],
    ...['invalid-path', 'unknown-path'],
  ]);
  expect(status().filter((line) => !line.startsWith('??'))).toEqual([' M a']);
  const { facts } = await call<Facts>(client, 'git_add', { files: ['x.log'], force: true });
  expect(facts.staged.map(({ path }) => path)).toEqual(['x.log']);
});

test('names that look like options or patterns, or are no UTF-8, mean themselves', async () => {
  const { folder, write, say } = made();
  for (const name of ['-A', '*', ':(top)', 'é']) write(name, name);
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from('caf\xe9', 'latin1')]), 'x');
  const client = await served.client([folder]);
  const files = ['-A', '*', ':(top)', 'é', '"caf\\351"'];
  const { facts } = await call<Facts>(client, 'git_add', { files });
  expect(facts.staged.map(({ path }) => path).sort()).toEqual([...files].sort());
  expect(say('ls-files').split('\n')).toHaveLength(7);
});

test('a repository in the work tree is named, and a file that is only announced is not staged with its content', async () => {
  const { folder, git, write, say } = made();
  mkdirSync(join(folder, 'inner'));
  git(join(folder, 'inner'), 'init', '-q');
  git(join(folder, 'inner'), 'commit', '-qm', 'one', '--allow-empty');
  write('later', 'content\n');
  const client = await served.client([folder]);
  const { facts } = await call<Facts>(client, 'git_add', { files: ['inner'] });
  expect([facts.nested, facts.staged[0]?.mode]).toEqual([['inner'], '160000']);
  await call(client, 'git_add', { files: ['later'], intent_to_add: true });
  expect(say('status', '--porcelain', 'later')).toBe(' A later');
});

test('a conflict is told as resolved, in a repository of sha256', async () => {
  const { folder, git, write, status } = made({ init: ['--object-format=sha256'] });
  git(folder, 'checkout', '-qb', 'other');
  write('a', 'theirs\n');
  git(folder, 'commit', '-qam', 'theirs');
  git(folder, 'checkout', '-q', 'main');
  write('a', 'ours\n');
  git(folder, 'commit', '-qam', 'ours');
  git(folder, 'merge', 'other', { okay: [1] });
  write('a', 'both\n');
  const client = await served.client([folder]);
  const { facts } = await call<Facts>(client, 'git_add', { files: ['a'] });
  expect(facts.staged).toMatchObject([{ path: 'a', conflict: 'resolved' }]);
  expect([facts.undo, status()]).toEqual([undefined, ['M  a']]);
});

test('a path whose filter does not run is refused, unless the repository is trusted', async () => {
  const { folder, git, write, say } = made();
  write('.gitattributes', '*.up filter=up\n');
  git(folder, 'config', 'filter.up.clean', 'tr a-z A-Z');
  write('x.up', 'text\n');
  write('x.down', 'text\n');
  const client = await served.client([folder]);
  const refused = await call(client, 'git_add', { files: ['.'] });
  expect([refused.code, refused.text]).toEqual(['filter-suppressed', expect.stringContaining('x.up')]);
  expect(say('ls-files')).toBe('a\nb');
  expect((await call(client, 'git_add', { files: ['x.down'] })).failed).toBe(false);
  const trusted = await served.client([folder], { extra: { trust: [folder] } });
  expect((await call(trusted, 'git_add', { files: ['.'] })).failed).toBe(false);
  expect(say('show', ':x.up')).toBe('TEXT');
});

test('nothing is staged in a root that may only be read, and two calls at once both are done', async () => {
  const { folder, write, status } = made();
  write('a', 'two\n');
  write('c', '');
  const closed = await served.client([{ path: folder, readOnly: true }]);
  expect((await call(closed, 'git_add', { files: ['a'] })).code).toBe('read-only');
  const client = await served.client([folder]);
  const calls = ['a', 'c'].map((file) => call<Facts>(client, 'git_add', { files: [file] }));
  expect((await Promise.all(calls)).map(({ facts }) => facts.staged.map(({ path }) => path))).toEqual([
    ['a'],
    ['c'],
  ]);
  expect(status()).toEqual(['M  a', 'A  c']);
});

test('a path in a submodule is told as that', async () => {
  const { folder, git, oid, write } = made();
  git(folder, 'update-index', '--add', '--cacheinfo', `160000,${oid('HEAD')},sub`);
  write('sub/file', 'x\n');
  const client = await served.client([folder]);
  const { code, text } = await call(client, 'git_add', { files: ['sub/file'] });
  expect([code, text]).toEqual(['invalid-path', expect.stringContaining('a path is in a submodule')]);
});
