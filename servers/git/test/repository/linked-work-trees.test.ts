import { join } from 'node:path';
import { expect, test } from 'vitest';
import { linksOf } from '../../src/repository/private-dir.ts';
import { scratch } from '../scratch.ts';

const { folder, git, write } = scratch();

test('the linked work trees are found beside whatever else is in their place', () => {
  const main = join(folder, 'main');
  write('main/a', 'one\n');
  git(main, 'init', '-q');
  git(main, 'add', '.');
  git(main, 'commit', '-qm', 'first');
  expect(linksOf(join(main, '.git'))).toEqual([]);
  git(main, 'worktree', 'add', '-q', '../linked');
  const link = join(folder, 'linked', '.git');
  write('main/.git/worktrees/odd', 'a file in the place of a folder\n');
  write('main/.git/worktrees/gone/gitdir', join(folder, 'gone', '.git'));
  expect(linksOf(join(main, '.git'))).toEqual([link]);
});

test('a file in the place of the folder of all work trees has none', () => {
  write('other/worktrees', 'a file\n');
  expect(linksOf(join(folder, 'other'))).toEqual([]);
});
