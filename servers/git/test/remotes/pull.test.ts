import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { allRevisions, call, Served } from '../harness.ts';
import { clientOf, pairs } from './pair.ts';
import { httpRemote } from './serving.ts';

const served = new Served();
const pair = pairs();

describe.each(allRevisions)('git_pull at %s', (revision) => {
  test('moves the branch and its files forward to what the upstream has', async () => {
    const here = pair();
    const { address } = await httpRemote(here.shared);
    const client = await clientOf(served, here, `${address}/bare.git`, { revision });
    const [one, two] = [here.idOf(here.work, 'HEAD'), here.commitThere('two')];
    const { text, failed } = await call(client, 'git_pull');
    expect([failed, text.split('\n').at(-1)]).toEqual([
      false,
      `fast-forwarded: main: ${one.slice(0, 12)} -> ${two.slice(0, 12)}`,
    ]);
    expect(here.idOf(here.work, 'HEAD')).toBe(two);
  });
});

test('what has diverged is fetched and left, until a strategy is named', async () => {
  const here = pair();
  const { address } = await httpRemote(here.shared);
  const client = await clientOf(served, here, `${address}/bare.git`);
  const theirs = here.commitThere('theirs');
  const ours = here.commitHere('ours');
  const left = await call(client, 'git_pull');
  expect([left.code, left.text]).toEqual(['non-fast-forward', expect.stringContaining('it is fetched')]);
  expect([here.idOf(here.work, 'HEAD'), here.idOf(here.work, 'origin/main')]).toEqual([ours, theirs]);
  const stale = await call(client, 'git_pull', { expected_head: 'HEAD~1', strategy: 'merge' });
  expect(stale.code).toBe('moved');
  const merged = await call(client, 'git_pull', { strategy: 'merge' });
  expect(merged.facts).toMatchObject({ state: 'done', before: ours, fetched: theirs, remote: 'origin' });
  expect(here.git(here.work, 'log', '-1', '--format=%s %P').toString()).toBe(
    `Merge remote-tracking branch 'origin/main' ${ours} ${theirs}\n`,
  );
  here.git(here.work, 'reset', '-q', '--hard', ours);
  const rebased = await call(client, 'git_pull', { strategy: 'rebase' });
  expect(rebased.facts).toMatchObject({ state: 'done', before: ours });
  expect(here.idOf(here.work, 'HEAD~1')).toBe(theirs);
});

test('files with changes of their own stay, and nothing moves', async () => {
  const here = pair();
  const { address } = await httpRemote(here.shared);
  const client = await clientOf(served, here, `${address}/bare.git`);
  const blob = here.git(here.bare, 'hash-object', '-w', '--stdin', { input: 'two\n' }).toString().trim();
  const tree = here
    .git(here.bare, 'mktree', { input: `100644 blob ${blob}\tfile.txt\n` })
    .toString()
    .trim();
  const two = here.git(here.bare, 'commit-tree', '-p', 'main', '-m', 'two', tree).toString().trim();
  here.git(here.bare, 'update-ref', 'refs/heads/main', two);
  here.write(`${here.work.slice(here.folder.length + 1)}/file.txt`, 'mine\n');
  const one = here.idOf(here.work, 'HEAD');
  expect((await call(client, 'git_pull')).code).toBe('local-changes');
  expect([here.idOf(here.work, 'HEAD'), readFileSync(join(here.work, 'file.txt'), 'utf8')]).toEqual([
    one,
    'mine\n',
  ]);
});

test('a branch without upstream, and no branch, have nothing to pull', async () => {
  const here = pair();
  const { address } = await httpRemote(here.shared);
  const client = await clientOf(served, here, `${address}/bare.git`);
  here.git(here.work, 'switch', '-qc', 'topic');
  expect((await call(client, 'git_pull')).code).toBe('no-upstream');
  here.git(here.work, 'switch', '-q', '--detach');
  expect((await call(client, 'git_pull')).code).toBe('no-upstream');
  const two = here.commitThere('two');
  expect((await call(client, 'git_pull', { remote: 'origin', branch: 'main' })).facts.after).toBe(two);
});
