import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Served } from '../harness.ts';
import { inBothEras, notifiedOf, repository, subscribed } from './notified.ts';

const served = new Served();

inBothEras((revision) => {
  test('HEAD is told after a commit, a switch, a detaching and a reset, in a linked worktree too', async () => {
    const { folder, top, run, commit, git } = repository();
    run('branch', 'other', 'HEAD');
    run('worktree', 'add', '-q', '../linked', 'other');
    const client = await served.client([folder], { revision });
    const head = await subscribed(client, top, { kind: 'ref', name: 'HEAD' });
    const linked = await subscribed(client, join(folder, 'linked'), { kind: 'ref', name: 'HEAD' });
    await head.of(commit);
    await head.of(() => run('switch', '-q', '-c', 'third'));
    await head.of(() => run('checkout', '-q', '--detach'));
    await head.of(() => run('reset', '-q', '--soft', 'HEAD~'));
    expect(linked.seen).toEqual([]);
    await linked.of(() => git(join(folder, 'linked'), 'commit', '-q', '--allow-empty', '-m', 'there'));
    await linked.of(() => git(join(folder, 'linked'), 'switch', '-q', '-c', 'fourth'));
    await linked.of(() => git(join(folder, 'linked'), 'checkout', '-q', '--detach'));
    expect(head.seen).toHaveLength(4);
    expect(served.faults).toEqual([]);
  });

  test('a ref is told when it comes, moves, is packed and moves again, goes, and comes back', async () => {
    const { folder, top, run, commit } = repository();
    const client = await served.client([folder], { revision });
    const ref = await subscribed(client, top, { kind: 'ref', name: 'refs/heads/deep/er/new' });
    await ref.of(() => run('branch', 'deep/er/new'));
    commit();
    await ref.of(() => run('branch', '-f', 'deep/er/new', 'HEAD'));
    // its file goes, its value stays
    await ref.nothingOf(
      () => run('pack-refs', '--all', '--prune'),
      () => run('update-ref', 'refs/heads/deep/er/new', 'HEAD~'),
    );
    run('pack-refs', '--all', '--prune');
    await ref.of(() => {
      // by another program, in the packed refs alone
      const packed = join(top, '.git', 'packed-refs');
      const [head, before] = run('rev-parse', 'main', 'deep/er/new').toString().split('\n');
      const text = readFileSync(packed, 'latin1').replace(
        `${before} refs/heads/deep`,
        `${head} refs/heads/deep`,
      );
      writeFileSync(`${packed}.new`, text);
      renameSync(`${packed}.new`, packed);
    });
    await ref.of(() => run('branch', '-D', 'deep/er/new'));
    await ref.of(() => run('branch', 'deep/er/new'));
    expect(served.faults).toEqual([]);
  });

  test('all refs are told after a branch and a tag, and neither by pack-refs and gc, nor by a lock', async () => {
    const { folder, top, run, commit } = repository();
    for (const name of ['a', 'b/c']) run('branch', name);
    const client = await served.client([folder], { revision });
    const refs = await subscribed(client, top, { kind: 'refs' });
    await refs.of(() => run('tag', 'v1'));
    await refs.nothingOf(() => run('pack-refs', '--all', '--prune'), commit);
    await refs.nothingOf(
      () => run('gc', '-q'),
      () => run('branch', '-D', 'b/c'),
    );
    const lock = join(top, '.git', 'refs', 'heads', 'main.lock');
    await refs.nothingOf(
      () => writeFileSync(lock, 'x'),
      () => {
        rmSync(lock);
        run('branch', 'd');
      },
    );
    // in the file itself, as some other programs write
    const head = run('rev-parse', 'HEAD~').toString();
    await refs.of(() => writeFileSync(join(top, '.git', 'refs', 'heads', 'd'), head));
  });

  test('a fetch is told when it brought something, and not when it did not', async () => {
    const { folder, run, commit, git } = repository();
    const clone = join(folder, 'clone');
    git(folder, 'clone', '-q', 'repo', 'clone');
    const client = await served.client([folder], { revision });
    const refs = await subscribed(client, clone, { kind: 'refs' });
    const status = await subscribed(client, clone, { kind: 'status' });
    const remote = await subscribed(client, clone, { kind: 'ref', name: 'refs/remotes/origin/HEAD' });
    commit();
    // the status has how far it is behind
    await notifiedOf([refs, status, remote], () => git(clone, 'fetch', '-q'));
    git(clone, 'fetch', '-q');
    run('tag', 'v2');
    await refs.of(() => git(clone, 'fetch', '-q', '--tags'));
    expect([refs, status, remote].map(({ seen }) => seen.length)).toEqual([2, 1, 1]);
  });
});

test('what ids name is subscribed to and never told', async () => {
  const { folder, top, run, commit } = repository();
  const client = await served.client([folder]);
  const oid = run('rev-parse', 'HEAD').toString().trim() as never;
  const fixed = await Promise.all(
    [
      { kind: 'commit', oid } as const,
      { kind: 'tree', oid } as const,
      { kind: 'blob', oid } as const,
      { kind: 'diff', from: oid, to: oid } as const,
    ].map((target) => subscribed(client, top, target)),
  );
  const head = await subscribed(client, top, { kind: 'ref', name: 'HEAD' });
  await head.of(commit);
  run('gc', '-q');
  await head.of(commit);
  expect(fixed.flatMap(({ seen }) => seen)).toEqual([]);
});
