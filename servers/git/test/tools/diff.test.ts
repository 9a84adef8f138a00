import { chmodSync, renameSync, rmSync } from 'node:fs';
import { jsonBytes } from '@rootbound/kit/budget';
import { allRevisions } from '@rootbound/protocol';
import { describe, expect, test } from 'vitest';
import { call, Served, structuredRevisions } from '../harness.ts';
import { type Scratch, scratch } from '../scratch.ts';

interface Facts {
  compared: string;
  from?: string;
  to?: string;
  files: { path: string; change: string; added?: number; deleted?: number; binary?: boolean }[];
  total?: number;
  patch?: string;
  hunks?: { path: string; head?: string; ids: { id: string; at: string }[] }[];
  lossy?: boolean;
  truncated: boolean;
  next_cursor?: string;
}

const served = new Served();

function repository(): Scratch {
  const made = scratch();
  made.git(made.folder, 'init', '-q');
  made.write('a', 'one\n');
  made.git(made.folder, 'add', '.');
  made.git(made.folder, 'commit', '-qm', 'first');
  return made;
}

const oidOf = ({ folder, git }: Scratch, name: string) => git(folder, 'rev-parse', name).toString().trim();

const numbered = (count: number, end = '') =>
  Array.from({ length: count }, (_, index) => `line ${index}${end}\n`).join('');

describe.each(allRevisions)('in %s', (revision) => {
  test('a diff names the files and gives the patch as git prints it, with an id for each hunk', async () => {
    const { folder, git, write } = repository();
    write('a', 'two\n');
    const client = await served.client([folder], { revision });
    const { text, facts } = await call<Facts>(client, 'git_diff');
    const patch = git(folder, 'diff', '--full-index').toString();
    const short = git(folder, 'diff', '--abbrev=12').toString();
    expect(text.startsWith(`not staged: 1 file\nM a\n\n${short}`)).toBe(true);
    expect(text).toMatch(/hunk ids:\na: 3-[0-9a-f]{20} \(-1 \+1\)$/);
    if (structuredRevisions.includes(revision))
      expect(facts).toMatchObject({
        compared: 'unstaged',
        files: [{ path: 'a', change: 'modified' }],
        total: 1,
        patch,
        hunks: [{ path: 'a', ids: [{ at: '-1 +1' }] }],
        truncated: false,
      });
  });
});

test('the official tools for staged and unstaged changes are called with their arguments, and not listed', async () => {
  const { folder, git, write } = repository();
  write('a', numbered(20));
  git(folder, 'add', 'a');
  write('a', numbered(20).replace('line 9\n', 'changed\n'));
  const client = await served.client([folder]);
  const names = (await client.listTools()).map(({ name }) => name);
  expect(names.filter((name) => name.startsWith('git_diff'))).toEqual(['git_diff']);
  const args = { repo_path: folder, context_lines: 0 };
  const unstaged = await call<Facts>(client, 'git_diff_unstaged', args);
  expect(unstaged.facts.patch).toBe(git(folder, 'diff', '--full-index', '-U0').toString());
  const staged = await call<Facts>(client, 'git_diff_staged', args);
  expect(staged.facts.patch).toBe(git(folder, 'diff', '--full-index', '-U0', '--cached').toString());
});

test('a target is compared with the work tree, or with the index, or with another revision', async () => {
  const made = repository();
  const { folder, git, write } = made;
  git(folder, 'switch', '-qc', 'side');
  write('side', 'side\n');
  git(folder, 'add', '.');
  git(folder, 'commit', '-qm', 'side');
  git(folder, 'switch', '-q', 'main');
  write('main', 'main\n');
  git(folder, 'add', '.');
  git(folder, 'commit', '-qm', 'main');
  write('staged', 'staged\n');
  git(folder, 'add', '.');
  write('a', 'changed\n');
  const client = await served.client([folder]);
  const seen = async (args: Record<string, unknown>) => {
    const { facts } = await call<Facts>(client, 'git_diff', args);
    return [facts.compared, facts.from, facts.to, facts.files.map(({ path }) => path).join(' ')];
  };
  const [first, main, side] = ['main~1', 'main', 'side'].map((name) => oidOf(made, name));
  expect(await seen({ target: 'HEAD' })).toEqual(['worktree', main, undefined, 'a staged']);
  expect(await seen({ target: 'main~1', staged: true })).toEqual(['staged', first, undefined, 'main staged']);
  expect(await seen({ target: 'main..side' })).toEqual(['between', main, side, 'main side']);
  expect(await seen({ target: 'main...side' })).toEqual(['between', first, side, 'side']);
  expect(await seen({ target: '..side' })).toEqual(['between', main, side, 'main side']);
  expect(await seen({ target: 'main..side', paths: ['side'] })).toEqual(['between', main, side, 'side']);
});

test('three dots between histories that have nothing in common, or several forks, end as they should', async () => {
  const made = repository();
  const { folder, git } = made;
  const commit = (...parents: string[]) => {
    const args = parents.flatMap((parent) => ['-p', parent]);
    return git(folder, 'commit-tree', 'HEAD^{tree}', ...args, '-m', 'x')
      .toString()
      .trim();
  };
  const [one, other] = [commit('HEAD'), commit('HEAD')];
  const [left, right] = [commit(one, other), commit(other, one)];
  const client = await served.client([folder]);
  const crossed = await call<Facts>(client, 'git_diff', { target: `${left}...${right}` });
  expect([one, other]).toContain(crossed.facts.from);
  const alone = await call(client, 'git_diff', { target: `HEAD...${commit()}` });
  expect(alone.code).toBe('no-merge-base');
});

test('lines are counted on request, and a diff may be the list of files alone', async () => {
  const { folder, git, write } = repository();
  write('a', 'one\ntwo\n');
  write('bin', Buffer.from([0, 1, 2]));
  git(folder, 'add', '.');
  const client = await served.client([folder]);
  const args = { staged: true, stat_only: true, count_lines: true };
  const { facts, text } = await call<Facts>(client, 'git_diff', args);
  expect(facts.files).toEqual([
    { path: 'a', change: 'modified', added: 1, deleted: 0 },
    { path: 'bin', change: 'added', binary: true },
  ]);
  expect([facts.patch, text]).toEqual([undefined, 'staged: 2 files\nM a +1 -0\nA bin (binary)']);
});

test('what only a mode, a name or binary contents say has an id, and a patch without white space has none', async () => {
  const { folder, git, write } = repository();
  write('b', numbered(30));
  write('c', Buffer.from([0, 1]));
  git(folder, 'add', '.');
  git(folder, 'commit', '-qm', 'second');
  chmodSync(`${folder}/a`, 0o755);
  renameSync(`${folder}/b`, `${folder}/d`);
  write('c', Buffer.from([0, 2]));
  git(folder, 'add', '--all');
  const client = await served.client([folder]);
  const { facts } = await call<Facts>(client, 'git_diff', { staged: true });
  expect(facts.hunks?.map(({ path, head, ids }) => [path, head !== undefined, ids.length])).toEqual([
    ['a', true, 0],
    ['c', true, 0],
    ['d', true, 0],
  ]);
  expect(facts.files).toMatchObject([{ mode: '100644 -> 100755' }, {}, { change: 'renamed', from: 'b' }]);
  write('a', 'one  \n');
  const spaced = await call<Facts>(client, 'git_diff', { paths: ['a'], ignore_space: 'at-end' });
  expect([spaced.facts.patch, spaced.facts.hunks]).toEqual(['', undefined]);
});

describe.each([
  ['unstaged', undefined],
  ['between revisions', 'HEAD..changed'],
])('%s', (_, target) => {
  test.each([2048, 6000])(
    'parts of at most %i bytes are the whole in order, each file and hunk once',
    async (maxOutput) => {
      const { folder, git, write } = repository();
      const names = Array.from({ length: 40 }, (__, index) => `${'dir/'.repeat(index % 7)}file "${index}"`);
      for (const name of names) write(name, numbered(60));
      git(folder, 'add', '.');
      git(folder, 'commit', '-qm', 'second');
      for (const name of names)
        write(name, numbered(60).replace('line 9\n', 'x\ty\n').replace('line 50\n', ''));
      write(names[3]!, numbered(400, ' of a long hunk'));
      if (target !== undefined) {
        git(folder, 'switch', '-qc', 'changed');
        git(folder, 'commit', '-qam', 'third');
        git(folder, 'switch', '-q', 'main');
      }
      const client = await served.client([folder], { maxOutput });
      const all: Facts[] = [];
      let cursor: string | undefined;
      do {
        const args = { ...(target !== undefined && { target }), ...(cursor !== undefined && { cursor }) };
        const { facts, text } = await call<Facts>(client, 'git_diff', args);
        expect(Buffer.byteLength(JSON.stringify(facts))).toBeLessThanOrEqual(maxOutput);
        expect(jsonBytes(text)).toBeLessThanOrEqual(maxOutput);
        expect(facts.truncated).toBe(facts.next_cursor !== undefined);
        all.push(facts);
        cursor = facts.next_cursor;
      } while (cursor !== undefined);
      const plain = git(folder, 'diff', '--full-index', ...(target === undefined ? [] : [target])).toString();
      expect(all.map(({ patch = '' }) => patch).join('')).toBe(plain);
      expect(all.flatMap(({ files }) => files.map(({ path }) => path)).toSorted()).toEqual(names.toSorted());
      const ids = all.flatMap(({ hunks = [] }) => hunks.flatMap((file) => file.ids.map(({ id }) => id)));
      expect([ids.length, new Set(ids).size]).toEqual([79, 79]);
    },
  );
});

test('names that are longer than is reckoned with leave less room for the patch', async () => {
  const { folder, git, write } = repository();
  const folders = Array.from({ length: 3 }, () => 'd'.repeat(200)).join('/');
  const names = Array.from({ length: 30 }, (_, index) => `${folders}/${index}`);
  for (const name of names) write(name, '');
  git(folder, 'add', '.');
  const client = await served.client([folder], { maxOutput: 8192 });
  const patches: string[] = [];
  let cursor: string | undefined;
  do {
    const { facts, text } = await call<Facts>(client, 'git_diff', {
      staged: true,
      ...(cursor && { cursor }),
    });
    expect(Math.max(Buffer.byteLength(JSON.stringify(facts)), jsonBytes(text))).toBeLessThanOrEqual(8192);
    patches.push(facts.patch ?? '');
    cursor = facts.next_cursor;
  } while (cursor !== undefined);
  expect(patches.join('')).toBe(git(folder, 'diff', '--cached', '--full-index').toString());
});

test('a cursor ends when the file it is in changes, and when it is of another call', async () => {
  const { folder, write } = repository();
  write('a', numbered(2000));
  const client = await served.client([folder], { maxOutput: 4096 });
  const { facts } = await call<Facts>(client, 'git_diff');
  const cursor = facts.next_cursor;
  expect((await call(client, 'git_diff', { cursor, context_lines: 1 })).code).toBe('invalid-cursor');
  expect((await call(client, 'git_diff_unstaged', { cursor })).code).toBe('invalid-cursor');
  write('a', numbered(2001));
  expect((await call(client, 'git_diff', { cursor })).code).toBe('invalid-cursor');
});

test('a patch with bytes that are not UTF-8 comes whole, and says so', async () => {
  const { folder, git, write } = repository();
  write('a', Buffer.from('caf\xe9\n', 'latin1'));
  write('b', 'ü\n');
  git(folder, 'add', '.');
  const client = await served.client([folder]);
  const { facts, text } = await call<Facts>(client, 'git_diff', { staged: true });
  expect(facts.lossy).toBe(true);
  for (const half of [facts.patch, text]) expect(half).toMatch(/\+café\n[\s\S]*\+ü\n/);
});

test('before the first commit everything staged is new, and a path in conflict is listed', async () => {
  const { folder, git, write } = scratch();
  git(folder, 'init', '-q');
  write('a', 'one\n');
  git(folder, 'add', '.');
  const client = await served.client([folder]);
  const unborn = await call<Facts>(client, 'git_diff', { staged: true });
  expect(unborn.facts.files).toEqual([{ path: 'a', change: 'added' }]);
  expect((await call(client, 'git_diff', { target: 'HEAD' })).code).toBe('unknown-revision');
  git(folder, 'commit', '-qm', 'first');
  git(folder, 'switch', '-qc', 'side');
  write('a', 'side\n');
  git(folder, 'commit', '-qam', 'side');
  git(folder, 'switch', '-q', 'main');
  write('a', 'main\n');
  git(folder, 'commit', '-qam', 'main');
  git(folder, 'merge', '-q', 'side', { okay: [1] });
  const merging = await call<Facts>(client, 'git_diff');
  expect(merging.facts.files).toEqual([{ path: 'a', change: 'unmerged' }]);
  expect([merging.facts.patch, merging.facts.hunks]).toEqual([
    expect.stringMatching(/^diff --cc a\n/),
    undefined,
  ]);
});

test('a bare repository compares revisions alone', async () => {
  const made = repository();
  const { folder, git } = made;
  git(folder, 'commit', '-q', '--allow-empty', '-m', 'second');
  git(folder, 'clone', '-q', '--bare', '.', 'bare');
  rmSync(`${folder}/.git`, { recursive: true });
  const client = await served.client([`${folder}/bare`]);
  expect((await call(client, 'git_diff')).code).toBe('unsupported');
  const { text } = await call(client, 'git_diff', { target: 'HEAD~1..HEAD' });
  expect(text).toMatch(/^[0-9a-f]{12}\.\.[0-9a-f]{12}: no differences$/);
});

test('nothing that a caller names becomes an option, and what makes no sense is refused', async () => {
  const { folder, git, write } = repository();
  write('--output=x', 'one\n');
  git(folder, 'add', '.');
  const client = await served.client([folder]);
  const codeOf = async (args: Record<string, unknown>) => (await call(client, 'git_diff', args)).code;
  expect(await codeOf({ target: '--output=x' })).toBe('invalid-revision');
  expect(await codeOf({ target: 'HEAD..--output=x' })).toBe('invalid-revision');
  expect(await codeOf({ target: 'nowhere' })).toBe('unknown-revision');
  expect(await codeOf({ target: 'HEAD..HEAD', staged: true })).toBe('invalid-arguments');
  expect(await codeOf({ paths: [''] })).toBe('invalid-path');
  const { facts } = await call<Facts>(client, 'git_diff', { staged: true, paths: ['--output=x'] });
  expect(facts.files.map(({ path }) => path)).toEqual(['--output=x']);
});
