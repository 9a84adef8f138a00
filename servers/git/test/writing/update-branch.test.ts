import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { allRevisions } from '@rootbound/protocol';
import { describe, expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { scratch } from '../scratch.ts';

const served = new Served();
const { folder, git } = scratch();

/** main, and topic with a commit that nothing else leads to. */
function repository(name: string): string {
  const path = join(folder, name);
  git(folder, 'init', '-q', path);
  git(path, 'commit', '-qm', 'one', '--allow-empty');
  git(path, 'switch', '-qc', 'topic');
  git(path, 'commit', '-qm', 'two', '--allow-empty');
  git(path, 'switch', '-q', 'main');
  return path;
}

const idOf = (path: string, revision: string): string => git(path, 'rev-parse', revision).toString().trim();
const branchesOf = (path: string): string =>
  git(path, 'for-each-ref', '--format=%(refname:short)', 'refs/heads').toString().trim();

describe.each(allRevisions)('git_update_branch at %s', (revision) => {
  test('renames a branch', async () => {
    const path = repository(`renamed-${revision}`);
    const client = await served.client([path], { revision });
    const args = { repo_path: path, branch_name: 'topic', action: 'rename', new_name: 'größer' };
    const { text } = await call(client, 'git_update_branch', args);
    expect(text).toBe(`renamed topic to größer at ${idOf(path, 'größer').slice(0, 12)}`);
    expect(branchesOf(path)).toBe('größer\nmain');
  });
});

test('a branch whose commits are in no other is deleted when that is confirmed, and its undo makes it again', async () => {
  const path = repository('deleted');
  const at = idOf(path, 'topic');
  const client = await served.client([path]);
  const args = { branch_name: 'topic', action: 'delete' };
  const reported = await call(client, 'git_update_branch', { ...args, dry_run: true });
  expect(reported.facts).toMatchObject({ name: 'topic', commit: at, unmerged: 1 });
  const unconfirmed = await call(client, 'git_update_branch', args);
  expect([unconfirmed.code, branchesOf(path)]).toEqual(['needs-confirmation', 'main\ntopic']);
  const { facts } = await call(client, 'git_update_branch', { ...args, confirm: true });
  const undo = `git_create_branch with branch_name "topic" and base_branch "${at}"`;
  expect([facts, branchesOf(path)]).toEqual([expect.objectContaining({ previous: at, undo }), 'main']);
});

test('a branch whose commits another has is deleted without a question', async () => {
  const path = repository('merged');
  git(path, 'branch', 'other', 'topic');
  const client = await served.client([path]);
  const { facts } = await call(client, 'git_update_branch', { branch_name: 'other', action: 'delete' });
  expect([facts.unmerged, branchesOf(path)]).toEqual([0, 'main\ntopic']);
});

test('a branch moves from where it was expected, and back by its undo', async () => {
  const path = repository('moved');
  const [main, topic] = [idOf(path, 'main'), idOf(path, 'topic')];
  const client = await served.client([path]);
  const args = { branch_name: 'topic', action: 'move', revision: 'main' };
  expect((await call(client, 'git_update_branch', { ...args, expected: main })).code).toBe('moved');
  const { facts } = await call(client, 'git_update_branch', { ...args, expected: topic });
  expect([facts, idOf(path, 'topic')]).toEqual([
    expect.objectContaining({
      previous: topic,
      undo: `git_update_branch with branch_name "topic", action "move" and revision "${topic}"`,
    }),
    main,
  ]);
});

test('an upstream is set, and taken away', async () => {
  const path = repository('tracking');
  const client = await served.client([path]);
  const args = { branch_name: 'topic' };
  const set = await call(client, 'git_update_branch', { ...args, action: 'set_upstream', upstream: 'main' });
  expect(set.facts).toMatchObject({
    upstream: 'main',
    undo: 'git_update_branch with branch_name "topic", action "unset_upstream"',
  });
  const unset = await call(client, 'git_update_branch', { ...args, action: 'unset_upstream' });
  expect(unset.facts.undo).toBe(
    'git_update_branch with branch_name "topic", action "set_upstream" and upstream "main"',
  );
  expect((await call(client, 'git_update_branch', { ...args, action: 'unset_upstream' })).failed).toBe(true);
});

test('a branch that a work tree is at is neither deleted nor moved', async () => {
  const path = repository('held');
  git(path, 'worktree', 'add', '-q', join(folder, 'held-linked'), 'topic');
  const client = await served.client([path]);
  for (const branch_name of ['main', 'topic'])
    for (const rest of [
      { action: 'delete', confirm: true },
      { action: 'move', revision: 'HEAD' },
    ])
      expect((await call(client, 'git_update_branch', { branch_name, ...rest })).code).toBe('checked-out');
  expect(branchesOf(path)).toBe('main\ntopic');
});

test.each([
  [{ branch_name: '--all', action: 'delete' }, 'invalid-ref'],
  [{ branch_name: 'topic', action: 'rename', new_name: '-f' }, 'invalid-ref'],
  [{ branch_name: 'topic', action: 'rename', new_name: 'main' }, 'exists'],
  [{ branch_name: 'nowhere', action: 'delete' }, 'unknown-revision'],
  [{ branch_name: 'topic', action: 'move' }, 'invalid-arguments'],
])('%j is refused', async (args, code) => {
  const path = join(folder, 'refused');
  if (!existsSync(path)) repository('refused');
  const client = await served.client([path]);
  expect((await call(client, 'git_update_branch', args)).code).toBe(code);
  expect(branchesOf(path)).toBe('main\ntopic');
});

test('nothing changes in a root that may only be read', async () => {
  const path = repository('closed');
  const client = await served.client([{ path, readOnly: true }]);
  const args = { branch_name: 'topic', action: 'delete' };
  expect((await call(client, 'git_update_branch', args)).code).toBe('read-only');
});
