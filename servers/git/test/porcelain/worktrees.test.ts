import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseWorktrees, worktreesCommand } from '../../src/porcelain/worktrees.ts';
import { scratch } from '../scratch.ts';
import { printed } from './printed.ts';

const worktreesOf = async (folder: string) => parseWorktrees(await printed(folder, worktreesCommand()));

function repository() {
  const made = scratch();
  const main = join(made.folder, 'main');
  made.git(made.folder, 'init', main);
  made.git(main, 'commit', '--allow-empty', '-m', 'one');
  const commit = made.git(main, 'rev-parse', 'HEAD').toString().trim();
  return { ...made, main, commit, at: (name: string) => join(made.folder, name) };
}

const plain = { bare: false, locked: undefined, prunable: undefined };

test('the main work tree comes first, then the linked ones with their branches', async () => {
  const { git, main, commit, at } = repository();
  git(main, 'worktree', 'add', '-b', 'side', at('linked größe '));
  git(main, 'worktree', 'add', '--detach', at('loose'));
  expect(await worktreesOf(main)).toEqual([
    { ...plain, path: main, commit, branch: 'refs/heads/main' },
    { ...plain, path: at('linked größe '), commit, branch: 'refs/heads/side' },
    { ...plain, path: at('loose'), commit, branch: undefined },
  ]);
});

test('a lock says why, or that there is no reason', async () => {
  const { git, main, at } = repository();
  for (const name of ['one', 'two']) git(main, 'worktree', 'add', '-b', name, at(name));
  git(main, 'worktree', 'lock', at('one'));
  git(main, 'worktree', 'lock', '--reason', 'on a disk\nbranch refs/heads/x', at('two'));
  const worktrees = await worktreesOf(main);
  expect(worktrees.map(({ locked, branch }) => [locked, branch])).toEqual([
    [undefined, 'refs/heads/main'],
    ['', 'refs/heads/one'],
    ['on a disk\nbranch refs/heads/x', 'refs/heads/two'],
  ]);
});

test('a work tree whose folder is gone can be pruned, and says why', async () => {
  const { git, main, at } = repository();
  git(main, 'worktree', 'add', at('gone'));
  rmSync(at('gone'), { recursive: true });
  const [, gone] = await worktreesOf(main);
  expect(gone).toMatchObject({ path: at('gone'), prunable: expect.stringContaining('non-existent') });
});

test('a bare repository has no commit of its own, and its work trees have theirs', async () => {
  const { git, main, commit, at } = repository();
  git(main, 'clone', '--bare', main, at('bare'));
  git(at('bare'), 'worktree', 'add', '--detach', at('of bare'));
  expect(await worktreesOf(at('bare'))).toEqual([
    { ...plain, path: at('bare'), bare: true, commit: undefined, branch: undefined },
    { ...plain, path: at('of bare'), commit, branch: undefined },
  ]);
});

test('before the first commit there is a branch and no commit', async () => {
  const { folder, git } = scratch();
  git(folder, 'init');
  expect(await worktreesOf(folder)).toEqual([
    { ...plain, path: folder, commit: undefined, branch: 'refs/heads/main' },
  ]);
});

test.runIf(process.platform === 'linux')('a path of any bytes is exact', async () => {
  const { git, main, at } = repository();
  git(main, 'worktree', 'add', '--detach', at('two\nlines'));
  const [, odd] = await worktreesOf(main);
  expect(odd?.path).toBe(`"${at('two')}\\nlines"`);
});
