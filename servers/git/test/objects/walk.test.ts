import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tenth } from '../../../../test/extent.ts';
import type { Objects } from '../../src/repository/objects.ts';
import { MAX_WALK, walk } from '../../src/repository/walk.ts';
import { toOid } from '../../src/run/oid.ts';
import { random } from '../porcelain/random.ts';
import { scratch } from '../scratch.ts';
import { openObjects, repository } from './open-objects.ts';

type GitOf = ReturnType<typeof scratch>['git'];

/** Returns the output of `git log`: each commit with its parents and subject, and whether more follow. */
function logged(git: GitOf, folder: string, from: string, count: number) {
  const all = git(folder, 'log', '-z', `-n${count + 1}`, '--format=%H %P%x09%s', from).toString();
  const lines = all.split('\0').filter(Boolean);
  return { lines: lines.slice(0, count), more: lines.length > count };
}

async function walked(objects: Objects, from: string, count: number) {
  const found = await walk(objects, toOid(from), count);
  return (
    found && {
      lines: found.commits.map(
        ({ oid, commit, parents }) => `${oid} ${parents.join(' ')}\t${commit.message.trim()}`,
      ),
      more: found.more,
    }
  );
}

/** A history for `git fast-import`: merges, also of many, roots of their own, equal dates and clocks that go wrong. */
function generate(seed: number, commits: number): string {
  const next = random(seed);
  const skew = [1, 60, 100_000][next(3)]!;
  const merges = [3, 10, 50][next(3)]!;
  let stream = '';
  for (let mark = 1; mark <= commits; mark++) {
    const date = 1_700_000_000 + (mark * 60 + next(skew) - next(skew)) * (next(4) === 0 ? 0 : 1);
    const back = () => Math.max(1, mark - 1 - next(next(5) === 0 ? 30 : 3));
    const parents = new Set(mark === 1 || next(40) === 0 ? [] : [back()]);
    if (parents.size > 0) while (next(merges) === 0) parents.add(back());
    const [first, ...others] = parents;
    const who = `A <a@example.org> ${date} +0000`;
    // a branch of its own for each: a new one begins without parents
    stream += `commit refs/heads/h${seed}-${mark}\nmark :${mark}\nauthor ${who}\ncommitter ${who}\n`;
    stream += `data <<E\nc${mark}\nE\n${first === undefined ? '' : `from :${first}\n`}`;
    stream += others.map((other) => `merge :${other}\n`).join('');
  }
  return stream;
}

test.each([
  ['as it is', false],
  ['with a commit-graph', true],
])('a history %s is walked in the order of git log', async (_, graph) => {
  const { folder, git } = scratch();
  git(folder, 'init', '-q');
  const histories = tenth(40);
  for (let seed = 0; seed < histories; seed++)
    git(folder, 'fast-import', '--quiet', '--force', { input: generate(seed, 60) });
  if (graph) git(folder, 'commit-graph', 'write', '--reachable');
  git(folder, 'pack-refs', '--all');
  const objects = openObjects(folder);
  const next = random(7);
  for (let seed = 0; seed < histories; seed++) {
    const [mark, count] = [60 - next(20), 1 + next(MAX_WALK)];
    const from = (await objects.info(`h${seed}-${mark}`))!.oid;
    expect(await walked(objects, from, count)).toEqual(logged(git, folder, from, count));
  }
});

test('a walk ends where a shallow clone does, and goes on when the clone is deepened', async () => {
  const { folder, git, head, commit } = repository();
  for (let index = 0; index < 9; index++) commit(`more ${index}`);
  const clone = join(folder, 'clone');
  git(folder, 'clone', '-q', '--depth=3', `file://${folder}`, clone);
  const objects = openObjects(clone);
  const cut = await walked(objects, head(), 20);
  expect([cut, cut?.lines.length]).toEqual([logged(git, clone, 'HEAD', 20), 3]);
  expect(await objects.info('HEAD~5')).toBeUndefined();
  git(clone, 'fetch', '-q', '--unshallow');
  const whole = await walked(objects, head(), 20);
  expect([whole, whole?.lines.length]).toEqual([logged(git, clone, 'HEAD', 20), 10]);
  expect(await objects.info('HEAD~5')).toBeDefined();
});

test('what only git can tell is left to it: grafts, dates that it reads in its own way, and damage', async () => {
  const { folder, git, objects, head } = repository();
  const write = (text: string) =>
    git(folder, 'hash-object', '-t', 'commit', '-w', '--literally', '--stdin', { input: text })
      .toString()
      .trim();
  const tree = `tree ${git(folder, 'mktree').toString()}`;
  const author = 'author A <a@example.org> 1 +0000\n';
  for (const text of [
    `${tree}${author}committer A <a@example.org> 17179869184 +0000\n\nfar future\n`,
    `${tree}${author}committer A <a@example.org> -1 +0000\n\nbefore all\n`,
    `${tree}${author}committer A <a> <b> 1 +0000\n\ntwo mails\n`,
    `${tree}committer A <a@example.org> 1 +0000\n\nno author\n`,
    `${tree}parent ${'1'.repeat(40)}\n${author}committer A <a@example.org> 1 +0000\n\nno parent\n`,
    `${tree}${author}committer A <a@example.org> 1 +0000\n\n${'x'.repeat(300_000)}\n`,
  ])
    expect(await walk(objects, toOid(write(text)), 2)).toBeUndefined();
  expect(await walk(objects, head(), 2)).toBeDefined();
  mkdirSync(join(folder, '.git/info'), { recursive: true });
  writeFileSync(join(folder, '.git/info/grafts'), `${head()}\n`);
  expect(await walk(objects, head(), 2)).toBeUndefined();
});

test('a walk takes no more than it is for', async () => {
  const { objects, head } = repository();
  await expect(walk(objects, head(), MAX_WALK + 1)).rejects.toThrow(RangeError);
});
