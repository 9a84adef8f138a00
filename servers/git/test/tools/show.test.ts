import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bytesOf } from '@rootbound/kit/budget';
import { allRevisions } from '@rootbound/protocol';
import type { Client } from '@rootbound/protocol/client';
import { describe, expect, test } from 'vitest';
import { call, Served, structuredRevisions } from '../harness.ts';
import { States } from '../porcelain/changed-states.ts';
import { type Scratch, scratch } from '../scratch.ts';
import { full, seeds } from '../seeds.ts';

const served = new Served();

interface Visible {
  type: string;
  oid: string;
  message?: string;
  files?: { path: string; change: string; from?: string; added?: number; deleted?: number }[];
  entries?: { name: string }[];
  patch?: string;
  content?: string;
  lossy?: boolean;
  cut?: boolean;
  total?: number;
  truncated: boolean;
  next_cursor?: string;
}

/** Two commits: one file, then it and another, with a message of two paragraphs. */
function twoCommits(): Scratch & { oid(name: string): string } {
  const made = scratch();
  const { folder, git, write } = made;
  git(folder, 'init', '-q');
  write('a', 'one\ntwo\n');
  git(folder, 'add', '--all');
  git(folder, 'commit', '-qm', 'first');
  write('a', 'one\n2\n');
  write('b c', 'new\n');
  git(folder, 'add', '--all');
  git(folder, 'commit', '-qm', 'second\nline\n\nbody');
  return { ...made, oid: (name) => git(folder, 'rev-parse', name).toString().trim() };
}

/** All pages of a call, each within the limit. */
async function pagesOf(client: Client, args: Record<string, unknown>, maxOutput: number): Promise<Visible[]> {
  const pages: Visible[] = [];
  let cursor: string | undefined;
  do {
    const given = { ...args, ...(cursor !== undefined && { cursor }) };
    const { facts, text, failed } = await call<Visible>(client, 'git_show', given);
    expect([failed, failed ? text : '']).toEqual([false, '']);
    expect(bytesOf({ structured: facts, text })).toBeLessThanOrEqual(maxOutput);
    expect(facts.truncated).toBe(facts.next_cursor !== undefined);
    pages.push(facts);
    cursor = facts.next_cursor;
  } while (cursor !== undefined);
  return pages;
}

const joined = (pages: readonly Visible[], key: 'patch' | 'content' | 'message') =>
  pages.map((page) => page[key] ?? '').join('');

describe.each(allRevisions)('in %s', (revision) => {
  test('a commit is shown with who made it, its files and the patch of git', async () => {
    const { folder, git, oid } = twoCommits();
    const client = await served.client([folder], { revision });
    const { text, facts, failed } = await call<Visible>(client, 'git_show', { revision: 'HEAD' });
    const patch = git(folder, 'show', '--format=', '--full-index', 'HEAD').toString();
    const short = git(folder, 'show', '--format=', '--abbrev=12', 'HEAD').toString();
    const head = [
      `commit ${oid('HEAD').slice(0, 12)}`,
      'Author: Ann Example <ann@example.org>, 2026-01-01T00:05:00+00:00',
      '',
      '    second',
      '    line',
      '',
      '    body',
      '',
      'M a',
      'A b c',
      '',
    ];
    expect([failed, text]).toEqual([false, `${head.join('\n')}\n${short}`]);
    if (!structuredRevisions.includes(revision)) return;
    expect(facts).toEqual({
      type: 'commit',
      oid: oid('HEAD'),
      tree: oid('HEAD^{tree}'),
      parents: [oid('HEAD~')],
      author: 'Ann Example <ann@example.org>',
      date: '2026-01-01T00:05:00+00:00',
      message: 'second\nline\n\nbody',
      files: [
        { path: 'a', change: 'modified' },
        { path: 'b c', change: 'added' },
      ],
      total: 2,
      patch,
      truncated: false,
    });
  });
});

test('without the patch the lines of each file are counted', async () => {
  const { folder, git, write } = twoCommits();
  write('bin', Buffer.from('\0\xff', 'latin1'));
  write('a', 'one\n2\n', 0o755);
  git(folder, 'add', '--all');
  git(folder, 'commit', '-qm', 'third');
  const client = await served.client([folder]);
  const before = await call<Visible>(client, 'git_show', { revision: 'HEAD~', stat_only: true });
  expect(before.facts.files).toEqual([
    { path: 'a', change: 'modified', added: 1, deleted: 1 },
    { path: 'b c', change: 'added', added: 1, deleted: 0 },
  ]);
  expect(before.facts.patch).toBeUndefined();
  expect(before.text).toContain('\nM a +1 -1\nA b c +1 -0\n');
  const { text, facts } = await call<Visible>(client, 'git_show', { revision: 'HEAD', stat_only: true });
  expect(facts.files).toMatchObject([{ path: 'bin', change: 'added', binary: true }]);
  expect(text).toContain('\nA bin (binary)\n');
});

test('paths and context choose what of the patch is shown', async () => {
  const { folder, git } = twoCommits();
  const client = await served.client([folder]);
  const args = { revision: 'HEAD', paths: ['a'], context_lines: 0 };
  const { facts } = await call<Visible>(client, 'git_show', args);
  expect(facts.files).toEqual([{ path: 'a', change: 'modified' }]);
  expect(facts.patch).toBe(
    git(folder, 'show', '--format=', '--full-index', '--unified=0', 'HEAD', '--', 'a').toString(),
  );
});

test('a root commit is compared with nothing, and a merge, by its word, with its first parent', async () => {
  const { folder, git, write, oid } = twoCommits();
  git(folder, 'switch', '-qc', 'side', 'HEAD~');
  write('side', 'x\n');
  git(folder, 'add', '--all');
  git(folder, 'commit', '-qm', 'side');
  git(folder, 'switch', '-q', 'main');
  git(folder, 'merge', '-q', '-m', 'merged', 'side');
  const client = await served.client([folder]);
  const root = await call<Visible>(client, 'git_show', { revision: 'HEAD~2' });
  expect(root.facts.patch).toBe(git(folder, 'show', '--format=', '--full-index', 'HEAD~2').toString());
  const merge = await call<Visible>(client, 'git_show', { revision: 'HEAD' });
  const parents = [oid('HEAD^1'), oid('HEAD^2')];
  expect(merge.facts).toMatchObject({ parents, total: 1 });
  const short = parents.map((parent) => parent.slice(0, 12));
  expect(merge.text).toContain(`\nMerge:  ${short.join(' ')}\n`);
  expect(merge.text).toContain(`\nAgainst: ${short[0]}, its first parent\n`);
  expect(merge.facts.patch).toBe(git(folder, 'diff', '--full-index', 'HEAD^1', 'HEAD').toString());
});

test('an annotated tag is told with the commit that it is of', async () => {
  const { folder, git, oid } = twoCommits();
  git(folder, 'tag', '-a', 'v1', '-m', 'release\n\nnotes');
  const client = await served.client([folder]);
  const { facts, text } = await call<Visible & { tag: object }>(client, 'git_show', { revision: 'v1' });
  expect(facts).toMatchObject({
    type: 'commit',
    oid: oid('HEAD'),
    tag: { name: 'v1', oid: oid('v1'), tagger: 'Ann Example <ann@example.org>', message: 'release\n\nnotes' },
  });
  expect(text).toMatch(/^tag v1 [0-9a-f]{12}\nTagger: Ann Example .*\n\n {4}release\n\n {4}notes\n\ncommit /);
});

test('a folder is listed and a file is shown as they are at a revision', async () => {
  const { folder, oid } = twoCommits();
  writeFileSync(join(folder, 'a'), 'not committed\n');
  const client = await served.client([folder]);
  const tree = await call<Visible>(client, 'git_show', { revision: 'HEAD:' });
  expect(tree.facts).toEqual({
    type: 'tree',
    oid: oid('HEAD^{tree}'),
    entries: [
      { mode: '100644', type: 'blob', oid: oid('HEAD:a'), name: 'a' },
      { mode: '100644', type: 'blob', oid: oid('HEAD:b c'), name: 'b c' },
    ],
    total: 2,
    truncated: false,
  });
  expect(tree.text).toContain(`\n100644 blob ${oid('HEAD:a').slice(0, 12)} a\n`);
  const blob = await call<Visible>(client, 'git_show', { revision: 'HEAD~:a' });
  expect([blob.text, blob.facts.content]).toEqual(['one\ntwo\n', 'one\ntwo\n']);
});

test('the objects of a repository whose names are of 256 bits are shown too', async () => {
  const { folder, git, write } = scratch();
  git(folder, 'init', '-q', '--object-format=sha256');
  write('a', 'x\n');
  git(folder, 'add', '--all');
  git(folder, 'commit', '-qm', 'first');
  const client = await served.client([folder]);
  const { facts } = await call<Visible>(client, 'git_show', { revision: 'HEAD' });
  expect([facts.oid.length, facts.patch]).toEqual([
    64,
    git(folder, 'show', '--format=', '--full-index', 'HEAD').toString(),
  ]);
});

test('bytes that are no UTF-8 do not lose the patch, and are told', async () => {
  const { folder, git, write } = scratch();
  git(folder, 'init', '-q');
  write('a', Buffer.from('caf\xe9\nüber\n', 'latin1'));
  git(folder, 'add', '--all');
  git(folder, 'commit', '-qm', 'first');
  const client = await served.client([folder]);
  const { facts } = await call<Visible>(client, 'git_show', { revision: 'HEAD' });
  expect(facts.patch).toContain('\n+café\n+über\n');
  expect(facts.lossy).toBe(true);
  const blob = await call<Visible>(client, 'git_show', { revision: 'HEAD:a' });
  expect([blob.facts.content, blob.facts.lossy]).toEqual(['café\nüber\n', true]);
});

test('a commit in another encoding is told in ours, with its own named', async () => {
  const { folder, git } = scratch();
  git(folder, 'init', '-q');
  const input = Buffer.from('caf\xe9', 'latin1');
  git(folder, '-c', 'i18n.commitEncoding=ISO-8859-1', 'commit', '-q', '--allow-empty', '-F', '-', { input });
  const client = await served.client([folder]);
  const { facts } = await call<Visible>(client, 'git_show', { revision: 'HEAD' });
  expect(facts).toMatchObject({ message: 'café', encoding: 'ISO-8859-1' });
});

const chosen = seeds(8);

test.each(chosen)('the pages of a commit are all of it, each once, in state %i', async (seed) => {
  const states = new States(seed);
  states.change(14);
  states.commit();
  states.change(14);
  const message = `subject ${'ü'.repeat(30)}\n\n${'a line of the message\n'.repeat(60)}end`;
  const oid = states.commit(message);
  const whole = await call<Visible>(await served.client([states.folder]), 'git_show', { revision: oid });
  expect(whole.facts.truncated).toBe(false);
  for (const maxOutput of [1100, 1200, 3000, 8000]) {
    const client = await served.client([states.folder], { maxOutput });
    const pages = await pagesOf(client, { revision: oid }, maxOutput);
    if (maxOutput < 2000) expect(pages.length).toBeGreaterThan(3);
    expect(joined(pages, 'message')).toBe(message);
    expect(pages.flatMap(({ files = [] }) => files)).toEqual(whole.facts.files);
    expect(joined(pages, 'patch')).toBe(whole.facts.patch);
  }
});

test('long names and messages of any length leave every page within its limit', async () => {
  const { folder, git, write } = scratch();
  git(folder, 'init', '-q');
  const client = await served.client([folder], { maxOutput: 1200 });
  const name = `${'long-'.repeat(45)}ü`;
  for (let length = 50; length < 800; length += full ? 75 : 300) {
    write(name, `${length}\n`.repeat(100));
    git(folder, 'add', '--all');
    git(folder, 'commit', '-qm', 'm'.repeat(length));
    const pages = await pagesOf(client, { revision: 'HEAD', context_lines: 0 }, 1200);
    expect(pages.flatMap(({ files = [] }) => files.map(({ path }) => path))).toEqual([name]);
    const patch = git(folder, 'show', '--format=', '--full-index', '--unified=0', 'HEAD').toString();
    expect([joined(pages, 'message').length, joined(pages, 'patch')]).toEqual([length, patch]);
  }
});

test('the pages of a file are all of it, though it is large', async () => {
  const { folder, git, write } = scratch();
  git(folder, 'init', '-q');
  const small = 'ü€ "quoted"\n'.repeat(400);
  const large = `${'0123456789abcde\n'.repeat(70_000)}end`;
  write('small', small);
  write('large', large);
  git(folder, 'add', '--all');
  git(folder, 'commit', '-qm', 'first');
  const little = await served.client([folder], { maxOutput: 2000 });
  expect(joined(await pagesOf(little, { revision: 'HEAD:small' }, 2000), 'content')).toBe(small);
  const much = await served.client([folder], { maxOutput: 300_000 });
  expect(joined(await pagesOf(much, { revision: 'HEAD:large' }, 300_000), 'content')).toBe(large);
});

test('the pages of a folder name each entry once', async () => {
  const { folder, git, write } = scratch();
  git(folder, 'init', '-q');
  const names = Array.from({ length: 120 }, (_, index) => `file-${String(index).padStart(3, '0')}`);
  for (const name of names) write(name, 'x');
  git(folder, 'add', '--all');
  git(folder, 'commit', '-qm', 'first');
  const client = await served.client([folder], { maxOutput: 2500 });
  const pages = await pagesOf(client, { revision: 'HEAD:' }, 2500);
  expect(pages.flatMap(({ entries = [] }) => entries.map(({ name }) => name))).toEqual(names);
});

test('a cursor goes on with the same commit when the branch has moved', async () => {
  const { folder, git, write } = scratch();
  git(folder, 'init', '-q');
  write('a', 'line\n'.repeat(1000));
  git(folder, 'add', '--all');
  git(folder, 'commit', '-qm', 'first');
  const client = await served.client([folder], { maxOutput: 2000 });
  const first = await call<Visible>(client, 'git_show', { revision: 'HEAD' });
  git(folder, 'commit', '-qm', 'second', '--allow-empty');
  const args = { revision: 'HEAD', cursor: first.facts.next_cursor };
  const second = await call<Visible>(client, 'git_show', args);
  expect([second.facts.oid, second.facts.cut]).toEqual([first.facts.oid, true]);
  const other = await call(client, 'git_show', { ...args, context_lines: 1 });
  expect([other.failed, other.code]).toEqual([true, 'invalid-cursor']);
});

test('a commit at the end of a shallow clone is shown whole', async () => {
  const { folder } = twoCommits();
  const clone = scratch();
  clone.git(clone.folder, 'clone', '-q', '--depth=1', `file://${folder}`, 'clone');
  const client = await served.client([join(clone.folder, 'clone')]);
  const { facts } = await call<Visible & { parents: string[] }>(client, 'git_show', { revision: 'HEAD' });
  expect([facts.parents, facts.files?.map(({ change }) => change)]).toEqual([[], ['added', 'added']]);
});

test('a commit with a file that is not stored is refused, not shown in part', async () => {
  const { folder, oid } = twoCommits();
  const blob = oid('HEAD:a');
  rmSync(join(folder, '.git/objects', blob.slice(0, 2), blob.slice(2)));
  const client = await served.client([folder]);
  expect((await call(client, 'git_show', { revision: 'HEAD' })).failed).toBe(true);
});

test.each([
  ['--output=stolen', 'invalid-revision'],
  ['-p', 'invalid-revision'],
  ['HEAD\n--all', 'invalid-revision'],
  ['', 'invalid-revision'],
  ['no-such', 'unknown-revision'],
  ['HEAD:no-such', 'not-found'],
])('the revision %j is refused', async (revision, code) => {
  const { folder } = twoCommits();
  const client = await served.client([folder]);
  expect(await call(client, 'git_show', { revision })).toMatchObject({ failed: true, code });
});

test('paths that look like options or patterns mean themselves', async () => {
  const { folder, git, write } = scratch();
  git(folder, 'init', '-q');
  for (const name of ['--output=x', ':(top)', '*', 'plain']) write(name, 'x\n');
  git(folder, 'add', '--all');
  git(folder, 'commit', '-qm', 'first');
  const client = await served.client([folder]);
  for (const name of ['--output=x', ':(top)', '*']) {
    const { facts } = await call<Visible>(client, 'git_show', { revision: 'HEAD', paths: [name] });
    expect(facts.files?.map(({ path }) => path)).toEqual([name]);
  }
});
