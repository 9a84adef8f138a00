import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allRevisions } from '@rootbound/protocol';
import type { Client } from '@rootbound/protocol/client';
import { describe, expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { type Made, made, numbered } from './repository.ts';
import { lookAt, takeBack } from './undoing.ts';

interface Facts {
  before: string;
  after: string;
  undo?: string;
  unstaged?: { path: string; before?: string; after?: string }[];
  discarded?: { path: string; what: string }[];
  kept?: string;
}

const served = new Served();

const stagedHunks = async (client: Client): Promise<string[]> => {
  const { facts } = await call<{ hunks: { ids: { id: string }[] }[] }>(client, 'git_diff', { staged: true });
  return facts.hunks.flatMap(({ ids }) => ids.map(({ id }) => id));
};

/** With a second commit on top. */
function two(): Made & { first: string; second: string } {
  const it = made();
  const first = it.oid('HEAD');
  it.write('a', 'two\n');
  it.write('c', 'c\n');
  it.git(it.folder, 'add', '.');
  it.git(it.folder, 'commit', '-qm', 'second');
  return { ...it, first, second: it.oid('HEAD') };
}

describe.each(allRevisions)('git_reset at %s', (revision) => {
  test('unstages everything without arguments, and keeps the work tree', async () => {
    const { folder, git, write, status } = made();
    write('a', 'two\n');
    write('new', '');
    git(folder, 'add', '.');
    const client = await served.client([folder], { revision });
    const { failed, text } = await call(client, 'git_reset', { repo_path: folder });
    expect([failed, text]).toEqual([false, 'unstaged 2 paths\nM a\nD new']);
    expect(status()).toEqual([' M a', '?? new']);
  });
});

test('paths are unstaged with the way back where the work tree has the same, also before the first commit', async () => {
  const { folder, git, write, oid, status } = made({ unborn: true });
  write('a', '');
  write('b', '');
  git(folder, 'add', '.');
  write('b', 'later\n');
  const client = await served.client([folder]);
  const blob = oid(':a');
  const { facts } = await call<Facts>(client, 'git_reset', { paths: ['a'] });
  expect([facts.unstaged, facts.undo]).toEqual([
    [{ path: 'a', before: blob }],
    'git_add with files ["a"] and force true',
  ]);
  expect(status()).toEqual(['AM b', '?? a']);
  const dry = await call(client, 'git_reset', { dry_run: true });
  expect([dry.text, status()]).toEqual(['would unstage 1 path\nD b', ['AM b', '?? a']]);
  expect((await call<Facts>(client, 'git_reset', {})).facts.undo).toBeUndefined();
  expect((await call(client, 'git_reset', {})).text).toBe('nothing unstaged: nothing was staged there');
});

test('hunks of what is staged are unstaged by themselves', async () => {
  const { folder, git, write, say } = made();
  write('b', numbered(20, 2, 18));
  git(folder, 'add', 'b');
  const client = await served.client([folder]);
  const [first] = await stagedHunks(client);
  await call(client, 'git_reset', { hunks: [{ id: first }] });
  expect(`${say('show', ':b')}\n`).toBe(numbered(20, 18));
  expect((await call(client, 'git_reset', { hunks: [{ id: first }] })).code).toBe('stale-hunk');
  expect(readFileSync(join(folder, 'b'), 'utf8')).toBe(numbered(20, 2, 18));
});

test('a merge in progress stays one, and its conflicts are not thrown away', async () => {
  const { folder, git, write, status } = made();
  git(folder, 'checkout', '-qb', 'other');
  write('a', 'theirs\n');
  write('c', 'c\n');
  git(folder, 'add', '.');
  git(folder, 'commit', '-qm', 'theirs');
  git(folder, 'checkout', '-q', 'main');
  write('a', 'ours\n');
  git(folder, 'commit', '-qam', 'ours');
  git(folder, 'merge', 'other', { okay: [1] });
  const client = await served.client([folder]);
  expect((await call(client, 'git_reset', {})).code).toBe('conflict');
  await call(client, 'git_reset', { paths: ['c'] });
  expect(status()).toEqual(['UU a', '?? c']);
  expect(git(folder, 'rev-parse', '-q', '--verify', 'MERGE_HEAD').length).toBe(41);
});

test.each(['soft', 'mixed', 'keep'] as const)(
  '%s moves the branch, and its undo brings it back',
  async (mode) => {
    const { folder, write, oid, status, first, second } = two();
    write('b', 'own\n');
    const client = await served.client([folder]);
    const { facts } = await call<Facts>(client, 'git_reset', {
      mode,
      revision: 'HEAD~1',
      expected_head: second,
    });
    expect([facts.before, facts.after, oid('main')]).toEqual([second, first, first]);
    const left = { soft: ['M  a', ' M b', 'A  c'], mixed: [' M a', ' M b', '?? c'], keep: [' M b'] };
    expect(status()).toEqual(left[mode]);
    expect(facts.undo).toBe(`git_reset with mode "${mode}" and revision "${second}"`);
    expect((await call(client, 'git_reset', { mode, revision: second, expected_head: second })).code).toBe(
      'moved',
    );
    await call(client, 'git_reset', { mode, revision: second });
    expect([oid('main'), status()]).toEqual([second, [' M b']]);
  },
);

test('hard tells what is lost, does nothing without consent, and what it tells of the way back leads there', async () => {
  const { folder, git, write, oid, status, first, second } = two();
  write('a', 'own\n');
  write('b', 'staged\n');
  git(folder, 'add', 'b');
  const client = await served.client([folder]);
  const args = { mode: 'hard', revision: first };
  const dry = await call<Facts>(client, 'git_reset', { ...args, dry_run: true });
  expect(dry.facts.discarded).toEqual([
    { path: 'a', what: 'changed' },
    { path: 'b', what: 'staged' },
  ]);
  expect((await call(client, 'git_reset', args)).code).toBe('needs-confirmation');
  expect([oid('HEAD'), status()]).toEqual([second, [' M a', 'M  b']]);
  const { facts } = await call<Facts>(client, 'git_reset', { ...args, confirm: true });
  expect([oid('HEAD'), status()]).toEqual([first, []]);
  const restore = `git_restore with paths ["."] and source "${facts.kept}`;
  expect(facts.undo).toBe(
    `git_reset with mode "hard" and revision "${second}", then ${restore}", then ${restore}^2" and staged true`,
  );
  await call(client, 'git_reset', { mode: 'hard', revision: second });
  await call(client, 'git_restore', { paths: ['.'], source: facts.kept });
  await call(client, 'git_restore', { paths: ['.'], source: `${facts.kept}^2`, staged: true });
  expect([oid('HEAD'), status()]).toEqual([second, [' M a', 'M  b']]);
});

test('a missing new file is missing again after the undo of hard, and staged', async () => {
  const repository = two();
  const { folder, git, write, first, second, oid, status } = repository;
  write('new', 'new\n');
  git(folder, 'add', 'new');
  rmSync(join(folder, 'new'));
  write('a', 'own\n');
  const [before, was] = [lookAt(repository, folder), status()];
  const client = await served.client([folder]);
  const { undo } = await call(client, 'git_reset', { mode: 'hard', revision: first, confirm: true });
  await takeBack(client, folder, undo!);
  expect([oid('HEAD'), status(), lookAt(repository, folder)]).toEqual([second, was, before]);
});

test('no undo is told where it would write over a file that is no longer tracked, or lose an intent to add', async () => {
  const { folder, git, write, first, second } = two();
  const client = await served.client([folder]);
  git(folder, 'rm', '-q', '--cached', 'c');
  const hard = await call(client, 'git_reset', { mode: 'hard', revision: first, confirm: true });
  expect([hard.failed, hard.undo, readFileSync(join(folder, 'c'), 'utf8')]).toEqual([
    false,
    undefined,
    'c\n',
  ]);
  rmSync(join(folder, 'c'));
  git(folder, 'reset', '-q', '--hard', second);
  write('new', 'new\n');
  git(folder, 'add', '--intent-to-add', 'new');
  const mixed = await call(client, 'git_reset', { mode: 'mixed', revision: first });
  expect([mixed.failed, mixed.undo]).toEqual([false, undefined]);
});

test('hard asks the user where the client can, for untracked files in the way as well', async () => {
  const { folder, write, first, second, git } = two();
  git(folder, 'reset', '-q', '--hard', first);
  write('c', 'not tracked\n');
  const asked: string[] = [];
  const client = await served.client([folder], {
    elicitation: ({ message }) => {
      asked.push(message);
      return { action: 'decline' };
    },
  });
  const { code } = await call(client, 'git_reset', { mode: 'hard', revision: second });
  expect([code, asked]).toEqual(['declined', [expect.stringContaining('1 file of')]]);
  expect(readFileSync(join(folder, 'c'), 'utf8')).toBe('not tracked\n');
});

test('what excludes each other, names no commit or would write past a filter is refused', async () => {
  const { folder, git, write, oid, first, second } = two();
  const client = await served.client([folder]);
  const codes: unknown[] = [];
  for (const args of [
    { paths: ['a'], mode: 'soft' },
    { revision: '--hard' },
    { revision: 'nowhere' },
    { paths: ['../x'] },
  ]) {
    codes.push((await call(client, 'git_reset', args)).code);
  }
  expect(codes).toEqual(['invalid-arguments', 'invalid-revision', 'unknown-revision', 'invalid-path']);
  write('.git/info/attributes', 'c filter=up\n');
  git(folder, 'config', 'filter.up.smudge', 'tr a-z A-Z');
  expect((await call(client, 'git_reset', { mode: 'keep', revision: first })).code).toBe('filter-suppressed');
  expect(oid('HEAD')).toBe(second);
  const closed = await served.client([{ path: folder, readOnly: true }]);
  expect((await call(closed, 'git_reset', {})).code).toBe('read-only');
});

test('HEAD alone is moved where it is detached, in a linked worktree of a repository of sha256', async () => {
  const { folder, git, write, oid } = made({ init: ['--object-format=sha256'] });
  write('a', 'two\n');
  git(folder, 'commit', '-qam', 'second');
  git(folder, 'worktree', 'add', '-q', '--detach', 'linked');
  const linked = join(folder, 'linked');
  const client = await served.client([folder]);
  const { text } = await call(client, 'git_reset', { repo_path: linked, mode: 'hard', revision: 'HEAD~1' });
  expect(text).toBe(`HEAD: ${oid('main').slice(0, 12)} -> ${oid('main~1').slice(0, 12)}, hard`);
});

test('a commit whose attributes name a filter that does not run is not checked out', async () => {
  const { folder, git, write, oid, first } = two();
  git(folder, 'config', 'filter.up.smudge', 'tr a-z A-Z');
  write('.gitattributes', 'c filter=up\n');
  git(folder, 'add', '.gitattributes');
  git(folder, 'commit', '-qm', 'attributes');
  const attributes = oid('HEAD');
  git(folder, 'reset', '-q', '--keep', first);
  const client = await served.client([folder]);
  const { code } = await call(client, 'git_reset', { mode: 'keep', revision: attributes });
  expect([code, oid('HEAD')]).toEqual(['filter-suppressed', first]);
  expect((await call(client, 'git_reset', { mode: 'soft', revision: attributes })).failed).toBe(false);
});

test('untracked files that hard would write over are all told as lost, whatever their names and wherever they lie', async () => {
  const { folder, git, write, oid } = made();
  const odd = Buffer.concat([Buffer.from(`${folder}/caf`), Buffer.from([0xe9])]);
  write('folder/file', 'committed\n');
  write('file', 'committed\n');
  writeFileSync(odd, 'committed\n');
  git(folder, 'add', '.');
  git(folder, 'commit', '-qm', 'second');
  const second = oid('HEAD');
  git(folder, 'reset', '-q', '--hard', 'HEAD~1');
  write('folder', 'mine\n');
  write('file/inner', 'mine\n');
  writeFileSync(odd, 'mine\n');
  // in the place of a file that is tracked
  rmSync(join(folder, 'a'));
  write('a/inner', 'mine\n');
  const client = await served.client([folder]);
  const args = { mode: 'hard', revision: second };
  expect((await call(client, 'git_reset', args)).code).toBe('needs-confirmation');
  expect([readFileSync(odd, 'utf8'), readFileSync(join(folder, 'folder'), 'utf8')]).toEqual([
    'mine\n',
    'mine\n',
  ]);
  const { facts } = await call<Facts>(client, 'git_reset', { ...args, confirm: true });
  expect(facts.discarded).toEqual([
    { path: 'a', what: 'deleted' },
    { path: 'a/inner', what: 'untracked' },
    { path: '"caf\\351"', what: 'untracked' },
    { path: 'file/inner', what: 'untracked' },
    { path: 'folder', what: 'untracked' },
  ]);
  expect(facts.undo).toBeUndefined();
});

test('nobody is asked about a loss in a root that may only be read', async () => {
  const { folder, write } = made();
  write('a', 'two\n');
  const asked: string[] = [];
  const client = await served.client([{ path: folder, readOnly: true }], {
    elicitation: ({ message }) => {
      asked.push(message);
      return { action: 'accept', content: { confirm: true } };
    },
  });
  const codes = [
    (await call(client, 'git_reset', { mode: 'hard' })).code,
    (await call(client, 'git_restore', { paths: ['a'] })).code,
  ];
  expect([codes, asked]).toEqual([['read-only', 'read-only'], []]);
});
