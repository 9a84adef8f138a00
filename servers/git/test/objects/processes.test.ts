import { getEventListeners } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ObjectsOptions } from '../../src/repository/objects.ts';
import { findGit } from '../../src/run/git.ts';
import { type Made, openObjects, repository } from './open-objects.ts';

interface Watched extends Made {
  /** the processes that were started, oldest first */
  readonly started: () => number[];
}

/** A repository whose git notes each start, and does at the first one what the script says. */
function watched(atFirst = '', options: Partial<ObjectsOptions> = {}): Watched {
  const made = repository();
  const real = findGit();
  const log = join(made.folder, 'log');
  writeFileSync(log, '');
  const note = `echo $$ >> '${log}'\nif [ "$(wc -l < '${log}')" -eq 1 ]; then :; ${atFirst}\nfi`;
  const path = made.write('git', `#!/bin/sh\n${note}\nexec '${real.path}' "$@"\n`, 0o755);
  const objects = openObjects(made.folder, { git: { ...real, path }, ...options });
  const started = () => readFileSync(log, 'utf8').split('\n').filter(Boolean).map(Number);
  return { ...made, objects, started };
}

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    // there is no such process
    return false;
  }
}

const gone = (pid: number) => expect.poll(() => runs(pid), { timeout: 120_000 }).toBe(false);

test('one process answers all, also those that ask at once', async () => {
  const { objects, head, started } = watched();
  await Promise.all([objects.info('HEAD'), objects.info('HEAD'), objects.read('HEAD', 1000)]);
  expect((await objects.info('HEAD'))?.oid).toBe(head());
  expect(started()).toHaveLength(1);
});

test('a process that nobody asks ends, and the next request starts another', async () => {
  const { objects, head, started } = watched('', { idleMs: 2000 });
  await objects.info('HEAD');
  const [first] = started();
  await gone(first!);
  expect((await objects.info('HEAD'))?.oid).toBe(head());
  expect(started()).toHaveLength(2);
});

test.each([
  ['before it answers', 'exit 1'],
  ['in the middle of an answer', `read line; printf '%s blob 1000\\nabc' ${'a'.repeat(40)}; kill -9 $$`],
  ['after something that is no answer', "read line; echo 'good morning'; sleep 1000"],
])('a process that dies %s is replaced, and what it was asked is asked again', async (_, script) => {
  const { objects, head, started } = watched(script);
  const read = await Promise.all(['HEAD', '@', 'nothing'].map((name) => objects.read(name, 1000)));
  expect(read.map((contents) => contents?.oid)).toEqual([head(), head(), undefined]);
  expect(started()).toHaveLength(2);
});

test('a process that was killed between two requests is replaced', async () => {
  const { objects, head, started } = watched();
  await objects.info('HEAD');
  process.kill(started()[0]!, 'SIGKILL');
  expect((await objects.info('HEAD'))?.oid).toBe(head());
});

test('a request that git dies of fails alone, after it was tried twice', async () => {
  const { objects, head, started } = watched();
  const names = ['HEAD', 'HEAD@{99}', 'HEAD', 'HEAD@{98}', 'HEAD'];
  const settled = await Promise.allSettled(names.map((name) => objects.info(name)));
  expect(settled.map((end) => (end.status === 'fulfilled' ? end.value?.oid : end.reason.code))).toEqual([
    ...[head(), 'git-failed', head(), 'git-failed', head()],
  ]);
  expect(started()).toHaveLength(5);
});

test('a git that cannot answer at all fails every request, and is not started for each', async () => {
  const { folder, git, objects, started } = watched();
  git(folder, 'config', 'core.repositoryFormatVersion', '99');
  const settled = await Promise.allSettled(Array.from({ length: 50 }, () => objects.info('HEAD')));
  expect(new Set(settled.map((end) => end.status))).toEqual(new Set(['rejected']));
  expect(started()).toHaveLength(2);
});

test('a git that does not answer is stopped, and the requests behind the first are answered by the next', async () => {
  const { objects, head, started } = watched('exec sleep 1000', { idleMs: 2000 });
  const [first, second] = await Promise.allSettled([objects.info('HEAD'), objects.info('HEAD')]);
  expect(first).toMatchObject({ status: 'rejected', reason: { code: 'timeout' } });
  expect(second).toMatchObject({ status: 'fulfilled', value: { oid: head() } });
  expect(runs(started()[0]!)).toBe(false);
});

test('closing ends also a git that does not end by itself', async () => {
  const { objects, started } = watched('exec sleep 1000', { idleMs: 200 });
  const asked = objects.info('HEAD');
  const closed = objects.close();
  await expect(asked).rejects.toMatchObject({ code: 'timeout' });
  await closed;
  expect(runs(started()[0]!)).toBe(false);
});

test('a cancelled request leaves the others whole', async () => {
  const { objects, head, blob, started } = watched();
  const large = blob('x'.repeat(1 << 20));
  const stop = new AbortController();
  const asked = [
    objects.info('HEAD'),
    objects.read(large, 1 << 21, stop.signal),
    objects.info('nothing', stop.signal),
    objects.info('HEAD'),
  ];
  stop.abort(new Error('enough'));
  const settled = await Promise.allSettled(asked);
  const reason = new Error('enough');
  expect(settled).toMatchObject([
    { value: { oid: head() } },
    { status: 'rejected', reason },
    { status: 'rejected', reason },
    { value: { oid: head() } },
  ]);
  await expect(objects.info('HEAD', stop.signal)).rejects.toThrow('enough');
  expect((await objects.read(large, 1 << 21))?.bytes).toHaveLength(1 << 20);
  expect(started()).toHaveLength(1);
});

test('a signal has one listener for all that wait for it, and none afterwards', async () => {
  const { objects, head } = repository();
  const stop = new AbortController();
  const listeners = () => getEventListeners(stop.signal, 'abort').length;
  const asked = Array.from({ length: 20 }, () => objects.info('HEAD', stop.signal));
  expect(listeners()).toBe(1);
  expect((await Promise.all(asked)).map((info) => info?.oid)).toEqual(asked.map(() => head()));
  expect(listeners()).toBe(0);
  const abandoned = Promise.allSettled([1, 2].map(() => objects.info('HEAD', stop.signal)));
  stop.abort(new Error('enough'));
  expect(await abandoned).toMatchObject([1, 2].map(() => ({ reason: new Error('enough') })));
  expect(listeners()).toBe(0);
});

test('closing answers what was asked, ends the process and refuses the rest', async () => {
  const { objects, head, started } = watched();
  const asked = objects.info('HEAD');
  await objects.close();
  expect((await asked)?.oid).toBe(head());
  expect(runs(started()[0]!)).toBe(false);
  await expect(objects.info('HEAD')).rejects.toMatchObject({ code: 'cancelled' });
});
