import { expect, test } from 'vitest';
import { parseStashes, type StashesOptions, stashesCommand } from '../../src/porcelain/stash.ts';
import { type Scratch, scratch } from '../scratch.ts';
import { printed } from './printed.ts';

function repository(): Scratch & { oid(revision: string): string } {
  const made = scratch();
  made.git(made.folder, 'init');
  made.write('file', '0\n');
  made.git(made.folder, 'add', 'file');
  made.git(made.folder, 'commit', '-m', 'base');
  return { ...made, oid: (revision) => made.git(made.folder, 'rev-parse', revision).toString().trim() };
}

const stashesOf = async (folder: string, options?: StashesOptions) =>
  parseStashes(await printed(folder, stashesCommand(options)), options);

test('a stash has the commit it is based on, and those of its parts', async () => {
  const { folder, git, write, oid } = repository();
  write('file', '1\n');
  git(folder, 'add', 'file');
  write('file', '2\n');
  write('new', 'n');
  git(folder, 'stash', 'push', '--include-untracked', '--message', 'half: done');
  write('file', '3\n');
  git(folder, 'stash');
  const [last, first] = await stashesOf(folder);
  expect(first).toEqual({
    position: 1,
    commit: oid('stash@{1}'),
    base: oid('HEAD'),
    index: oid('stash@{1}^2'),
    untracked: oid('stash@{1}^3'),
    branch: 'main',
    message: 'On main: half: done',
    time: Number(git(folder, 'log', '-1', '--format=%ct', 'stash@{1}').toString()),
  });
  expect(last).toMatchObject({
    position: 0,
    commit: oid('stash'),
    untracked: undefined,
    branch: 'main',
    message: `WIP on main: ${oid('HEAD').slice(0, 7)} base`,
  });
});

test('a stash of a detached HEAD has no branch', async () => {
  const { folder, git, write } = repository();
  git(folder, 'checkout', '--detach');
  write('file', '1\n');
  git(folder, 'stash');
  expect(await stashesOf(folder)).toMatchObject([
    { branch: undefined, message: expect.stringContaining('(no branch)') },
  ]);
});

test('the message is told whatever it is, and no other commit needs the shape of a stash', async () => {
  const { folder, git, write, oid } = repository();
  git(folder, 'switch', '--create', 'größe/x');
  write('file', '1\n');
  git(folder, 'stash', 'push', '--message', 'Übung WIP on other: x');
  git(folder, 'update-ref', '-m', 'odd', '--create-reflog', 'refs/stash', oid('HEAD'));
  expect(await stashesOf(folder)).toMatchObject([
    {
      position: 0,
      commit: oid('HEAD'),
      base: undefined,
      index: undefined,
      branch: undefined,
      message: 'odd',
    },
    { position: 1, branch: 'größe/x', message: 'On größe/x: Übung WIP on other: x' },
  ]);
});

test('a part of the list keeps the positions', async () => {
  const { folder, git, write } = repository();
  for (const content of ['1', '2', '3', '4']) {
    write('file', content);
    git(folder, 'stash', 'push', '--message', content);
  }
  const part = await stashesOf(folder, { skip: 1, limit: 2 });
  expect(part.map(({ position, message }) => [position, message])).toEqual([
    [1, 'On main: 3'],
    [2, 'On main: 2'],
  ]);
});

test('without a stash the list is empty', async () => {
  const { folder } = repository();
  expect(await stashesOf(folder)).toEqual([]);
});
