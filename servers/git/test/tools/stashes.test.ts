import { allRevisions } from '@rootbound/protocol';
import { describe, expect, test } from 'vitest';
import { call, Served, structuredRevisions } from '../harness.ts';
import { type Scratch, scratch } from '../scratch.ts';
import { everyPage } from './pages.ts';

const served = new Served();

function repository(): Scratch & { oid(revision: string): string; put(message: string): void } {
  const made = scratch();
  const { folder, git, write } = made;
  git(folder, 'init', '-q');
  write('a', 'one\n');
  git(folder, 'add', 'a');
  git(folder, 'commit', '-qm', 'one');
  const put = (message: string) => {
    write('a', `${message}\n`);
    git(folder, 'stash', 'push', '-q', '-m', message);
  };
  return { ...made, put, oid: (revision) => git(folder, 'rev-parse', revision).toString().trim() };
}

describe.each(allRevisions)('in %s', (revision) => {
  test('stashes tell their branch, their commits and whether new files are in them', async () => {
    const { folder, git, write, oid, put } = repository();
    put('first');
    write('new', '');
    git(folder, 'stash', 'push', '-q', '--include-untracked', '-m', 'second');
    const client = await served.client([folder], { revision });
    const { text, facts, failed } = await call(client, 'git_list', { kind: 'stashes' });
    expect([failed, text]).toEqual([
      false,
      'stash@{0}: On main: second (with new files)\nstash@{1}: On main: first',
    ]);
    if (structuredRevisions.includes(revision))
      expect(facts).toMatchObject({
        stashes: [
          { name: 'stash@{0}', branch: 'main', untracked: oid('stash@{0}^3') },
          { name: 'stash@{1}', commit: oid('stash@{1}'), base: oid('main'), index: oid('stash@{1}^2') },
        ],
        total: 2,
        truncated: false,
      });
  });
});

test('a repository without stashes, or without a commit, has none, and a bare one is refused', async () => {
  const { folder, git } = scratch();
  git(folder, 'init', '-q');
  const client = await served.client([folder]);
  expect((await call(client, 'git_list', { kind: 'stashes' })).text).toBe('no stashes');
  const bare = scratch();
  bare.git(bare.folder, 'init', '-q', '--bare');
  expect((await call(await served.client([bare.folder]), 'git_list', { kind: 'stashes' })).code).toBe(
    'unsupported',
  );
});

test('stashes continue where they stopped, though the same are there many times', async () => {
  const { folder, git, oid, put } = repository();
  for (const message of ['first', 'second']) put(message);
  const commits = [oid('stash@{1}'), oid('stash@{0}')];
  for (let index = 0; index < 40; index++) git(folder, 'stash', 'store', '-m', 'again', commits[index % 2]!);
  const client = await served.client([folder], { maxOutput: 3072 });
  const all = await everyPage<{ name: string }>(client, 'git_list', 'stashes', 3072, { kind: 'stashes' });
  expect(all.map(({ name }) => name)).toEqual(Array.from({ length: 42 }, (_, index) => `stash@{${index}}`));
});

test('stashes continue behind the last one, though others were put on top of them', async () => {
  const { folder, put } = repository();
  for (let index = 10; index < 30; index++) put(`s${index}`);
  const client = await served.client([folder], { maxOutput: 2048 });
  const ask = (cursor?: string) =>
    call<{ stashes: { message: string }[]; next_cursor: string }>(client, 'git_list', {
      kind: 'stashes',
      ...(cursor !== undefined && { cursor }),
    });
  const { facts: first } = await ask();
  put('later');
  const { facts: second } = await ask(first.next_cursor);
  expect(second.stashes[0]!.message).toBe(`On main: s${29 - first.stashes.length}`);
});

test('a long message is cut, and no message writes a second line', async () => {
  const { folder, put } = repository();
  put(`\u001b[2J${'y'.repeat(50_000)}`);
  const client = await served.client([folder], { maxOutput: 8192 });
  const { text, facts } = await call<{ stashes: object[] }>(client, 'git_list', { kind: 'stashes' });
  expect(facts.stashes[0]).toMatchObject({ message_truncated: true });
  expect(text.split('\n')[0]).toMatch(/^stash@\{0\}: On main: \\u001b\[2Jy+…$/);
});
