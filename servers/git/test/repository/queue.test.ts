import { existsSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ToolError } from '@rootbound/protocol';
import { expect, test } from 'vitest';
import { findLocks, type Lock } from '../../src/repository/locks.ts';
import { openRepository } from '../../src/repository/open.ts';
import { write } from '../../src/repository/queue.ts';
import { command } from '../../src/run/command.ts';
import { findGit } from '../../src/run/git.ts';
import { type Finished, run } from '../../src/run/run.ts';
import { bounded, containments } from './boundary.ts';

const [containment] = containments;
const none = { commonDirs: [] };

/** A repository in `root/repo` with one commit and one file that is not staged, and another one beside it. */
function make() {
  const made = bounded();
  const open = (name: string) => openRepository(made.scope(containment!), join(made.root, name), none);
  for (const name of ['repo', 'other']) {
    made.git(made.root, 'init', name);
    made.git(join(made.root, name), 'commit', '--allow-empty', '-m', 'one');
  }
  made.write('root/repo/file.txt', 'content');
  const repo = join(made.root, 'repo');
  return { ...made, repo, lock: join(repo, '.git', 'index.lock'), open };
}

/** A promise and what settles it, for work that a test holds. */
function gate() {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** Stages the file by the executor, which says when a lock was in the way. */
function add({ repo }: ReturnType<typeof make>): Promise<Finished> {
  const place = { gitDir: join(repo, '.git'), workTree: repo };
  return run(findGit(), command('add', { paths: ['file.txt'] }), { place });
}

test('writes to one repository and its worktrees take turns in the order of the calls', async () => {
  const { root, repo, git, open } = make();
  git(repo, 'worktree', 'add', join(root, 'linked'));
  const events: string[] = [];
  const gates = [gate(), gate(), gate()];
  const writes = ['repo', 'linked', 'repo'].map((name, index) =>
    write(open(name), async () => {
      events.push(`${index} begins`);
      await gates[index]!.opened;
      events.push(`${index} ends`);
    }),
  );
  gates[2]!.open();
  gates[1]!.open();
  // another repository does not wait for this one
  await write(open('other'), async () => void events.push('other'));
  gates[0]!.open();
  await Promise.all(writes);
  expect(events).toEqual(['0 begins', 'other', '0 ends', '1 begins', '1 ends', '2 begins', '2 ends']);
});

test('work that fails gives the turn to the next', async () => {
  const { open } = make();
  const failed = write(open('repo'), () => Promise.reject(new Error('broken')));
  const next = write(open('repo'), async () => 'done');
  await expect(failed).rejects.toThrow('broken');
  await expect(next).resolves.toBe('done');
});

test('a write that is cancelled in line never begins, and those behind it still wait for those before', async () => {
  const { open } = make();
  const events: string[] = [];
  const first = gate();
  const cancelled = new AbortController();
  const running = write(open('repo'), async () => {
    await first.opened;
    events.push('first');
  });
  const leaves = write(open('repo'), async () => void events.push('never'), { signal: cancelled.signal });
  const last = write(open('repo'), async () => void events.push('last'));
  cancelled.abort(new Error('enough'));
  await expect(leaves).rejects.toThrow('enough');
  first.open();
  await Promise.all([running, last]);
  expect(events).toEqual(['first', 'last']);
});

test('a lock of another program is waited for, and the write is done when it is gone', async () => {
  const made = make();
  writeFileSync(made.lock, '');
  const met: (readonly Lock[])[] = [];
  const added = write(made.open('repo'), () => add(made), {
    patienceMs: 600_000,
    onLocked: (locks) => {
      met.push(locks);
      rmSync(made.lock, { force: true });
    },
  });
  await added;
  expect(met.map((locks) => locks.map(({ name }) => name))).toEqual([['index.lock']]);
  expect(made.git(made.repo, 'diff', '--cached', '--name-only').toString()).toBe('file.txt\n');
});

test('a lock that stays is an error that tells its age and is never removed', async () => {
  const made = make();
  writeFileSync(made.lock, '');
  const anHourAgo = Date.now() / 1000 - 3 * 3600;
  utimesSync(made.lock, anHourAgo, anHourAgo);
  const refused = write(made.open('repo'), () => add(made), { patienceMs: 20 });
  await expect(refused).rejects.toMatchObject({
    code: 'locked',
    retryable: true,
    message: "another program holds the repository's lock: index.lock, 3 hours old",
    hint: expect.stringContaining('remove the file by hand'),
  });
  expect(existsSync(made.lock)).toBe(true);
  // the next in line has its turn
  rmSync(made.lock);
  await write(made.open('repo'), () => add(made));
});

test('work that may not be repeated waits for the index before it begins, and runs once', async () => {
  const made = make();
  writeFileSync(made.lock, '');
  let runs = 0;
  const work = async (): Promise<void> => {
    runs++;
    throw new ToolError('a lock', { code: 'locked' });
  };
  await expect(write(made.open('repo'), work, { once: true, patienceMs: 20 })).rejects.toThrow('index.lock');
  expect(runs).toBe(0);
  rmSync(made.lock);
  await expect(write(made.open('repo'), work, { once: true })).rejects.toThrow('a lock');
  expect(runs).toBe(1);
});

test('other failures, and locks that are gone at once, are not waited for without end', async () => {
  const { open } = make();
  let runs = 0;
  const work = async (): Promise<void> => {
    runs++;
    throw new ToolError('a lock that nobody sees', { code: 'locked' });
  };
  await expect(write(open('repo'), work, { patienceMs: 20 })).rejects.toThrow('a lock that nobody sees');
  expect(runs).toBeGreaterThan(1);
});

test('cancelling ends the waiting for a lock', async () => {
  const made = make();
  writeFileSync(made.lock, '');
  const cancelled = new AbortController();
  const waiting = write(made.open('repo'), () => add(made), {
    signal: cancelled.signal,
    patienceMs: 600_000,
    onLocked: () => cancelled.abort(),
  });
  await expect(waiting).rejects.toThrow(/abort/i);
});

test('locks that killed programs left are told with their place, in linked worktrees too', () => {
  const made = make();
  made.git(made.repo, 'worktree', 'add', join(made.root, 'linked'));
  made.write('root/repo/.git/refs/heads/topic/one.lock', '');
  made.write('root/repo/.git/packed-refs.lock', '');
  made.write('root/repo/.git/worktrees/linked/index.lock', '');
  const names = (name: string): string[] => findLocks(made.open(name)).map((lock) => lock.name);
  expect(names('repo')).toEqual(['packed-refs.lock', 'refs/heads/topic/one.lock']);
  expect(names('linked')).toEqual(['index.lock', 'packed-refs.lock', 'refs/heads/topic/one.lock']);
  expect(names('other')).toEqual([]);
});
