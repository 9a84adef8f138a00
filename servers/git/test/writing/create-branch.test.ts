import { join } from 'node:path';
import { allRevisions } from '@rootbound/protocol';
import { describe, expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { scratch } from '../scratch.ts';

const served = new Served();
const { folder, git } = scratch();

/** A repository of one commit, by a name of its own. */
function repository(name: string): string {
  const path = join(folder, name);
  git(folder, 'init', '-q', path);
  git(path, 'commit', '-qm', 'one', '--allow-empty');
  return path;
}

const headOf = (path: string, revision = 'HEAD'): string =>
  git(path, 'rev-parse', revision).toString().trim();

describe.each(allRevisions)('git_create_branch at %s', (revision) => {
  test('makes a branch at a revision and says how to take it back', async () => {
    const path = repository(`made-${revision}`);
    git(path, 'commit', '-qm', 'two', '--allow-empty');
    const client = await served.client([path], { revision });
    const { text, undo, failed } = await call(client, 'git_create_branch', {
      repo_path: path,
      branch_name: 'topic/one',
      base_branch: 'HEAD~1',
    });
    expect(undo).toBe('git_update_branch with branch_name "topic/one" and action "delete"');
    expect([failed, text]).toEqual([false, `created topic/one at ${headOf(path, 'HEAD~1').slice(0, 12)}`]);
    expect(headOf(path, 'refs/heads/topic/one')).toBe(headOf(path, 'HEAD~1'));
    expect(git(path, 'symbolic-ref', 'HEAD').toString().trim()).toBe('refs/heads/main');
  });
});

test('a branch is made where HEAD is detached', async () => {
  const path = repository('detached');
  git(path, 'checkout', '-q', '--detach');
  const client = await served.client([path]);
  const { facts } = await call(client, 'git_create_branch', { branch_name: 'topic' });
  expect(facts).toMatchObject({
    created: 'topic',
    commit: headOf(path),
    before: headOf(path),
    undo: 'git_update_branch with branch_name "topic" and action "delete"',
  });
});

test('a branch that tracks another names it as its upstream', async () => {
  const path = repository('tracking');
  const client = await served.client([path]);
  const args = { branch_name: 'topic', base_branch: 'main', track: true };
  const { facts } = await call(client, 'git_create_branch', args);
  expect(facts).toMatchObject({ upstream: 'main' });
  expect(git(path, 'rev-parse', '--abbrev-ref', 'topic@{upstream}').toString().trim()).toBe('main');
});

test.each([
  ['--force', 'invalid-ref'],
  ['HEAD', 'invalid-ref'],
  ['refs/heads/x', 'invalid-ref'],
  ['a b', 'invalid-ref'],
])('the name %j is refused', async (branch_name, code) => {
  const path = repository(`refused${branch_name.length}`);
  const client = await served.client([path]);
  expect((await call(client, 'git_create_branch', { branch_name })).code).toBe(code);
  expect(git(path, 'for-each-ref', '--format=%(refname)').toString()).toBe('refs/heads/main\n');
});

test('a branch that is there is left as it is', async () => {
  const path = repository('there');
  git(path, 'branch', 'topic');
  git(path, 'commit', '-qm', 'two', '--allow-empty');
  const client = await served.client([path]);
  expect((await call(client, 'git_create_branch', { branch_name: 'topic' })).code).toBe('exists');
  expect(headOf(path, 'topic')).toBe(headOf(path, 'HEAD~1'));
});

test('nothing is made in a root that may only be read', async () => {
  const path = repository('closed');
  const client = await served.client([{ path, readOnly: true }]);
  expect((await call(client, 'git_create_branch', { branch_name: 'topic' })).code).toBe('read-only');
});
