import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { allRevisions } from '@rootbound/protocol';
import type { Client } from '@rootbound/protocol/client';
import { describe, expect, test } from 'vitest';
import { call, Served, structuredRevisions } from '../harness.ts';
import { type Scratch, scratch } from '../scratch.ts';

const served = new Served();

interface Facts {
  text?: string;
  base64?: string;
  start_line?: number;
  end_line?: number;
  total_lines?: number;
  encoding?: string;
  lossy?: boolean;
  truncated: boolean;
  next_cursor?: string;
  [other: string]: unknown;
}

function repository(files: Record<string, string | Buffer>): Scratch {
  const made = scratch();
  const { folder, git, write } = made;
  git(folder, 'init', '-q');
  for (const [path, content] of Object.entries(files)) write(path, content);
  git(folder, 'add', '--all');
  git(folder, 'commit', '-qm', 'one');
  return made;
}

function oidOf({ folder, git }: Scratch, revision: string): string {
  return git(folder, 'rev-parse', revision).toString().trim();
}

function read(client: Client, args: Record<string, unknown>) {
  return call<Facts>(client, 'git_read_file', args);
}

/** All pages of a reading. */
async function pages(client: Client, args: Record<string, unknown>): Promise<Facts[]> {
  const all: Facts[] = [];
  let cursor: string | undefined;
  do {
    const { facts, text } = await read(client, { ...args, ...(cursor !== undefined && { cursor }) });
    expect([facts.truncated, facts.next_cursor === undefined || text.includes(facts.next_cursor)]).toEqual([
      facts.next_cursor !== undefined,
      true,
    ]);
    all.push(facts);
    cursor = facts.next_cursor;
  } while (cursor !== undefined);
  return all;
}

describe.each(allRevisions)('in %s', (revision) => {
  test('a file is read as it was at a revision', async () => {
    const made = repository({ 'src/a.txt': 'one\ntwo\n' });
    const { folder, git, write } = made;
    write('src/a.txt', 'other\n');
    git(folder, 'commit', '-qam', 'two');
    const client = await served.client([folder], { revision });
    const { text, facts, failed } = await read(client, { path: 'src/a.txt', revision: 'HEAD~1' });
    expect([failed, text]).toEqual([false, 'one\ntwo\n']);
    if (structuredRevisions.includes(revision))
      expect(facts).toEqual({
        commit: oidOf(made, 'HEAD~1'),
        path: 'src/a.txt',
        mode: '100644',
        oid: oidOf(made, 'HEAD~1:src/a.txt'),
        size: 8,
        text: 'one\ntwo\n',
        start_line: 1,
        end_line: 2,
        total_lines: 2,
        encoding: 'utf-8',
        truncated: false,
      });
  });
});

test('lines are taken from the start, the end, or between, and said', async () => {
  const { folder } = repository({ a: '1\n2\n3\n4\n5', empty: '' });
  const client = await served.client([folder]);
  const part = async (args: object) => {
    const { facts, text } = await read(client, { path: 'a', ...args });
    return [facts.text, facts.start_line, facts.end_line, facts.total_lines, text];
  };
  expect(await part({ head: 2 })).toEqual(['1\n2\n', 1, 2, 5, '1\n2\n\n[lines 1-2 of 5]']);
  expect(await part({ tail: 2 })).toEqual(['4\n5', 4, 5, 5, '4\n5\n[lines 4-5 of 5]']);
  expect(await part({ tail: 9 })).toEqual(['1\n2\n3\n4\n5', 1, 5, 5, '1\n2\n3\n4\n5']);
  expect(await part({ start_line: 2, end_line: 3 })).toEqual(['2\n3\n', 2, 3, 5, '2\n3\n\n[lines 2-3 of 5]']);
  expect(await part({ start_line: 5 })).toEqual(['5', 5, 5, 5, '5\n[lines 5-5 of 5]']);
  expect(await part({ start_line: 9 })).toEqual(['', undefined, undefined, 5, '[no lines from line 9 of 5]']);
  expect((await part({ start_line: 4, line_numbers: true }))[4]).toBe(
    '     4\t4\n     5\t5\n[lines 4-5 of 5]',
  );
  const { text, facts } = await read(client, { path: 'empty' });
  expect([text, facts.text, facts.total_lines]).toEqual(['[the file is empty]', '', 0]);
  expect((await read(client, { path: 'a', head: 1, tail: 1 })).code).toBe('invalid-arguments');
  expect((await read(client, { path: 'a', start_line: 3, end_line: 2 })).code).toBe('invalid-arguments');
});

const long = Array.from(
  { length: 3000 },
  (_, index) => `line ${index + 1} ${'ä"'.repeat(index % 40)}\n`,
).join('');

test.each([
  ['a file of many lines', long, {}],
  ['one line that is longer than a page', 'ö'.repeat(20_000), {}],
  ['a file larger than is held in memory', long.repeat(20), { start_line: 50_001, end_line: 50_900 }],
  ['the end of such a file', long.repeat(20), { tail: 700 }],
  ['numbered lines', long, { line_numbers: true, end_line: 900 }],
])('%s comes in pages that fit and together are what was asked for', async (_, content, args) => {
  const { folder } = repository({ a: content });
  const client = await served.client([folder], { maxOutput: 8192 });
  const all = await pages(client, { path: 'a', ...args });
  const lines = content.match(/[^\n]*\n|[^\n]+$/g)!;
  const { start_line: first = 1, end_line: last, tail } = args as Record<string, number | undefined>;
  const wanted = lines.slice(tail === undefined ? first - 1 : -tail, last);
  expect(all.map(({ text }) => text).join('') === wanted.join('')).toBe(true);
  expect(all.length).toBeGreaterThan(2);
  for (const facts of all) expect(Buffer.byteLength(JSON.stringify(facts))).toBeLessThanOrEqual(8192);
  const begin = tail === undefined ? first : lines.length - tail + 1;
  expect([all[0]!.start_line, all.at(-1)!.end_line]).toEqual([begin, begin + wanted.length - 1]);
});

test('a cursor goes on with the file as it was, and with no other', async () => {
  const { folder, git, write } = repository({ a: long, b: `${long}b` });
  const client = await served.client([folder], { maxOutput: 4096 });
  const { facts } = await read(client, { path: 'a' });
  const cursor = facts.next_cursor;
  git(folder, 'commit', '-q', '--allow-empty', '-m', 'two');
  expect((await read(client, { path: 'a', cursor })).facts.start_line).toBe(facts.end_line! + 1);
  expect((await read(client, { path: 'b', cursor })).code).toBe('invalid-cursor');
  write('a', 'other\n');
  git(folder, 'commit', '-qam', 'three');
  expect((await read(client, { path: 'a', cursor })).code).toBe('invalid-cursor');
});

test('text that is no UTF-8 is read by its mark or as told, and what is guessed is said', async () => {
  const utf16 = Buffer.from('\ufeffé\nfin\n', 'utf16le');
  const { folder } = repository({
    le: utf16,
    be: Buffer.from(utf16).swap16(),
    latin: Buffer.from('caf\xe9\nä\n', 'latin1'),
    mixed: Buffer.concat([Buffer.from('caf\xe9\n', 'latin1'), Buffer.from('ä\n')]),
    half: Buffer.concat([utf16, Buffer.from([0x00, 0xd8])]),
    marked: '\ufeffx\n',
  });
  const client = await served.client([folder]);
  const reported = async (path: string, encoding?: string) => {
    const { facts } = await read(client, { path, ...(encoding !== undefined && { encoding }) });
    return [facts.text, facts.encoding, facts.lossy];
  };
  expect(await reported('le')).toEqual(['é\nfin\n', 'utf-16le', undefined]);
  expect(await reported('be')).toEqual(['é\nfin\n', 'utf-16be', undefined]);
  expect(await reported('latin', 'latin1')).toEqual(['café\nä\n', 'latin1', undefined]);
  expect(await reported('mixed')).toEqual(['café\nä\n', 'utf-8', true]);
  expect(await reported('half')).toEqual(['é\nfin\n\ufffd', 'utf-16le', true]);
  expect(await reported('marked')).toEqual(['\ufeffx\n', 'utf-8', undefined]);
  expect((await read(client, { path: 'mixed' })).text).toContain('not all of it is text');
});

test('binary contents are told by their facts, and come as base64 on request', async () => {
  const bytes = Buffer.from(Array.from({ length: 20_000 }, (_, index) => (index * 7) % 256));
  const made = repository({ binary: bytes });
  const client = await served.client([made.folder], { maxOutput: 8192 });
  const { text, facts } = await read(client, { path: 'binary' });
  const oid = oidOf(made, 'HEAD:binary');
  expect([facts.text, facts.size, facts.oid, facts.truncated]).toEqual([undefined, 20_000, oid, false]);
  expect(text).toBe(
    `binary is binary: 20000 bytes, object ${oid.slice(0, 12)}; encoding base64 gives its contents`,
  );
  const all = await pages(client, { path: 'binary', encoding: 'base64' });
  expect(Buffer.concat(all.map(({ base64 }) => Buffer.from(base64!, 'base64'))).equals(bytes)).toBe(true);
});

test('large binary contents come whole from any part', async () => {
  const bytes = Buffer.alloc(1_500_000, 'abc\0');
  const { folder } = repository({ binary: bytes });
  const client = await served.client([folder], { maxOutput: 500_000 });
  expect((await read(client, { path: 'binary' })).facts.text).toBeUndefined();
  const all = await pages(client, { path: 'binary', encoding: 'base64' });
  expect(Buffer.concat(all.map(({ base64 }) => Buffer.from(base64!, 'base64'))).equals(bytes)).toBe(true);
});

test('a link is its target, a pointer of Git LFS is said, and a submodule or folder is refused', async () => {
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'b'.repeat(64)}\nsize 99\n`;
  const made = repository({ movie: pointer, 'folder/a': '1' });
  const { folder, git } = made;
  symlinkSync('/etc/passwd', join(folder, 'link'));
  git(folder, 'add', 'link');
  git(folder, 'update-index', '--add', '--cacheinfo', `160000,${oidOf(made, 'HEAD')},module`);
  git(folder, 'commit', '-qm', 'two');
  const client = await served.client([folder]);
  const link = await read(client, { path: 'link' });
  expect([link.facts.target, link.facts.text, link.text]).toEqual([
    '/etc/passwd',
    undefined,
    'link is a symbolic link to /etc/passwd',
  ]);
  const movie = await read(client, { path: 'movie' });
  expect([movie.facts.text, movie.facts.lfs]).toEqual([
    pointer,
    { oid: `sha256:${'b'.repeat(64)}`, size: 99 },
  ]);
  expect(movie.text).toContain('[LFS pointer to 99 bytes]');
  for (const where of [{}, { staged: true }]) {
    expect((await read(client, { path: 'module', ...where })).code).toBe('is-a-submodule');
    expect((await read(client, { path: 'nowhere', ...where })).code).toBe('not-found');
  }
  expect((await read(client, { path: 'folder' })).code).toBe('is-a-directory');
  expect((await read(client, { path: 'folder', staged: true })).code).toBe('not-found');
});

test('what is staged is read from the index, and our side of a conflict', async () => {
  const { folder, git, write } = repository({ a: 'base\n', 'a.b': 'x\n' });
  write('a', 'staged\n');
  git(folder, 'add', 'a');
  write('a', 'changed again\n');
  const client = await served.client([folder]);
  expect((await read(client, { path: 'a', staged: true })).text).toBe('staged\n');
  git(folder, 'reset', '-q', '--hard');
  git(folder, 'switch', '-qc', 'other');
  write('a', 'theirs\n');
  git(folder, 'commit', '-qam', 'theirs');
  git(folder, 'switch', '-q', 'main');
  write('a', 'ours\n');
  git(folder, 'commit', '-qam', 'ours');
  git(folder, 'merge', 'other', { okay: [1] });
  expect((await read(client, { path: 'a', staged: true })).text).toBe('ours\n');
});

test('hostile names of paths and revisions are read or refused, and nothing else happens', async () => {
  const made = repository({ '--output=x': '1\n', 'a\nb': '2\n', '.git-not/HEAD': '3\n' });
  const { folder, git } = made;
  const blob = oidOf(made, 'HEAD:--output=x');
  git(folder, 'update-index', '-z', '--index-info', {
    input: Buffer.from(`100644 ${blob} 0\tcaf\xe9\0`, 'latin1'),
  });
  git(folder, 'commit', '-qm', 'two');
  const client = await served.client([folder]);
  for (const where of [{}, { staged: true }]) {
    expect((await read(client, { path: '--output=x', ...where })).text).toBe('1\n');
    expect((await read(client, { path: '"a\\nb"', ...where })).text).toBe('2\n');
    expect((await read(client, { path: '"caf\\351"', ...where })).text).toBe('1\n');
  }
  const code = async (args: Record<string, unknown>) => (await read(client, args)).code;
  expect(await code({ path: '../secret' })).toBe('invalid-path');
  expect(await code({ path: '"broken' })).toBe('invalid-path');
  expect(await code({ path: 'a', revision: '-x' })).toBe('invalid-revision');
  expect(await code({ path: 'a', revision: 'HEAD\ninfo HEAD' })).toBe('invalid-revision');
  expect(await code({ path: 'a', revision: 'nowhere' })).toBe('unknown-revision');
});

test('a file of a bare repository is read', async () => {
  const { folder, git } = repository({ a: 'one\n' });
  git(folder, 'clone', '-q', '--bare', '.', 'bare.git');
  const client = await served.client([folder]);
  expect((await read(client, { repo_path: join(folder, 'bare.git'), path: 'a' })).text).toBe('one\n');
});
