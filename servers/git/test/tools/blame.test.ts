import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { jsonBytes } from '@rootbound/kit/budget';
import { allRevisions } from '@rootbound/protocol';
import { describe, expect, test } from 'vitest';
import { call, Served, structuredRevisions } from '../harness.ts';
import { type Scratch, scratch } from '../scratch.ts';

interface Facts {
  commit?: string;
  runs: { start: number; count: number; commit?: string; from_line: number; from_path?: string }[];
  commits: { oid: string; author: { name: string; date?: string }; subject: string; boundary?: boolean }[];
  truncated: boolean;
  next_cursor?: string;
}

const served = new Served();

/** A file of three lines by two commits, with a fourth that has none. */
function blamed(): Scratch & { first: string; second: string } {
  const made = scratch();
  const { folder, git, write } = made;
  const commit = (message: string) => {
    git(folder, 'add', '.');
    git(folder, 'commit', '-qm', message);
    return git(folder, 'rev-parse', 'HEAD').toString().trim();
  };
  git(folder, 'init', '-q');
  write('a', 'one\ntwo\n');
  const first = commit('first');
  write('a', 'one\ntwo\nthree\n');
  const second = commit('second');
  write('a', 'one\ntwo\nthree\nfour\n');
  return { ...made, first, second };
}

describe.each(allRevisions)('in %s', (revision) => {
  test('each line is of a commit, or of none yet', async () => {
    const { folder, first, second } = blamed();
    const client = await served.client([folder], { revision });
    const { text, facts } = await call<Facts>(client, 'git_blame', { path: 'a' });
    expect(text).toBe(
      `a in the work tree\n1-2 ${first.slice(0, 12)} 2026-01-01 Ann Example: first\n3 ${second.slice(0, 12)} 2026-01-01 Ann Example: second\n4 not committed yet`,
    );
    if (structuredRevisions.includes(revision))
      expect(facts).toMatchObject({
        runs: [
          { start: 1, count: 2, commit: first, from_line: 1 },
          { start: 3, count: 1, commit: second, from_line: 3 },
          { start: 4, count: 1, from_line: 4 },
        ],
        commits: [
          { oid: first, author: { name: 'Ann Example' }, subject: 'first' },
          { oid: second, subject: 'second' },
        ],
        truncated: false,
      });
  });
});

test('lines are counted in the whole file, also in a range and at a revision', async () => {
  const { folder, first, second } = blamed();
  const client = await served.client([folder]);
  const runsOf = async (args: Record<string, unknown>) =>
    (await call<Facts>(client, 'git_blame', { path: 'a', ...args })).facts.runs.map(
      ({ start, count, commit }) => [start, count, commit],
    );
  expect(await runsOf({ start_line: 2, end_line: 3 })).toEqual([
    [2, 1, first],
    [3, 1, second],
  ]);
  expect(await runsOf({ revision: 'HEAD~1' })).toEqual([[1, 2, first]]);
  expect(await runsOf({ revision: 'HEAD', ignore_revisions: [first, second] })).toHaveLength(2);
});

test('parts that fit the budget name each line once, and a cursor is of one call at one commit', async () => {
  const { folder, git, write } = scratch();
  git(folder, 'init', '-q');
  const lines: string[] = [];
  for (let index = 0; index < 40; index++) {
    lines.push(`line ${index}`);
    write('a', `${lines.join('\n')}\n`);
    git(folder, 'add', '.');
    git(folder, 'commit', '-qm', `commit ${index} with "quotes"`);
  }
  const client = await served.client([folder], { maxOutput: 2048 });
  const seen: number[] = [];
  const cursors: string[] = [];
  let cursor: string | undefined;
  do {
    const args = { path: 'a', revision: 'HEAD', start_line: 3, ...(cursor !== undefined && { cursor }) };
    const { facts, text } = await call<Facts>(client, 'git_blame', args);
    expect(Math.max(Buffer.byteLength(JSON.stringify(facts)), jsonBytes(text))).toBeLessThanOrEqual(2048);
    seen.push(
      ...facts.runs.flatMap(({ start, count }) => Array.from({ length: count }, (_, at) => start + at)),
    );
    cursor = facts.next_cursor;
    if (cursor !== undefined) cursors.push(cursor);
  } while (cursor !== undefined);
  expect(seen).toEqual(Array.from({ length: 38 }, (_, index) => index + 3));
  git(folder, 'commit', '-q', '--allow-empty', '-m', 'more');
  const stale = { path: 'a', revision: 'HEAD', start_line: 3, cursor: cursors[0] };
  expect((await call(client, 'git_blame', stale)).code).toBe('invalid-cursor');
});

test('a file that was renamed tells the name that a line had', async () => {
  const { folder, git } = blamed();
  git(folder, 'mv', 'a', 'b');
  git(folder, 'commit', '-qam', 'renamed');
  const client = await served.client([folder]);
  const { facts, text } = await call<Facts>(client, 'git_blame', { path: 'b', end_line: 1 });
  expect(facts.runs).toMatchObject([{ start: 1, count: 1, from_path: 'a' }]);
  expect(text).toContain(': first (a 1)');
});

test('an empty file has no lines, and a bare repository is blamed at HEAD', async () => {
  const { folder, git, write, second } = blamed();
  write('empty', '');
  git(folder, 'add', 'empty');
  const client = await served.client([folder]);
  expect((await call(client, 'git_blame', { path: 'empty' })).text).toBe('empty in the work tree\nno lines');
  git(folder, 'clone', '-q', '--bare', '.', 'bare');
  rmSync(`${folder}/.git`, { recursive: true });
  const bare = await served.client([`${folder}/bare`]);
  expect((await call<Facts>(bare, 'git_blame', { path: 'a' })).facts.commit).toBe(second);
});

test('where a shallow clone ends, lines may be older', async () => {
  const { folder, git } = blamed();
  git(folder, 'clone', '-q', '--depth=1', `file://${folder}`, 'clone');
  const client = await served.client([`${folder}/clone`]);
  const { facts, text } = await call<Facts>(client, 'git_blame', { path: 'a' });
  expect(facts.commits).toMatchObject([{ subject: 'second', boundary: true }]);
  expect(text).toContain(' ^');
});

test('a folder that became a link to outside is not followed', async () => {
  const [{ folder, git, write }, outside] = [scratch(), scratch()];
  git(folder, 'init', '-q');
  mkdirSync(`${folder}/dir`);
  write('dir/a', 'one\n');
  git(folder, 'add', '.');
  git(folder, 'commit', '-qm', 'first');
  outside.write('a', 'secret\nsecret\n');
  renameSync(`${folder}/dir`, `${folder}/was`);
  symlinkSync(outside.folder, `${folder}/dir`);
  const client = await served.client([folder]);
  expect((await call(client, 'git_blame', { path: 'dir/a' })).code).toBe('not-found');
  expect((await call(client, 'git_blame', { path: 'dir/a', revision: 'HEAD' })).failed).toBe(false);
});

test('nothing that a caller names becomes an option, and what is not there is said', async () => {
  const { folder, git, write } = blamed();
  write('--contents=x', 'one\n');
  git(folder, 'add', '.');
  const client = await served.client([folder]);
  const codeOf = async (args: Record<string, unknown>) => (await call(client, 'git_blame', args)).code;
  expect(await codeOf({ path: '--contents=x' })).toBeUndefined();
  expect(await codeOf({ path: 'a', revision: '--contents=x' })).toBe('invalid-revision');
  expect(await codeOf({ path: 'a', ignore_revisions: ['-x'] })).toBe('invalid-revision');
  expect(await codeOf({ path: 'nothing' })).toBe('not-found');
  expect(await codeOf({ path: 'nothing', revision: 'HEAD' })).toBe('unknown-path');
  expect(await codeOf({ path: 'a', start_line: 3, end_line: 2 })).toBe('invalid-arguments');
  const far = await call(client, 'git_blame', { path: 'a', start_line: 100 });
  expect([far.failed, far.text]).toEqual([true, expect.stringContaining('has only 4 lines')]);
});
