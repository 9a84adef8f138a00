import { expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { made } from '../writing/repository.ts';

const served = new Served();

type Case = readonly [tool: string, args: Record<string, unknown>];

/** Calls that need a commit, by the revisions that a caller gives or that are the default. */
const refused: readonly Case[] = [
  ...['HEAD', '@', 'HEAD~2', 'HEAD^{tree}', 'main', 'refs/heads/main', 'heads/main', 'main@{upstream}'].map(
    (revision): Case => ['git_log', { revision }],
  ),
  ['git_log', { revision: '..HEAD' }],
  ['git_log', { revision: 'main...HEAD' }],
  ['git_show', { revision: 'HEAD' }],
  ['git_show', { revision: 'HEAD:a' }],
  ['git_diff', { target: 'HEAD' }],
  ['git_diff', { target: 'HEAD', staged: true }],
  ['git_diff', { target: 'main...HEAD' }],
  ['git_blame', { path: 'a' }],
  ['git_blame', { path: 'a', revision: 'HEAD' }],
  ['git_branch', { contains: 'HEAD' }],
  ['git_list', { kind: 'tags', contains: 'main' }],
  ['git_list_files', {}],
  ['git_list_files', { revision: 'HEAD~1' }],
  ['git_read_file', { path: 'a' }],
  ['git_read_file', { path: 'a', revision: 'main' }],
  ['git_search', { pattern: 'x', revision: 'HEAD' }],
  ['git_conflicts', { merge: 'HEAD' }],
  ['git_create_branch', { branch_name: 'b' }],
  ['git_create_branch', { branch_name: 'b', base_branch: 'main' }],
  ['git_checkout', { branch_name: 'main' }],
  ['git_checkout', { branch_name: 'HEAD', detach: true }],
  ['git_checkout', { branch_name: 'b', create: true, base: 'HEAD' }],
  ['git_tag', { tag_name: 't' }],
  ['git_tag', { tag_name: 't', revision: 'main' }],
  ['git_reset', { mode: 'hard', confirm: true }],
  ['git_reset', { revision: 'HEAD~1' }],
  ['git_restore', { paths: ['a'], source: 'HEAD' }],
  ['git_restore', { paths: ['a'], staged: true }],
  ['git_revert', { commits: ['HEAD'] }],
  ['git_cherry_pick', { commits: ['HEAD~1..HEAD'] }],
  ['git_merge', { revisions: ['main'] }],
  ['git_rebase', { upstream: 'HEAD~1' }],
  ['git_rebase', { upstream: 'main' }],
  ['git_bisect', { action: 'start', good: ['HEAD~2'] }],
  ['git_worktree', { action: 'add', path: 'wt', branch_name: 'n', create: true }],
  ['git_worktree', { action: 'add', path: 'wt', branch_name: 'main' }],
  ['git_update_branch', { action: 'rename', branch_name: 'main', new_name: 'z' }],
  ['git_update_branch', { action: 'delete', branch_name: 'main', confirm: true }],
  ['git_push', { remote: 'origin' }],
  ['git_stash', { action: 'push' }],
  ['git_commit', { message: 'x', amend: true }],
];

test('before the first commit, every call that needs one says so', async () => {
  const { folder, git, write } = made({ unborn: true });
  write('a', 'x\n');
  git(folder, 'add', 'a');
  git(folder, 'init', '-q', '--bare', `${folder}/far.git`);
  git(folder, 'remote', 'add', 'origin', `${folder}/far.git`);
  const client = await served.client([folder], { extra: { 'allow-protocol': ['file'] } });
  for (const [tool, args] of refused) {
    const { failed, text } = await call(client, tool, {
      ...args,
      ...(args.path === 'wt' && { path: `${folder}/wt` }),
    });
    expect([failed, text], `${tool} ${JSON.stringify(args)}`).toEqual([
      true,
      expect.stringMatching(/^(?:there is )?no commit (?:yet|to amend yet)/),
    ]);
  }
});

const answered: readonly (readonly [...Case, text: RegExp])[] = [
  ['git_overview', {}, /on main, no commit yet/],
  ['git_status', {}, /on main, no commit yet/],
  ['git_log', {}, /no commits/],
  ['git_log', { all: true }, /no commits/],
  ['git_branch', {}, /main \(no commit yet\)/],
  ['git_list', { kind: 'reflog' }, /no moves/],
  ['git_diff', { staged: true }, /\+x/],
  ['git_list_files', { staged: true }, /a/],
  ['git_read_file', { staged: true, path: 'a' }, /x/],
  ['git_reset', { paths: ['a'] }, /unstaged/],
];

test('before the first commit, the calls that need none work', async () => {
  const { folder, git, write } = made({ unborn: true });
  write('a', 'x\n');
  git(folder, 'add', 'a');
  const client = await served.client([folder]);
  for (const [tool, args, expected] of answered) {
    const { failed, text } = await call(client, tool, args);
    expect([failed, text], `${tool} ${JSON.stringify(args)}`).toEqual([
      false,
      expect.stringMatching(expected),
    ]);
  }
});

test('a name of no branch stays unknown before the first commit, and HEAD without its commit is damage', async () => {
  const { folder, git } = made({ unborn: true });
  const client = await served.client([folder]);
  const unknown = await call(client, 'git_log', { revision: 'mian' });
  expect([unknown.code, unknown.text.split('\n')[0]]).toEqual(['unknown-revision', 'unknown revision mian']);
  git(
    folder,
    'update-ref',
    '--no-deref',
    'HEAD',
    git(folder, 'commit-tree', '-m', 'x', git(folder, 'mktree').toString().trim()).toString().trim(),
  );
  const { text } = await call(client, 'git_log', { revision: 'HEAD~1' });
  expect(text).toMatch(/^unknown revision HEAD~1/);
});

test('a branch without commits beside others that have some is shown by its name', async () => {
  const { folder, git } = made();
  git(folder, 'switch', '-q', '--orphan', 'new/one');
  const client = await served.client([folder]);
  const { text } = await call(client, 'git_show', { revision: 'HEAD' });
  expect(text).toBe(
    'no commit yet: HEAD is at new/one, which has none\ngit_status lists the files, git_list_files and git_read_file with staged: true what is staged; git_branch lists the branches that have commits',
  );
  expect((await call(client, 'git_show', { revision: 'main' })).failed).toBe(false);
});
