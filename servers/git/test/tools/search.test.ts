import { existsSync, readdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Boundary, parseRootSpec } from '@rootbound/kit/boundary';
import { allRevisions } from '@rootbound/protocol';
import type { Client } from '@rootbound/protocol/client';
import { afterAll, describe, expect, test } from 'vitest';
import { sampled } from '../../../../test/extent.ts';
import { Repositories } from '../../src/call/repositories.ts';
import { gatherLines } from '../../src/reading/objects/search.ts';
import { call, Served, structuredRevisions } from '../harness.ts';
import { type Scratch, scratch } from '../scratch.ts';

const served = new Served();

interface Match {
  line: number;
  column: number;
  text: string;
  clipped?: boolean;
  lossy?: boolean;
  before?: string[];
  after?: string[];
}

interface Facts {
  files: { path: string; count?: number; matches?: Match[]; more?: boolean }[];
  skipped?: number;
  truncated: boolean;
  next_cursor?: string;
  commit?: string;
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

function search(client: Client, args: Record<string, unknown>) {
  return call<Facts>(client, 'git_search', args);
}

async function pages(client: Client, args: Record<string, unknown>): Promise<Facts[]> {
  const all: Facts[] = [];
  let cursor: string | undefined;
  do {
    const { facts, failed } = await search(client, { ...args, ...(cursor !== undefined && { cursor }) });
    expect([failed, facts.truncated]).toEqual([false, facts.next_cursor !== undefined]);
    all.push(facts);
    cursor = facts.next_cursor;
  } while (cursor !== undefined);
  return all;
}

function found(all: readonly Facts[]): string[] {
  return all.flatMap(({ files }) =>
    files.flatMap(({ path, count, matches }) =>
      matches === undefined ? [`${path}:${count}`] : matches.map(({ line }) => `${path}:${line}`),
    ),
  );
}

describe.each(allRevisions)('in %s', (revision) => {
  test('lines of the work tree are found as git grep finds them', async () => {
    const { folder, write } = repository({ a: 'one\ntwo one\n', 'b/c': 'none\n' });
    write('a', 'one\nchanged\none more\n');
    const client = await served.client([folder], { revision });
    const { text, facts, failed } = await search(client, { pattern: 'one' });
    expect([failed, text]).toEqual([false, 'a:1:one\na:3:one more\nb/c:1:none']);
    if (structuredRevisions.includes(revision))
      expect(facts).toEqual({
        files: [
          {
            path: 'a',
            matches: [
              { line: 1, column: 1, text: 'one' },
              { line: 3, column: 1, text: 'one more' },
            ],
          },
          { path: 'b/c', matches: [{ line: 1, column: 2, text: 'none' }] },
        ],
        truncated: false,
      });
  });
});

test('a revision, the index and new files are searched when they are asked for', async () => {
  const { folder, git, write } = repository({ a: 'old word\n' });
  write('a', 'staged word\n');
  git(folder, 'add', 'a');
  write('a', 'changed word\n');
  write('new', 'new word\n');
  const client = await served.client([folder]);
  const text = async (args: object) => (await search(client, { pattern: 'word', ...args })).text;
  expect(await text({})).toBe('a:1:changed word');
  expect(await text({ staged: true })).toBe('a:1:staged word');
  expect(await text({ revision: 'HEAD' })).toBe('a:1:old word');
  expect(await text({ untracked: true })).toBe('a:1:changed word\nnew:1:new word');
  const { facts } = await search(client, { pattern: 'word', revision: 'main' });
  expect(facts.commit).toBe(git(folder, 'rev-parse', 'HEAD').toString().trim());
  expect((await search(client, { pattern: 'x', revision: 'HEAD', staged: true })).code).toBe(
    'invalid-arguments',
  );
});

test('a pattern is a text unless it is said to be more, and nothing found is no failure', async () => {
  const { folder } = repository({ a: 'f(x)\nfx\nFX\nfxy\n' });
  const client = await served.client([folder]);
  const lines = async (args: Record<string, unknown>) => found([(await search(client, args)).facts]);
  expect(await lines({ pattern: 'f(x)' })).toEqual(['a:1']);
  expect(await lines({ pattern: 'f(x)', syntax: 'extended' })).toEqual(['a:2', 'a:4']);
  expect(await lines({ pattern: 'f\\(x\\)y*$', syntax: 'basic' })).toEqual(['a:2', 'a:4']);
  expect(await lines({ pattern: 'fx', ignore_case: true, whole_word: true })).toEqual(['a:2', 'a:3']);
  expect(await lines({ pattern: '--output=x' })).toEqual([]);
  const { text, failed } = await search(client, { pattern: 'nowhere' });
  expect([failed, text]).toEqual([false, '[no matches]']);
});

test('context stands around each match once', async () => {
  const { folder } = repository({ a: '1\n2\nx\n4\nx\n6\n7\n8\nx\n' });
  const client = await served.client([folder]);
  const { text, facts } = await search(client, { pattern: 'x', context_lines: 1 });
  expect(facts.files[0]!.matches).toEqual([
    { line: 3, column: 1, text: 'x', before: ['2'], after: ['4'] },
    { line: 5, column: 1, text: 'x', after: ['6'] },
    { line: 9, column: 1, text: 'x', before: ['8'] },
  ]);
  expect(text.split('\n')).toEqual(['a-2-2', 'a:3:x', 'a-4-4', 'a:5:x', 'a-6-6', '--', 'a-8-8', 'a:9:x']);
});

test('files and counts name files, binary ones too', async () => {
  const { folder } = repository({ a: 'x\nx\n', b: 'y\n', binary: 'x\0\nx\n', c: 'x\n' });
  const client = await served.client([folder]);
  for (const where of [{}, { revision: 'HEAD' }]) {
    const files = await search(client, { pattern: 'x', output: 'files', ...where });
    expect([files.text, files.facts.files]).toEqual([
      'a\nbinary\nc',
      ['a', 'binary', 'c'].map((path) => ({ path })),
    ]);
    expect((await search(client, { pattern: 'x', output: 'counts', ...where })).text).toBe(
      'a:2\nbinary:2\nc:1',
    );
    expect(found(await pages(client, { pattern: 'x', output: 'counts', limit: 1, ...where }))).toEqual([
      'a:2',
      'binary:2',
      'c:1',
    ]);
    expect(found([(await search(client, { pattern: 'x', ...where })).facts])).toEqual(['a:1', 'a:2', 'c:1']);
  }
});

test('paths and globs select what is searched, and a path is never a pattern', async () => {
  const { folder } = repository({
    'a.js': 'x',
    'src/b.js': 'x',
    'src/b.min.js': 'x',
    'src/deep/c.ts': 'x',
    '*/d.js': 'x',
    ':(top)e': 'x',
  });
  const client = await served.client([folder]);
  const paths = async (args: object) => {
    const { facts } = await search(client, { pattern: 'x', output: 'files', ...args });
    return facts.files.map(({ path }) => path);
  };
  expect(await paths({ paths: ['src'] })).toEqual(['src/b.js', 'src/b.min.js', 'src/deep/c.ts']);
  expect(await paths({ include: ['*.ts', '/nothing'] })).toEqual(['src/deep/c.ts']);
  expect(await paths({ include: ['src/**', '!*.min.js'] })).toEqual(['src/b.js', 'src/deep/c.ts']);
  expect(await paths({ include: ['!src'] })).toEqual(['*/d.js', ':(top)e', 'a.js']);
  expect(await paths({ paths: ['*'], include: ['*.js'] })).toEqual(['*/d.js']);
  expect(await paths({ paths: ['src'], include: ['!deep/'] })).toEqual(['src/b.js', 'src/b.min.js']);
  expect(await paths({ paths: [':(top)e'] })).toEqual([':(top)e']);
  expect(await paths({ paths: ['*'] })).toEqual(['*/d.js']);
  expect((await search(client, { pattern: 'x', paths: ['../x'] })).code).toBe('invalid-path');
  expect((await search(client, { pattern: 'x', include: ['../*'] })).code).toBe('invalid-path');
});

test.each(sampled([{ staged: true }, {}, { revision: 'HEAD' }, { context_lines: 2 }], 3))(
  'pages of %o name every match once, within the budget',
  async (where) => {
    const content = Array.from(
      { length: 90 },
      (_, index) => `${index % 3 === 0 ? 'match' : 'no'} ${index}\n`,
    );
    const names = ['a', 'a.b', 'a-b', 'b/c', '"q', 'z\n--\nz'];
    const { folder } = repository(Object.fromEntries(names.map((name) => [name, content.join('')])));
    const client = await served.client([folder], { maxOutput: 2500 });
    const args = { pattern: 'match', limit: 2000, ...where };
    const all = await pages(client, args);
    const lines = found(all);
    expect([lines.length, new Set(lines).size]).toEqual([180, 180]);
    expect(all.length).toBeGreaterThan(2);
    for (const facts of all) expect(Buffer.byteLength(JSON.stringify(facts))).toBeLessThanOrEqual(2500);
    expect(found(await pages(client, { ...args, limit: 7 }))).toEqual(lines);
    const limited = await pages(client, { ...args, limit: 3, max_per_file: 4 });
    expect(found(limited)).toEqual(lines.filter((_, index) => index % 30 < 4));
    const more = limited.flatMap(({ files }) => files.filter((file) => file.more).map(({ path }) => path));
    expect(more).toEqual([...new Set(all.flatMap(({ files }) => files.map(({ path }) => path)))]);
    const { next_cursor: cursor } = all[0]!;
    expect((await search(client, { ...args, pattern: 'other', cursor })).code).toBe('invalid-cursor');
  },
);

test('of a very long line the part around the match is shown, and what is no UTF-8 is said', async () => {
  const long = `${'ä'.repeat(200_000)}needle${'ö'.repeat(200_000)}`;
  const { folder } = repository({
    long: `${long}\nneedle\n`,
    latin: Buffer.from('caf\xe9 needle\n', 'latin1'),
  });
  const client = await served.client([folder]);
  const { facts, text } = await search(client, { pattern: 'needle' });
  expect(facts.files[0]).toEqual({
    path: 'latin',
    matches: [{ line: 1, column: 6, text: 'café needle', lossy: true }],
  });
  const [first, second] = facts.files[1]!.matches!;
  expect([first!.clipped, first!.column, long.includes(first!.text)]).toEqual([true, 400_001, true]);
  expect([first!.text.includes('needle'), first!.text.length < 500]).toEqual([true, true]);
  expect(second).toEqual({ line: 2, column: 1, text: 'needle' });
  expect(text).toContain(' [cut]');
});

test('a folder that became a link is not searched behind, wherever it leads', async () => {
  const { folder, write } = repository({ 'd/f': 'secret\n', e: 'secret\n' });
  const outside = scratch();
  outside.write('f', 'secret of others\n');
  renameSync(join(folder, 'd'), join(folder, 'old'));
  symlinkSync(outside.folder, join(folder, 'd'));
  write('old/.gitkeep', '');
  const client = await served.client([folder]);
  for (const output of ['matches', 'files', 'counts']) {
    const { facts, text } = await search(client, { pattern: 'secret', output });
    expect([facts.files.map(({ path }) => path), facts.skipped]).toEqual([['e'], 1]);
    expect(text).toContain('[1 file behind a symbolic link skipped]');
    expect(text).not.toContain('others');
  }
  expect((await search(client, { pattern: 'secret', revision: 'HEAD' })).facts.skipped).toBeUndefined();
});

test('a bare repository is searched at HEAD, and one without a commit in its files', async () => {
  const { folder, git } = repository({ a: 'x\n' });
  git(folder, 'clone', '-q', '--bare', '.', 'bare.git');
  const unborn = scratch();
  unborn.git(unborn.folder, 'init', '-q');
  unborn.write('a', 'x\n');
  unborn.git(unborn.folder, 'add', 'a');
  const client = await served.client([folder, unborn.folder]);
  expect((await search(client, { repo_path: join(folder, 'bare.git'), pattern: 'x' })).text).toBe('a:1:x');
  expect((await search(client, { repo_path: unborn.folder, pattern: 'x' })).text).toBe('a:1:x');
});

test('patterns that git cannot take are refused with its reason', async () => {
  const { folder } = repository({ a: 'x\n' });
  const client = await served.client([folder]);
  const { code, text } = await search(client, { pattern: 'a(', syntax: 'extended' });
  expect([code, text.includes('Unmatched')]).toEqual(['invalid-pattern', true]);
  for (const pattern of ['', 'a\nb', 'a\0b'])
    expect((await search(client, { pattern })).code).toBe('invalid-pattern');
});

const hard = {
  pattern: '^\\(a*\\)*\\(a*\\)*\\(a*\\)*\\1\\2\\3b$',
  line: `${'a'.repeat(3000)}c\n`.repeat(50),
};
const repositories = new Repositories({ roots: [], trusted: [], commonDirs: [] });
afterAll(() => repositories.close());

test('a pattern that takes git for ever is stopped by the limits, and said', async () => {
  const { folder } = repository({ a: hard.line });
  const scope = new Boundary({ roots: [parseRootSpec(folder)], policy: 'narrow' })
    .narrowing()
    .scope(undefined);
  const query = { patterns: [hard.pattern], form: 'basic', in: 'worktree' } as const;
  const gathering = repositories.use(scope, folder, new AbortController().signal, (opened) =>
    gatherLines(
      opened,
      query,
      { context: 0, perFile: 1, after: undefined, admits: () => true },
      { most: 1, bytes: 1000, limits: { total: 100 } },
    ),
  );
  await expect(gathering).rejects.toMatchObject({
    code: 'timeout',
    message: 'the search took too long and was stopped',
  });
  expect(searching(folder)).toEqual([]);
});

test.runIf(existsSync('/proc/self/cmdline'))('a search that is cancelled leaves no process', async () => {
  const { folder } = repository({ a: hard.line });
  const client = await served.client([folder]);
  const controller = new AbortController();
  const calling = call(
    client,
    'git_search',
    { pattern: hard.pattern, syntax: 'basic' },
    { signal: controller.signal },
  );
  const settled = calling.then(
    () => 'answered',
    () => 'cancelled',
  );
  await expect.poll(() => searching(folder).length, { timeout: 120_000 }).toBeGreaterThan(0);
  controller.abort();
  expect(await settled).toBe('cancelled');
  await expect.poll(() => searching(folder), { timeout: 120_000 }).toEqual([]);
});

/** The processes that run `git grep` in a folder. */
function searching(folder: string): string[] {
  if (!existsSync('/proc/self/cmdline')) return [];
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'latin1');
      const command = readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0');
      return environment.includes(`GIT_WORK_TREE=${folder}\0`) && command.includes('grep');
    } catch {
      return false; // it has ended, or is another user's
    }
  });
}
