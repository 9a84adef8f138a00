import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allRevisions } from '@rootbound/protocol';
import { describe, expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { scratch } from '../scratch.ts';

const served = new Served();
const { folder, git } = scratch();

/** Eight commits in a row. */
function repository(name: string): string {
  const path = join(folder, name);
  git(folder, 'init', '-q', path);
  for (let count = 0; count < 8; count++) {
    writeFileSync(join(path, 'a'), `${count}\n`);
    git(path, 'add', 'a');
    git(path, 'commit', '-qm', String(count));
  }
  return path;
}

const idOf = (path: string, revision: string): string => git(path, 'rev-parse', revision).toString().trim();

describe.each(allRevisions)('git_bisect at %s', (revision) => {
  test('checks out the commit to test, and goes back', async () => {
    const path = repository(`begun-${revision}`);
    const client = await served.client([path], { revision });
    const { text } = await call(client, 'git_bisect', { action: 'start', good: ['HEAD~7'] });
    expect(text).toContain(`at ${idOf(path, 'main~4').slice(0, 12)} (3 left after it, about 2 steps)`);
    expect(idOf(path, 'HEAD')).toBe(idOf(path, 'main~4'));
    await call(client, 'git_bisect', { action: 'reset' });
    expect(git(path, 'symbolic-ref', 'HEAD').toString()).toBe('refs/heads/main\n');
  });
});

test('the culprit is told', async () => {
  const path = repository('found');
  const client = await served.client([path]);
  const culprit = idOf(path, 'main~2');
  let { facts } = await call(client, 'git_bisect', { action: 'start', good: ['HEAD~7'] });
  for (let tries = 0; facts.state === 'testing' && tries < 5; tries++) {
    const isBad = git(path, 'rev-list', 'HEAD').toString().includes(culprit);
    ({ facts } = await call(client, 'git_bisect', { action: isBad ? 'bad' : 'good' }));
  }
  expect(facts).toMatchObject({ state: 'found', found: culprit });
  expect((await call(client, 'git_bisect', { action: 'reset' })).facts).toMatchObject({
    state: 'ended',
    branch: 'main',
  });
});

test('one step is told as one', async () => {
  const path = repository('few');
  const client = await served.client([path]);
  const { text } = await call(client, 'git_bisect', { action: 'start', good: ['HEAD~3'] });
  expect(text).toContain('(0 left after it, about 1 step)');
});

test('where only skipped commits are left, that is told', async () => {
  const path = repository('skipped');
  const client = await served.client([path]);
  await call(client, 'git_bisect', { action: 'start', good: ['HEAD~2'] });
  const { facts } = await call(client, 'git_bisect', { action: 'skip' });
  expect(facts).toMatchObject({ state: 'only-skipped' });
});

test('a start that files are in the way of leaves no bisect behind', async () => {
  const path = repository('dirty');
  writeFileSync(join(path, 'a'), 'mine\n');
  const client = await served.client([path]);
  const { code } = await call(client, 'git_bisect', { action: 'start', good: ['HEAD~7'] });
  expect(code).toBe('local-changes');
  expect((await call(client, 'git_bisect', { action: 'reset' })).code).toBe('unknown-revision');
  expect(git(path, 'symbolic-ref', 'HEAD').toString()).toBe('refs/heads/main\n');
});

test('what makes no sense is refused, and so is a root that may only be read', async () => {
  const path = repository('refused');
  const client = await served.client([path]);
  expect((await call(client, 'git_bisect', { action: 'good' })).code).toBe('unknown-revision');
  expect((await call(client, 'git_bisect', { action: 'start' })).code).toBe('invalid-arguments');
  const option = { action: 'start', bad: '--term-new=x', good: ['HEAD~1'] };
  expect((await call(client, 'git_bisect', option)).code).toBe('invalid-revision');
  const closed = await served.client([{ path, readOnly: true }]);
  const args = { action: 'start', good: ['HEAD~1'] };
  expect((await call(closed, 'git_bisect', args)).code).toBe('read-only');
});

test('an ignored file is not written over by a commit that has one of its name', async () => {
  const path = repository('ignoring');
  writeFileSync(join(path, 'x.env'), 'old\n');
  git(path, 'add', 'x.env');
  git(path, 'commit', '-qm', 'with it');
  git(path, 'rm', '-q', 'x.env');
  writeFileSync(join(path, '.gitignore'), '*.env\n');
  git(path, 'add', '.');
  git(path, 'commit', '-qm', 'without it');
  git(path, 'commit', '-qm', 'more', '--allow-empty');
  writeFileSync(join(path, 'x.env'), 'mine\n');
  const client = await served.client([path]);
  const { code, text } = await call(client, 'git_bisect', { action: 'start', good: ['HEAD~2'] });
  expect([code, text]).toEqual(['local-changes', expect.stringContaining('x.env')]);
});
