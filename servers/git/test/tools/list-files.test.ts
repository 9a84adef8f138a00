import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { allRevisions } from '@rootbound/protocol';
import { describe, expect, test } from 'vitest';
import { sampled } from '../../../../test/extent.ts';
import { call, Served, structuredRevisions } from '../harness.ts';
import { type Scratch, scratch } from '../scratch.ts';

const served = new Served();

interface Facts {
  commit?: string;
  tree?: string;
  files: { path: string; kind: string; mode: string; oid?: string; [other: string]: unknown }[];
  truncated: boolean;
  next_cursor?: string;
}

function repository(files: Record<string, string | Buffer>, format = 'sha1'): Scratch {
  const made = scratch();
  const { folder, git, write } = made;
  git(folder, 'init', '-q', `--object-format=${format}`);
  for (const [path, content] of Object.entries(files)) write(path, content);
  git(folder, 'add', '--all');
  git(folder, 'commit', '-q', '--allow-empty', '-m', 'one');
  return made;
}

function oidOf({ folder, git }: Scratch, revision: string): string {
  return git(folder, 'rev-parse', revision).toString().trim();
}

async function allPaths(
  client: Awaited<ReturnType<Served['client']>>,
  args: Record<string, unknown>,
  between: () => void = () => undefined,
): Promise<string[]> {
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const { facts, failed, text } = await call<Facts>(client, 'git_list_files', {
      ...args,
      ...(cursor !== undefined && { cursor }),
    });
    expect([failed, facts.truncated]).toEqual([false, facts.next_cursor !== undefined]);
    expect(facts.next_cursor === undefined || text.includes(facts.next_cursor)).toBe(true);
    seen.push(...facts.files.map(({ path }) => path));
    cursor = facts.next_cursor;
    between();
  } while (cursor !== undefined);
  return seen;
}

describe.each(allRevisions)('in %s', (revision) => {
  test('the top of HEAD is listed as git lists it', async () => {
    const made = repository({ 'a.txt': 'one\n', 'src/main.c': 'int main;\n' });
    const client = await served.client([made.folder], { revision });
    const { text, facts, failed } = await call<Facts>(client, 'git_list_files');
    const [file, folder] = [oidOf(made, 'HEAD:a.txt'), oidOf(made, 'HEAD:src')];
    expect([failed, text]).toEqual([
      false,
      `100644 blob ${file.slice(0, 12)}\ta.txt\n040000 tree ${folder.slice(0, 12)}\tsrc`,
    ]);
    if (structuredRevisions.includes(revision))
      expect(facts).toEqual({
        commit: oidOf(made, 'HEAD'),
        tree: oidOf(made, 'HEAD^{tree}'),
        files: [
          { path: 'a.txt', kind: 'file', mode: '100644', oid: file },
          { path: 'src', kind: 'folder', mode: '040000', oid: folder },
        ],
        truncated: false,
      });
  });
});

test('links show where they lead, submodules and executables what they are, and sizes come on request', async () => {
  const made = repository({ a: 'twelve bytes' });
  const { folder, git, write } = made;
  symlinkSync('../outside', join(folder, 'link'));
  write('run', '#!/bin/sh\n', 0o755);
  const commit = oidOf(made, 'HEAD');
  git(folder, 'update-index', '--add', '--cacheinfo', `160000,${commit},module`);
  git(folder, 'add', 'link', 'run');
  git(folder, 'commit', '-qm', 'two');
  const client = await served.client([folder]);
  const { facts, text } = await call<Facts>(client, 'git_list_files', { sizes: true });
  expect(facts.files.map(({ oid, ...rest }) => rest)).toEqual([
    { path: 'a', kind: 'file', mode: '100644', size: 12 },
    { path: 'link', kind: 'link', mode: '120000', size: 10, target: '../outside' },
    { path: 'module', kind: 'submodule', mode: '160000' },
    { path: 'run', kind: 'executable', mode: '100755', size: 10 },
  ]);
  expect(facts.files[2]!.oid).toBe(commit);
  expect(text.split('\n').slice(1, 3)).toEqual([
    expect.stringMatching(/^120000 blob [0-9a-f]{12} 10\tlink -> \.\.\/outside$/),
    `160000 commit ${commit.slice(0, 12)}\tmodule`,
  ]);
});

test('a pointer of Git LFS tells the size of what it stands for', async () => {
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 123456\n`;
  const { folder } = repository({ 'movie.mp4': pointer, 'near.txt': `${pointer}no pointer\n` });
  const client = await served.client([folder]);
  const { facts, text } = await call<Facts>(client, 'git_list_files', { sizes: true });
  expect(facts.files.map(({ lfs_size }) => lfs_size)).toEqual([123_456, undefined]);
  expect(text).toContain('movie.mp4 [LFS pointer to 123456 bytes]');
});

test('a listing goes as deep as it is asked to, in a folder, at a commit, and in the index', async () => {
  const made = repository({ 'a/b/c/d': '1', 'a/b/e': '2', 'a.txt': '3', f: '4' });
  const { folder, git, write } = made;
  git(folder, 'tag', '-am', 'tag', 'v1');
  write('new/file', '5');
  git(folder, 'add', 'new');
  const client = await served.client([folder]);
  const paths = (args: Record<string, unknown>) => allPaths(client, args);
  const whole = git(folder, 'ls-tree', '-r', '--name-only', 'v1').toString().trim().split('\n');
  expect(await paths({ recursive: true, revision: 'v1' })).toEqual(whole);
  expect(await paths({ depth: 2 })).toEqual(['a.txt', 'a/b', 'f']);
  expect(await paths({ path: 'a/', depth: 2 })).toEqual(['a/b/c', 'a/b/e']);
  expect(await paths({ path: './f' })).toEqual(['f']);
  expect(await paths({ revision: 'HEAD:a/b', recursive: true })).toEqual(['c/d', 'e']);
  expect(await paths({ staged: true })).toEqual(['a.txt', 'a', 'f', 'new']);
  expect(await paths({ staged: true, recursive: true, path: 'new' })).toEqual(['new/file']);
  expect(await paths({ staged: true, depth: 2, path: 'a' })).toEqual(['a/b/c', 'a/b/e']);
});

test.each(sampled([{}, { staged: true }], 2))(
  'pages of %o name everything once, within the budget',
  async (where) => {
    const names = Array.from({ length: 400 }, (_, index) => `folder-${index % 7}/${index % 3}/file-${index}`);
    const { folder, git } = repository(Object.fromEntries(names.map((name) => [name, name])));
    const client = await served.client([folder], { maxOutput: 4096 });
    const expected = git(folder, 'ls-files').toString().trim().split('\n');
    expect(await allPaths(client, { recursive: true, ...where })).toEqual(expected);
    expect(await allPaths(client, { recursive: true, limit: 7, ...where })).toEqual(expected);
    const page = await call<Facts>(client, 'git_list_files', { recursive: true, ...where });
    expect(Buffer.byteLength(JSON.stringify(page.facts))).toBeLessThanOrEqual(4096);
    const folders = await allPaths(client, { depth: 2, limit: 2, ...where });
    expect(folders).toEqual([...new Set(expected.map((name) => name.replace(/\/[^/]*$/, '')))]);
  },
);

test('a page does not continue another listing, nor a tree that is another by now', async () => {
  const { folder, git, write } = repository({ a: '1', b: '2', c: '3' });
  const client = await served.client([folder]);
  const { facts } = await call<Facts>(client, 'git_list_files', { limit: 1 });
  const cursor = facts.next_cursor;
  expect((await call(client, 'git_list_files', { cursor, recursive: true })).code).toBe('invalid-cursor');
  write('d', '4');
  git(folder, 'add', 'd');
  git(folder, 'commit', '-qm', 'two');
  expect((await call(client, 'git_list_files', { cursor })).code).toBe('invalid-cursor');
});

test('names that are no UTF-8 or look like options are listed, and can be asked for as they are listed', async () => {
  const made = repository({ '-rf/--all': '1', ':(top)x': '2' });
  const { folder, git } = made;
  const blob = oidOf(made, 'HEAD:-rf/--all');
  git(folder, 'update-index', '-z', '--index-info', {
    input: Buffer.from(`100644 ${blob} 0\tcaf\xe9/"q\n\0`, 'latin1'),
  });
  git(folder, 'commit', '-qm', 'two');
  const client = await served.client([folder]);
  for (const where of [{}, { staged: true }]) {
    const listed = await allPaths(client, { recursive: true, ...where });
    expect(listed).toEqual(['-rf/--all', ':(top)x', '"caf\\351/\\"q\\n"']);
    expect(await allPaths(client, { path: '"caf\\351"', ...where })).toEqual([listed[2]]);
    expect(await allPaths(client, { path: '-rf', ...where })).toEqual([listed[0]]);
    expect(await allPaths(client, { path: ':(top)x', ...where })).toEqual([listed[1]]);
  }
});

test('a conflict is listed with its stages', async () => {
  const { folder, git, write } = repository({ a: 'base\n' });
  git(folder, 'switch', '-qc', 'other');
  write('a', 'theirs\n');
  git(folder, 'commit', '-qam', 'theirs');
  git(folder, 'switch', '-q', 'main');
  write('a', 'ours\n');
  git(folder, 'commit', '-qam', 'ours');
  git(folder, 'merge', 'other', { okay: [1] });
  const client = await served.client([folder]);
  const { facts, text } = await call<Facts>(client, 'git_list_files', { staged: true });
  expect(facts.files.map(({ path, stage }) => [path, stage])).toEqual([1, 2, 3].map((stage) => ['a', stage]));
  expect(text).toContain('\ta [stage 2]');
  expect(await allPaths(client, { staged: true, limit: 1 })).toEqual(['a', 'a', 'a']);
});

test('odd repositories: bare, of sha256, without a commit, with an empty tree', async () => {
  const sha256 = repository({ 'a/b': '1' }, 'sha256');
  sha256.git(sha256.folder, 'clone', '-q', '--bare', '.', 'bare.git');
  const client = await served.client([sha256.folder]);
  const bare = join(sha256.folder, 'bare.git');
  expect(await allPaths(client, { repo_path: bare, recursive: true })).toEqual(['a/b']);
  const empty = repository({});
  const other = await served.client([empty.folder]);
  expect((await call(other, 'git_list_files')).text).toBe('[no files]');
  expect((await call(other, 'git_list_files', { staged: true })).text).toBe('[no files]');
  const unborn = scratch();
  unborn.git(unborn.folder, 'init', '-q');
  unborn.write('a', '1');
  unborn.git(unborn.folder, 'add', 'a');
  const third = await served.client([unborn.folder]);
  expect((await call(third, 'git_list_files')).code).toBe('unknown-revision');
  expect(await allPaths(third, { staged: true })).toEqual(['a']);
});

test('what is not there, or not to be asked, is refused', async () => {
  const { folder } = repository({ a: '1' });
  const client = await served.client([folder]);
  const code = async (args: object) => (await call(client, 'git_list_files', { ...args })).code;
  expect(await code({ path: 'nowhere' })).toBe('not-found');
  expect(await code({ path: 'nowhere', staged: true })).toBe('not-found');
  expect(await code({ path: '../a' })).toBe('invalid-path');
  expect(await code({ path: '/etc' })).toBe('invalid-path');
  expect(await code({ revision: '--output=x' })).toBe('invalid-revision');
  expect(await code({ revision: 'HEAD:a' })).toBe('unknown-revision');
  expect(await code({ revision: 'HEAD', staged: true })).toBe('invalid-arguments');
});

test('folders that hold each other without end and no files end in a page that can be continued', async () => {
  const made = repository({});
  const { folder, git } = made;
  let tree = git(folder, 'mktree', { input: '' }).toString().trim();
  for (let level = 0; level < 6; level++) {
    const input = Array.from({ length: 10 }, (_, index) => `040000 tree ${tree}\t${index}\n`).join('');
    tree = git(folder, 'mktree', { input }).toString().trim();
  }
  const client = await served.client([folder]);
  const first = await call<Facts>(client, 'git_list_files', { revision: tree, recursive: true });
  expect([first.facts.files, first.facts.truncated]).toEqual([[], true]);
  const second = await call<Facts>(client, 'git_list_files', {
    revision: tree,
    recursive: true,
    cursor: first.facts.next_cursor,
  });
  expect(second.facts.next_cursor).not.toBe(first.facts.next_cursor);
});

test('what a partial clone has not fetched is listed as missing, and not read', async () => {
  const { folder, git } = repository({ a: '1', 'b/c': '2' });
  git(folder, 'config', 'uploadpack.allowFilter', 'true');
  git(folder, 'clone', '-q', '--no-checkout', '--filter=blob:none', `file://${folder}`, 'partial');
  const client = await served.client([join(folder, 'partial')]);
  const { facts, text } = await call<Facts>(client, 'git_list_files', { recursive: true, sizes: true });
  expect(facts.files.map(({ path, missing }) => [path, missing])).toEqual([
    ['a', true],
    ['b/c', true],
  ]);
  expect(text).toContain('\tb/c [not stored here]');
  expect((await call(client, 'git_read_file', { path: 'a' })).code).toBe('not-found');
});
