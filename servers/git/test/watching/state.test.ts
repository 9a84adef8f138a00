import { renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { inBothEras, type Notified, notifiedOf, repository, subscribed } from './notified.ts';

const served = new Served();

inBothEras((revision) => {
  test('the index is told after staging and unstaging, and not when its times are refreshed', async () => {
    const { folder, top, run, write } = repository();
    const file = write('repo/a.txt', 'one');
    const client = await served.client([folder], { revision });
    const index = await subscribed(client, top, { kind: 'index' });
    await index.of(() => run('add', 'a.txt'));
    await index.nothingOf(
      () => {
        utimesSync(file, 1, 1);
        run('status');
      },
      () => run('rm', '-q', '--cached', 'a.txt'),
    );
    expect(served.faults).toEqual([]);
  });

  test('the index is announced after a commit that takes what was staged, and not after one that leaves it as it is', async () => {
    const { folder, top, run, commit, write } = repository();
    write('repo/a.txt', 'one');
    write('repo/b.txt', 'one');
    run('add', '.');
    commit();
    const client = await served.client([folder], { revision });
    const index = await subscribed(client, top, { kind: 'index' });
    write('repo/a.txt', 'two');
    write('repo/b.txt', 'two');
    await index.of(() => run('add', 'a.txt'));
    await index.nothingOf(
      () => {
        run('commit', '-q', '--allow-empty', '--only', '-m', 'empty');
        run('commit', '-q', '-m', 'other', 'b.txt');
        run('commit', '-q', '--amend', '--only', '-m', 'of another message');
      },
      () => run('commit', '-q', '-m', 'what was staged'),
    );
    write('repo/b.txt', 'three');
    await index.nothingOf(
      () => run('commit', '-qam', 'all'),
      () => run('rm', '-q', '--cached', 'a.txt'),
    );
    expect(served.faults).toEqual([]);
  });

  test('the status is told for files of any folder that is not ignored, and once for each change', async () => {
    const { folder, top, run, commit, write } = repository();
    write('repo/.gitignore', 'ignored/\n');
    const file = write('repo/deep/er/a.txt', 'one');
    write('repo/ignored/a.txt', 'ignored');
    run('add', '.');
    commit();
    const client = await served.client([folder], { revision });
    const status = await subscribed(client, top, { kind: 'status' });
    await status.of(() => writeFileSync(file, 'in place'));
    // modified before and after
    await status.nothingOf(
      () => renameSync(write('repo/deep/er/new', 'another file of that name'), file),
      () => run('add', '.'),
    );
    await status.of(() => write('repo/fresh/folder/b.txt', 'untracked'));
    await status.of(commit);
    // whatever happens there, git does not look; what has been ignored no longer is, after that
    write('repo/ignored/b.txt', 'ignored');
    await status.of(() => write('repo/.gitignore', 'other\n'));
    await status.nothingOf(
      () => run('status'),
      () => run('stash', '-q'),
    );
    await status.of(() => run('stash', 'drop', '-q'));
    expect(status.seen).toHaveLength(7);
    expect(served.faults).toEqual([]);
  });
});

test('stashes are told when one comes, and when one that is not the last goes', async () => {
  const { folder, top, run, commit, write } = repository();
  write('repo/a.txt', 'one');
  run('add', '.');
  commit();
  const client = await served.client([folder]);
  const stash = await subscribed(client, top, { kind: 'stash' });
  for (const content of ['two', 'three']) {
    await stash.of(() => {
      write('repo/a.txt', content);
      run('stash', '-q');
    });
  }
  await stash.nothingOf(
    () => run('gc', '-q'),
    () => run('stash', 'drop', '-q', 'stash@{1}'),
  );
});

test('a merge, a rebase and a bisect are told when they begin, go on and end', async () => {
  const { folder, top, run, commit, write, git } = repository();
  for (const [branch, content] of [
    ['main', 'base'],
    ['other', 'theirs'],
    ['main', 'ours'],
  ] as const) {
    if (content !== 'base') run('switch', '-q', ...(branch === 'other' ? ['-c'] : []), branch);
    write('repo/a.txt', content);
    run('add', '.');
    commit();
  }
  run('worktree', 'add', '-q', '../linked', '--detach');
  const linked = join(folder, 'linked');
  const client = await served.client([folder]);
  const operation = await subscribed(client, top, { kind: 'operation' });
  const there = await subscribed(client, linked, { kind: 'operation' });
  const conflicting = (...args: string[]) => git(top, ...args, { okay: [1] });
  await operation.of(() => conflicting('merge', '-q', 'other'));
  await operation.of(() => run('merge', '--abort'));
  await operation.of(() => conflicting('rebase', '-q', 'other'));
  await operation.of(() => run('rebase', '--abort'));
  await operation.of(() => conflicting('cherry-pick', 'other'));
  await operation.of(() => run('cherry-pick', '--abort'));
  await operation.of(() => run('bisect', 'start', 'HEAD', 'HEAD~2'));
  await operation.of(() => run('bisect', 'reset'));
  expect(there.seen).toEqual([]);
  await there.of(() => git(linked, 'merge', '-q', 'other', { okay: [1] }));
  expect(operation.seen).toHaveLength(8);
  expect(served.faults).toEqual([]);
});

test('a repository is told after what its overview shows has changed', async () => {
  const { folder, top, run, commit, write, git } = repository();
  const client = await served.client([folder]);
  const whole = await subscribed(client, top);
  await whole.of(commit);
  await whole.of(() => run('remote', 'add', 'origin', 'https://example.org/a.git'));
  await whole.of(() => run('worktree', 'add', '-q', '../linked', '--detach'));
  await whole.of(() => git(join(folder, 'linked'), 'switch', '-q', '-c', 'other'));
  await whole.of(() => write('repo/.git/hooks/pre-commit', '#!/bin/sh\n', 0o755));
  expect(served.faults).toEqual([]);
});

test('what the server reads by itself is never told', async () => {
  const { folder, top, run, commit, write } = repository();
  const file = write('repo/a.txt', 'one');
  run('add', '.');
  commit();
  // the index is stale, so that a git that may would write it
  utimesSync(file, 1, 1);
  const client = await served.client([folder]);
  const kinds = ['status', 'index', 'refs', 'stash', 'operation', 'repository'] as const;
  const all = await Promise.all(kinds.map((kind) => subscribed(client, top, { kind })));
  for (const tool of ['git_status', 'git_overview', 'git_log', 'git_diff', 'git_list', 'git_blame']) {
    const needed: Record<string, object> = { git_blame: { path: 'a.txt' }, git_list: { kind: 'stashes' } };
    const args = needed[tool] ?? {};
    await call(client, tool, { repo_path: top, ...args });
  }
  const [status, index, , , , whole] = all as Notified[] as [
    Notified,
    Notified,
    Notified,
    Notified,
    Notified,
    Notified,
  ];
  await notifiedOf([status, whole], () => write('repo/b.txt', 'new'));
  await notifiedOf([status, whole, index], () => run('add', 'b.txt'));
  expect(all.map(({ seen }) => seen.length)).toEqual([2, 1, 0, 0, 0, 2]);
});
