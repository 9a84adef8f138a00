import { existsSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allRevisions } from '@rootbound/protocol';
import { describe, expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { made, numbered } from './repository.ts';

interface Facts {
  undo?: string;
  kept?: string;
  discarded?: { path: string; what: string }[];
  index?: { path: string }[];
}

const served = new Served();

describe.each(allRevisions)('git_restore at %s', (revision) => {
  test('discards changes of the work tree once that is agreed to', async () => {
    const { folder, write, status } = made();
    write('a', 'two\n');
    const client = await served.client([folder], { revision });
    const args = { repo_path: folder, paths: ['a'] };
    expect([(await call(client, 'git_restore', args)).failed, status()]).toEqual([true, [' M a']]);
    const { failed, text } = await call(client, 'git_restore', { ...args, confirm: true });
    expect([failed, text]).toEqual([
      false,
      expect.stringMatching(
        /^discarded the changes in 1 file\na \(changed\)\nbacked up in commit [0-9a-f]{40}$/,
      ),
    ]);
    expect(status()).toEqual([]);
  });
});

test('what was discarded comes back by the undo that is told', async () => {
  const { folder, write, status } = made();
  write('a', 'two\n');
  unlinkSync(join(folder, 'b'));
  const client = await served.client([folder]);
  const { facts } = await call<Facts>(client, 'git_restore', { paths: ['.'], confirm: true });
  expect(facts.discarded).toEqual([
    { path: 'a', what: 'changed' },
    { path: 'b', what: 'deleted' },
  ]);
  expect(facts.undo).toBe(`git_restore with source "${facts.kept}" and paths ["a","b"]`);
  expect(status()).toEqual([]);
  // nothing is lost by it, so nobody is asked
  await call(client, 'git_restore', { paths: ['a', 'b'], source: facts.kept });
  expect([status(), readFileSync(join(folder, 'a'), 'utf8')]).toEqual([[' M a', ' D b'], 'two\n']);
});

test('a dry run tells what would be lost, and a client that can ask has its user agree to just that', async () => {
  const { folder, write, status } = made();
  write('a', 'two\n');
  const client = await served.client([folder], {
    elicitation: () => ({ action: 'accept', content: { confirm: true } }),
  });
  const dry = await call<Facts>(client, 'git_restore', { paths: ['.'], dry_run: true });
  expect([dry.text, status()]).toEqual(['would discard the changes in 1 file\na (changed)', [' M a']]);
  expect((await call(client, 'git_restore', { paths: ['.'] })).failed).toBe(false);
  expect(status()).toEqual([]);
  let answered = 0;
  const slow = await served.client([folder], {
    revision: '2025-11-25',
    elicitation: () => {
      answered++;
      write('a', 'something else that nobody saw\n');
      return { action: 'accept', content: { confirm: true } };
    },
  });
  write('a', 'two\n');
  expect([(await call(slow, 'git_restore', { paths: ['a'] })).code, answered]).toEqual(['changed', 1]);
  expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('something else that nobody saw\n');
});

test('hunks are discarded by themselves', async () => {
  const { folder, write } = made();
  write('b', numbered(20, 2, 18));
  const client = await served.client([folder]);
  const diff = await call<{ hunks: { ids: { id: string }[] }[] }>(client, 'git_diff');
  const [first] = diff.facts.hunks[0]!.ids;
  const hunks = [{ id: first!.id }];
  expect((await call(client, 'git_restore', { hunks })).code).toBe('needs-confirmation');
  const { facts } = await call<Facts>(client, 'git_restore', { hunks, confirm: true });
  expect(readFileSync(join(folder, 'b'), 'utf8')).toBe(numbered(20, 18));
  expect((await call(client, 'git_restore', { hunks, confirm: true })).code).toBe('stale-hunk');
  await call(client, 'git_restore', { paths: ['b'], source: facts.kept, confirm: true });
  expect(readFileSync(join(folder, 'b'), 'utf8')).toBe(numbered(20, 2, 18));
});

test('the index is restored alone or with the work tree, from HEAD or another revision', async () => {
  const { folder, git, write, status, oid } = made();
  write('a', 'two\n');
  git(folder, 'commit', '-qam', 'second');
  write('a', 'three\n');
  git(folder, 'add', 'a');
  const client = await served.client([folder]);
  const { facts } = await call<Facts>(client, 'git_restore', { paths: ['a'], staged: true });
  expect([facts.undo, facts.discarded, status()]).toEqual(['git_add with files ["a"]', undefined, [' M a']]);
  const both = { paths: ['a'], staged: true, worktree: true, source: 'HEAD~1' };
  expect((await call(client, 'git_restore', both)).code).toBe('needs-confirmation');
  await call(client, 'git_restore', { ...both, confirm: true });
  expect([status(), oid(':a')]).toEqual([['M  a'], oid('HEAD~1:a')]);
});

test('an untracked file in the way is told as lost', async () => {
  const { folder, git, write } = made();
  git(folder, 'rm', '-q', 'a');
  git(folder, 'commit', '-qm', 'without a');
  write('a', 'own\n');
  const client = await served.client([folder]);
  const args = { paths: ['a'], source: 'HEAD~1' };
  const { facts } = await call<Facts>(client, 'git_restore', { ...args, dry_run: true });
  expect(facts.discarded).toEqual([{ path: 'a', what: 'untracked' }]);
  expect((await call(client, 'git_restore', args)).code).toBe('needs-confirmation');
  expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('own\n');
});

test('names that look like options or are no UTF-8 mean themselves, and what leads out is refused', async () => {
  const { folder, git, write, status } = made();
  write('--all', 'x');
  const bytes = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from('caf\xe9', 'latin1')]);
  writeFileSync(bytes, 'x');
  git(folder, 'add', '.');
  git(folder, 'commit', '-qm', 'names');
  write('--all', 'y');
  writeFileSync(bytes, 'y');
  write('a', 'own\n');
  const client = await served.client([folder]);
  await call(client, 'git_restore', { paths: ['--all', '"caf\\351"'], confirm: true });
  expect(status()).toEqual([' M a']);
  for (const path of ['../x', '.git/config', '/etc/passwd'])
    expect((await call(client, 'git_restore', { paths: [path], confirm: true })).code).toBe('invalid-path');
});

test('conflicts, a filter that does not run and a read-only root are in the way', async () => {
  const { folder, git, write } = made();
  git(folder, 'config', 'filter.up.smudge', 'tr a-z A-Z');
  write('.git/info/attributes', 'a filter=up\n');
  write('a', 'two\n');
  const client = await served.client([folder]);
  const args = { paths: ['.'], confirm: true };
  expect((await call(client, 'git_restore', args)).code).toBe('filter-suppressed');
  const closed = await served.client([{ path: folder, readOnly: true }]);
  expect((await call(closed, 'git_restore', args)).code).toBe('read-only');
  unlinkSync(join(folder, '.git/info/attributes'));
  git(folder, 'stash', '-q');
  write('a', 'three\n');
  git(folder, 'commit', '-qam', 'three');
  git(folder, 'stash', 'pop', { okay: [1] });
  expect((await call(client, 'git_restore', args)).code).toBe('conflict');
  expect(existsSync(join(folder, 'a'))).toBe(true);
});

test('an untracked folder in the place of a tracked file is told as lost', async () => {
  const { folder, write } = made();
  unlinkSync(join(folder, 'a'));
  write('a/inner', 'mine\n');
  const client = await served.client([folder]);
  const dry = await call<Facts>(client, 'git_restore', { paths: ['a'], dry_run: true });
  expect(dry.facts.discarded).toEqual([
    { path: 'a', what: 'deleted' },
    { path: 'a/inner', what: 'untracked' },
  ]);
  const { failed, text, undo } = await call(client, 'git_restore', { paths: ['a'], confirm: true });
  expect([failed, text, undo]).toEqual([false, text, undefined]);
});

test('a loss that has to be agreed to is not said to be for good, as its backup is in the answer', async () => {
  const { folder, write } = made();
  write('a', 'two\n');
  const client = await served.client([folder]);
  const asked = await call(client, 'git_restore', { paths: ['a'] });
  expect([asked.code, asked.text]).toEqual([
    'needs-confirmation',
    expect.stringMatching(
      /^the user has to agree: Discard the changes in 1 file of .*: a\?\nnothing was done/,
    ),
  ]);
  const done = await call(client, 'git_restore', { paths: ['a'], confirm: true });
  expect(done.undo).toMatch(/^git_restore with source "\w+" and paths \["a"\]/);
});
