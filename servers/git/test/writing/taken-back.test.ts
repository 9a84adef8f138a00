import { expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { made, numbered } from './repository.ts';
import { lookAt, takeBack } from './undoing.ts';

const served = new Served();

/** Two commits, then what is staged is another thing than what the work tree has, and a new file is staged. */
function staged() {
  const repository = made();
  const { folder, git, write } = repository;
  write('c', 'first\n');
  git(folder, 'add', '.');
  git(folder, 'commit', '-qm', 'second');
  write('a', 'staged\n');
  write('b', numbered(20, 2, 18));
  write('new', 'staged\n');
  git(folder, 'rm', '-q', '--cached', 'c');
  git(folder, 'add', 'a', 'b', 'new');
  write('a', 'later\n');
  write('new', 'later\n');
  return repository;
}

test.each([
  ['everything is unstaged', {}],
  ['a deletion of a file that is there is unstaged', { paths: ['c'] }],
  ['paths are unstaged', { paths: ['a', 'new'] }],
  ['HEAD moves and the index with it', { mode: 'mixed', revision: 'HEAD~1' }],
  ['HEAD moves and local changes stay', { mode: 'keep', revision: 'HEAD' }],
])('what was staged is staged again by the undo, where %s', async (_, args) => {
  const repository = staged();
  const { folder, oid } = repository;
  const [before, head] = [lookAt(repository, folder), oid('HEAD')];
  const client = await served.client([folder]);
  const { text, undo } = await call(client, 'git_reset', args);
  expect([text, lookAt(repository, folder).index]).not.toEqual([text, before.index]);
  await takeBack(client, folder, undo!);
  expect([lookAt(repository, folder), oid('HEAD')]).toEqual([before, head]);
});

test('a hunk that was unstaged is staged again by the undo, and others stay as they are', async () => {
  const repository = staged();
  const { folder, write } = repository;
  write('b', numbered(20, 2, 10, 18));
  const before = lookAt(repository, folder);
  const client = await served.client([folder]);
  const asked = { staged: true, paths: ['b'] };
  const diff = await call<{ hunks: { ids: { id: string }[] }[] }>(client, 'git_diff', asked);
  const hunks = [{ id: diff.facts.hunks[0]!.ids[0]!.id }];
  const { undo } = await call(client, 'git_reset', { hunks });
  await takeBack(client, folder, undo!);
  expect(lookAt(repository, folder)).toEqual(before);
});
