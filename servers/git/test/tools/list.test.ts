import { expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { scratch } from '../scratch.ts';

const served = new Served();

test.each([
  [{ kind: 'stashes', pattern: 'v*' }, 'pattern is of kind tags, and kind is stashes'],
  [{ kind: 'reflog', messages: true }, 'messages is of kind tags, and kind is reflog'],
  [{ kind: 'tags', ref: 'main' }, 'ref is of kind reflog, and kind is tags'],
  [{ kind: 'submodules', max_count: 1 }, 'max_count is of kind reflog, and kind is submodules'],
])('an argument of another kind is refused: %o', async (args, expected) => {
  const { folder, git } = scratch();
  git(folder, 'init', '-q');
  const { code, text } = await call(await served.client([folder]), 'git_list', args);
  expect([code, text]).toEqual(['invalid-arguments', expected]);
});

test('a cursor of one kind goes on with no other', async () => {
  const { folder, git } = scratch();
  git(folder, 'init', '-q');
  for (const name of ['one', 'two']) git(folder, 'commit', '-q', '--allow-empty', '-m', name);
  const client = await served.client([folder]);
  const { facts } = await call(client, 'git_list', { kind: 'reflog', max_count: 1 });
  expect(facts).toMatchObject({ truncated: true });
  const other = await call(client, 'git_list', { kind: 'tags', cursor: facts.next_cursor });
  expect(other.code).toBe('invalid-cursor');
});
