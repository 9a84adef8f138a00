import { allRevisions } from '@rootbound/protocol';
import { describe, expect, test } from 'vitest';
import { call, Served, structuredRevisions } from '../harness.ts';
import { type Scratch, scratch } from '../scratch.ts';
import { everyPage } from './pages.ts';

const served = new Served();

interface Reflog {
  entries: { name: string; commit: string; previous?: string; message: string }[];
  next_cursor?: string;
  truncated: boolean;
}

function repository(commits: number): Scratch & { commit(message: string): void } {
  const made = scratch();
  const { folder, git } = made;
  git(folder, 'init', '-q');
  const commit = (message: string) => git(folder, 'commit', '-q', '--allow-empty', '-m', message);
  for (let index = 1; index <= commits; index++) commit(`c${index}`);
  return { ...made, commit };
}

describe.each(allRevisions)('in %s', (revision) => {
  test('the reflog tells the last move first, what it was and where the ref was before', async () => {
    const { folder, git } = repository(2);
    git(folder, 'reset', '-q', '--hard', 'HEAD~1');
    const [now, before] = ['HEAD', 'HEAD@{1}'].map((name) =>
      git(folder, 'rev-parse', name).toString().trim(),
    );
    const client = await served.client([folder], { revision });
    const { text, facts, failed } = await call(client, 'git_list', { kind: 'reflog' });
    expect([failed, text.split('\n')]).toEqual([
      false,
      [
        `${now!.slice(0, 12)} HEAD@{0}: reset: moving to HEAD~1`,
        `${before!.slice(0, 12)} HEAD@{1}: commit: c2`,
        `${now!.slice(0, 12)} HEAD@{2}: commit (initial): c1`,
      ],
    ]);
    if (structuredRevisions.includes(revision))
      expect(facts).toMatchObject({
        entries: [
          {
            ...{
              name: 'HEAD@{0}',
              commit: now,
              previous: before,
              action: 'reset',
              message: 'moving to HEAD~1',
            },
            ...{ by: 'Ann Example <ann@example.org>', date: '2026-01-01T00:04:00Z' },
          },
          { name: 'HEAD@{1}' },
          { name: 'HEAD@{2}' },
        ],
        truncated: false,
      });
  });
});

test('a ref before its first commit has no moves, and one that there is not is refused', async () => {
  const { folder } = repository(0);
  const client = await served.client([folder]);
  for (const ref of ['HEAD', 'main'])
    expect((await call(client, 'git_list', { kind: 'reflog', ref })).text).toBe('no moves are recorded');
  expect((await call(client, 'git_list', { kind: 'reflog', ref: 'other' })).code).toBe('unknown-revision');
});

test('what is no name of a ref never reaches git', async () => {
  const client = await served.client([repository(1).folder]);
  for (const ref of ['--all', 'HEAD~1', 'main@{1}', 'a..b', 'a b', ''])
    expect([ref, (await call(client, 'git_list', { kind: 'reflog', ref })).code]).toEqual([
      ref,
      'invalid-ref',
    ]);
});

test('a branch and the stash have their own', async () => {
  const { folder, git, write } = repository(1);
  git(folder, 'branch', 'side');
  write('a', '1');
  git(folder, 'stash', '-q', '--include-untracked');
  const client = await served.client([folder]);
  expect((await call(client, 'git_list', { kind: 'reflog', ref: 'refs/heads/side' })).text).toMatch(
    / refs\/heads\/side@\{0\}: branch: Created from main$/,
  );
  expect((await call(client, 'git_list', { kind: 'reflog', ref: 'stash' })).text).toMatch(
    / stash@\{0\}: WIP on main: /,
  );
});

test('the reflog continues where it stopped, by the count that was asked for or the budget', async () => {
  const { folder } = repository(30);
  const messages = Array.from({ length: 30 }, (_, index) => `c${30 - index}`);
  const client = await served.client([folder], { maxOutput: 3072 });
  const fitted = await everyPage<{ message: string }>(client, 'git_list', 'entries', 3072, {
    kind: 'reflog',
  });
  expect(fitted.map(({ message }) => message)).toEqual(messages);
  const roomy = await served.client([folder]);
  const counted = await everyPage<{ message: string }>(roomy, 'git_list', 'entries', 102_400, {
    kind: 'reflog',
    max_count: 7,
  });
  expect(counted.map(({ message }) => message)).toEqual(messages);
});

test('the reflog continues behind the last entry though the ref moved, and not where that is gone', async () => {
  const { folder, git, commit } = repository(6);
  const client = await served.client([folder]);
  const ask = (cursor?: string) =>
    call<Reflog>(client, 'git_list', {
      kind: 'reflog',
      max_count: 2,
      ...(cursor !== undefined && { cursor }),
    });
  const first = await ask();
  for (const message of ['d1', 'd2', 'd3']) commit(message);
  const second = await ask(first.facts.next_cursor);
  expect(second.facts.entries.map(({ name, message }) => [name, message])).toEqual([
    ['HEAD@{5}', 'c4'],
    ['HEAD@{6}', 'c3'],
  ]);
  expect(second.facts.entries[1]!.previous).toBeDefined();
  git(folder, 'reflog', 'expire', '--expire=all', '--all');
  expect((await ask(second.facts.next_cursor)).code).toBe('changed');
});
