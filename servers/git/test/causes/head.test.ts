import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { made } from '../writing/repository.ts';

const served = new Served();

/** A repository whose HEAD is at a ref that is no branch. */
function at(ref: string) {
  const repository = made();
  const { folder, git } = repository;
  git(folder, 'branch', 'other');
  git(folder, 'update-ref', ref, 'HEAD');
  git(folder, 'symbolic-ref', 'HEAD', ref);
  return repository;
}

test.each(['refs/remotes/x/y', 'refs/other', 'refs/tags/t'])(
  'HEAD at %s is shown by that name',
  async (ref) => {
    const { folder, oid, write } = at(ref);
    const client = await served.client([folder]);
    const commit = oid('HEAD').slice(0, 12);
    for (const [tool, args, line] of [
      ['git_status', {}, `on ${ref}`],
      ['git_overview', {}, `on ${ref}`],
      ['git_repositories', {}, `${folder} (normal, ${ref})`],
      ['git_branch', {}, `* (HEAD at ${ref} ${commit})`],
      ['git_list', { kind: 'worktrees' }, `* ${folder} ${commit} [${ref}] (main)`],
      ['git_rebase', { upstream: 'other' }, `up-to-date: ${ref} at ${commit}`],
      ['git_reset', { mode: 'soft', revision: 'HEAD' }, `${ref} at ${commit}, soft`],
    ] as const) {
      const { text } = await call(client, tool, args);
      expect(text.split('\n'), tool).toContain(line);
      expect(text).not.toContain('(null)');
    }
    write('a', 'two\n');
    await call(client, 'git_add', { files: ['a'] });
    const { text } = await call(client, 'git_commit', { message: 'x' });
    expect(text.split('\n')[0]).toBe(`[${ref} ${oid('HEAD').slice(0, 12)}] x`);
  },
);

test('before the first commit a ref that is no branch is shown as well', async () => {
  const { folder, git } = made({ unborn: true });
  git(folder, 'symbolic-ref', 'HEAD', 'refs/other/x');
  const client = await served.client([folder]);
  expect((await call(client, 'git_status')).text).toMatch(/^on refs\/other\/x, no commit yet/);
  expect((await call(client, 'git_branch')).text).toBe('* refs/other/x (no commit yet)');
  expect((await call(client, 'git_show', { revision: 'HEAD' })).text).toMatch(
    /^no commit yet: HEAD is at refs\/other\/x, which has none/,
  );
});

test('a branch that is called as git calls such a ref is a branch', async () => {
  const { folder, git } = made();
  git(folder, 'switch', '-q', '-c', '(null)');
  const client = await served.client([folder]);
  expect((await call(client, 'git_status')).text).toMatch(/^on \(null\)\n/);
});

test('a checkout away from a ref that is no branch is undone to its commit', async () => {
  const { folder, oid } = at('refs/other');
  const client = await served.client([folder]);
  const { undo } = await call(client, 'git_checkout', { branch_name: 'other' });
  expect(undo).toBe(`git_checkout with detach and branch_name "${oid('HEAD')}"`);
});

test('a push and a pull from a ref that is no branch say where HEAD is', async () => {
  const { folder, git } = at('refs/other');
  git(folder, 'init', '-q', '--bare', join(folder, 'far.git'));
  git(folder, 'remote', 'add', 'origin', join(folder, 'far.git'));
  const client = await served.client([folder], { extra: { 'allow-protocol': ['file'] } });
  expect((await call(client, 'git_push')).text).toMatch(/^HEAD is at refs\/other: name what to push in refs/);
  expect((await call(client, 'git_pull')).text).toMatch(/nothing to pull from: HEAD is at refs\/other\n/);
});

test('a change of branches that git refuses at a ref that is no branch says why', async () => {
  const { folder, git } = made();
  git(folder, 'branch', 'x/y');
  git(folder, 'update-ref', 'refs/remotes/x/y', 'HEAD');
  git(folder, 'symbolic-ref', 'HEAD', 'refs/remotes/x/y');
  const client = await served.client([folder]);
  for (const [tool, args] of [
    ['git_update_branch', { action: 'delete', branch_name: 'x/y' }],
    ['git_create_branch', { branch_name: 'new' }],
  ] as const) {
    const { code, text } = await call(client, tool, args);
    expect([code, text]).toEqual([
      'unsupported',
      'git branch: HEAD is at a ref that is no branch, where git changes no branches (HEAD not found below refs/heads!)\ncheck out a branch or a commit first',
    ]);
  }
});
