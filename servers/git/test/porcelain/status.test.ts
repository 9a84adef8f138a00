import { chmodSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseStatus, type Status, type StatusOptions, statusCommand } from '../../src/porcelain/status.ts';
import type { StatusEntry } from '../../src/porcelain/status-entries.ts';
import { run } from '../../src/run/run.ts';
import { cleanGit, placeOf, type Scratch, scratch } from '../scratch.ts';
import { printed } from './printed.ts';

const onLinux = process.platform === 'linux';

function repository(files: Record<string, string> = {}): Scratch {
  const made = scratch();
  made.git(made.folder, 'init');
  for (const [path, content] of Object.entries(files)) made.write(path, content);
  made.git(made.folder, 'add', '--all');
  made.git(made.folder, 'commit', '--allow-empty', '-m', 'base');
  return made;
}

const lines = (from: number) => Array.from({ length: 20 }, (_, index) => `line ${from + index}\n`).join('');

/** A status in which git itself looks into submodules, as in a trusted repository. */
async function statusOf(folder: string, options?: StatusOptions): Promise<Status> {
  const place = { ...placeOf(folder), byHand: folder };
  const { stdout } = await run(cleanGit(), statusCommand(options), { place });
  return parseStatus(stdout);
}

/** Each entry in a word or two: its letters or kind, then its path. */
function brief(entries: readonly StatusEntry[]): string[] {
  return entries.map((entry) => {
    if (entry.kind === 'changed') return `${entry.index}${entry.worktree} ${entry.path}`;
    return entry.kind === 'unmerged' ? `${entry.conflict} ${entry.path}` : `${entry.kind} ${entry.path}`;
  });
}

test('a clean repository has a branch and no entries', async () => {
  const { folder, git } = repository();
  const commit = git(folder, 'rev-parse', 'HEAD').toString().trim();
  expect(await statusOf(folder)).toEqual({
    branch: { commit, head: 'main', upstream: undefined, track: undefined },
    stashes: 0,
    entries: [],
  });
});

test('each side of a path has its letter, its mode and its object', async () => {
  const { folder, git, write } = repository({
    staged: 'a\n',
    changed: 'b\n',
    both: 'c\n',
    gone: 'd\n',
    out: 'e\n',
  });
  const head = git(folder, 'rev-parse', 'HEAD:staged').toString().trim();
  write('staged', 'A\n');
  git(folder, 'add', 'staged');
  write('changed', 'B\n');
  write('both', 'C\n');
  git(folder, 'add', 'both');
  write('both', 'CC\n');
  rmSync(join(folder, 'gone'));
  git(folder, 'rm', '--cached', 'out');
  write('new', 'n\n');
  git(folder, 'add', 'new');
  const { entries } = await statusOf(folder);
  expect(brief(entries)).toEqual([
    'MM both',
    '.M changed',
    '.D gone',
    'A. new',
    'D. out',
    'M. staged',
    'untracked out',
  ]);
  expect(entries.find(({ path }) => path === 'staged')).toEqual({
    kind: 'changed',
    path: 'staged',
    index: 'M',
    worktree: '.',
    head: { mode: '100644', oid: head },
    staged: { mode: '100644', oid: git(folder, 'rev-parse', ':staged').toString().trim() },
    worktreeMode: '100644',
    submodule: undefined,
    from: undefined,
  });
  expect(entries.find(({ path }) => path === 'new')).toMatchObject({
    head: { mode: '000000', oid: undefined },
    staged: { mode: '100644', oid: git(folder, 'rev-parse', ':new').toString().trim() },
  });
});

test('a rename says from which path, and how alike, on either side', async () => {
  const { folder, git } = repository({ 'old name': lines(1), other: lines(50) });
  git(folder, 'mv', 'old name', 'new -> name');
  renameSync(join(folder, 'other'), join(folder, 'moved'));
  git(folder, 'add', '--intent-to-add', 'moved');
  const { entries } = await statusOf(folder);
  expect(brief(entries)).toEqual(['.R moved', 'R. new -> name']);
  expect(entries.map((entry) => (entry.kind === 'changed' ? entry.from : undefined))).toEqual([
    { path: 'other', similarity: 100 },
    { path: 'old name', similarity: 100 },
  ]);
});

test('a rename with changes has its percentage, and none is looked for when not asked', async () => {
  const { folder, git, write } = repository({ old: lines(1) });
  git(folder, 'mv', 'old', 'new');
  write('new', `${lines(1)}more\n`);
  git(folder, 'add', 'new');
  const [renamed] = (await statusOf(folder)).entries;
  expect(renamed).toMatchObject({ index: 'R', path: 'new', from: { path: 'old' } });
  const similarity = renamed?.kind === 'changed' ? renamed.from?.similarity : undefined;
  expect(similarity).toBeGreaterThan(80);
  expect(similarity).toBeLessThan(100);
  expect(brief((await statusOf(folder, { renames: false })).entries)).toEqual(['A. new', 'D. old']);
});

test('a copy is read as one where git is set to find them', () => {
  const { folder, git, write } = repository({ source: lines(1) });
  write('copy', lines(1));
  write('source', `${lines(1)}more\n`);
  git(folder, 'add', '--all');
  const output = git(folder, '-c', 'status.renames=copies', 'status', '--porcelain=v2', '-z');
  const { entries } = parseStatus(output);
  expect(brief(entries)).toEqual(['C. copy', 'M. source']);
  expect(entries[0]).toMatchObject({ from: { path: 'source', similarity: 100 } });
});

test('every kind of conflict has its name and its three versions', async () => {
  const { folder, git } = repository();
  const blobs = ['base', 'ours', 'theirs'].map((input) =>
    git(folder, 'hash-object', '-w', '--stdin', { input }).toString().trim(),
  );
  const kinds: Record<string, readonly number[]> = {
    'both-deleted': [1],
    'added-by-us': [2],
    'deleted-by-them': [1, 2],
    'added-by-them': [3],
    'deleted-by-us': [1, 3],
    'both-added': [2, 3],
    'both-modified': [1, 2, 3],
  };
  const input = Object.entries(kinds)
    .flatMap(([kind, stages]) => stages.map((stage) => `100644 ${blobs[stage - 1]} ${stage}\tfile ${kind}\0`))
    .join('');
  git(folder, 'update-index', '-z', '--index-info', { input });
  const { entries } = await statusOf(folder);
  expect(brief(entries).sort()).toEqual(
    Object.keys(kinds)
      .map((kind) => `${kind} file ${kind}`)
      .sort(),
  );
  const whole = entries.find(({ path }) => path === 'file both-modified');
  expect(whole).toEqual({
    kind: 'unmerged',
    path: 'file both-modified',
    conflict: 'both-modified',
    base: { mode: '100644', oid: blobs[0] },
    ours: { mode: '100644', oid: blobs[1] },
    theirs: { mode: '100644', oid: blobs[2] },
    worktreeMode: '000000',
    submodule: undefined,
  });
  expect(entries.find(({ path }) => path === 'file added-by-us')).toMatchObject({
    base: { mode: '000000', oid: undefined },
    ours: { oid: blobs[1] },
    theirs: { oid: undefined },
  });
});

test.runIf(process.platform !== 'win32')('type and mode changes are told', async () => {
  const { folder, git } = repository({ link: 'a', script: 'b', staged: 'c' });
  rmSync(join(folder, 'link'));
  symlinkSync('script', join(folder, 'link'));
  chmodSync(join(folder, 'script'), 0o755);
  rmSync(join(folder, 'staged'));
  symlinkSync('script', join(folder, 'staged'));
  git(folder, 'add', 'staged');
  const { entries } = await statusOf(folder);
  expect(brief(entries)).toEqual(['.T link', '.M script', 'T. staged']);
  expect(entries[0]).toMatchObject({ staged: { mode: '100644' }, worktreeMode: '120000' });
  expect(entries[1]).toMatchObject({ staged: { mode: '100644' }, worktreeMode: '100755' });
});

test('what is only intended to be added is new in the work tree', async () => {
  const { folder, git, write } = repository();
  write('later', 'x');
  git(folder, 'add', '--intent-to-add', 'later');
  const { entries } = await statusOf(folder);
  expect(brief(entries)).toEqual(['.A later']);
  expect(entries[0]).toMatchObject({
    head: { oid: undefined },
    staged: { oid: undefined },
    worktreeMode: '100644',
  });
});

test('a submodule says what is new, modified and untracked in it', async () => {
  const outer = repository();
  const inner = repository({ file: 'x' });
  for (const name of ['clean', 'commits', 'modified', 'untracked', 'everything'])
    outer.git(outer.folder, 'submodule', 'add', inner.folder, name);
  outer.git(outer.folder, 'commit', '-m', 'modules');
  for (const name of ['commits', 'everything'])
    outer.git(join(outer.folder, name), 'commit', '--allow-empty', '-m', 'new');
  for (const name of ['modified', 'everything']) outer.write(`${name}/file`, 'changed');
  for (const name of ['untracked', 'everything']) outer.write(`${name}/other`, 'new');
  const states = (entries: readonly StatusEntry[]) =>
    entries.map((entry) => [entry.path, entry.kind === 'changed' ? entry.submodule : undefined]);
  expect(states((await statusOf(outer.folder)).entries)).toEqual([
    ['commits', { newCommits: true, modified: false, untracked: false }],
    ['everything', { newCommits: true, modified: true, untracked: true }],
    ['modified', { newCommits: false, modified: true, untracked: false }],
    ['untracked', { newCommits: false, modified: false, untracked: true }],
  ]);
  expect(states((await statusOf(outer.folder, { shallowSubmodules: true })).entries)).toEqual([
    ['commits', { newCommits: true, modified: false, untracked: false }],
    ['everything', { newCommits: true, modified: false, untracked: false }],
  ]);
});

test('untracked folders are one entry, all their files when asked, and nothing when not wanted', async () => {
  const { folder, write } = repository();
  write('new/one', '1');
  write('new/deep/two', '2');
  expect(brief((await statusOf(folder)).entries)).toEqual(['untracked new/']);
  expect(brief((await statusOf(folder, { untracked: 'all' })).entries)).toEqual([
    'untracked new/deep/two',
    'untracked new/one',
  ]);
  expect((await statusOf(folder, { untracked: 'none' })).entries).toEqual([]);
});

test('ignored paths are there when asked for', async () => {
  const { folder, write } = repository({ '.gitignore': '*.log\nbuild/\n' });
  write('x.log', '1');
  write('build/out', '2');
  expect((await statusOf(folder)).entries).toEqual([]);
  expect(brief((await statusOf(folder, { ignored: true })).entries)).toEqual([
    'ignored build/',
    'ignored x.log',
  ]);
});

const odd = [
  'größe 日本',
  'two  blanks',
  ' lead',
  'trail ',
  "it's",
  'a"b',
  '"quoted"',
  'a\\b',
  '-dash',
  '--exec=x',
  '# branch.oid x',
  '2 R. x',
  'a\tb',
  'a\nb',
  '? x',
  'a -> b',
  ':(glob)*',
];

test.runIf(onLinux)('paths of every odd name are exact, in the index and untracked', async () => {
  const { folder, git, write } = repository();
  const latin1 = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from('caf\xe9', 'latin1')]);
  for (const name of odd) write(name, name);
  writeFileSync(latin1, 'x');
  const visible = [
    ...odd.filter((name) => !/["\n\t]/.test(name) || name === 'a"b'),
    String.raw`"\"quoted\""`,
    String.raw`"a\tb"`,
    String.raw`"a\nb"`,
    String.raw`"caf\351"`,
  ].sort();
  const paths = (status: Status) => status.entries.map(({ path }) => path).sort();
  const untracked = await statusOf(folder);
  expect(paths(untracked)).toEqual(visible);
  git(folder, 'add', '--all');
  const added = await statusOf(folder);
  expect(paths(added)).toEqual(visible);
  expect(added.entries.every((entry) => entry.kind === 'changed' && entry.index === 'A')).toBe(true);
  expect(added.branch).toEqual(untracked.branch);
});

test.runIf(onLinux)('a rename between odd names keeps both', async () => {
  const { folder, git } = repository({ 'old\nname ': lines(1) });
  renameSync(
    join(folder, 'old\nname '),
    Buffer.concat([Buffer.from(`${folder}/`), Buffer.from('n\xe9w \n2 x', 'latin1')]),
  );
  git(folder, 'add', '--all');
  const { entries } = await statusOf(folder);
  expect(entries).toHaveLength(1);
  expect(entries[0]).toMatchObject({
    path: String.raw`"n\351w \n2 x"`,
    index: 'R',
    from: { path: String.raw`"old\nname "` },
  });
});

test('only the paths asked for are told, taken as they are written', async () => {
  const { folder, write } = repository();
  for (const name of ['a', 'sub/b', 'sub/c']) write(name, 'x');
  const options = { untracked: 'all', paths: ['sub/b', '*'] } as const;
  expect(brief((await statusOf(folder, options)).entries)).toEqual(['untracked sub/b']);
});

test('a detached HEAD has a commit and no branch', async () => {
  const { folder, git } = repository();
  git(folder, 'checkout', '--detach');
  const { branch } = await statusOf(folder);
  expect(branch).toMatchObject({ head: undefined, commit: expect.stringMatching(/^[0-9a-f]{40}$/) });
});

test('before the first commit there is a branch and no commit', async () => {
  const { folder, git, write } = scratch();
  git(folder, 'init');
  write('file', 'x');
  git(folder, 'add', 'file');
  expect(await statusOf(folder)).toMatchObject({
    branch: { commit: undefined, head: 'main', upstream: undefined },
    entries: [{ path: 'file', index: 'A', worktree: '.' }],
  });
});

test('an upstream counts the commits of each side, and none when it is gone', async () => {
  const { folder, git } = repository();
  git(folder, 'branch', 'up');
  git(folder, 'branch', '--set-upstream-to=up');
  expect((await statusOf(folder)).branch).toMatchObject({ upstream: 'up', track: { ahead: 0, behind: 0 } });
  git(folder, 'commit', '--allow-empty', '-m', 'one');
  git(folder, 'commit', '--allow-empty', '-m', 'two');
  git(
    folder,
    'branch',
    '--force',
    'up',
    git(folder, 'commit-tree', 'HEAD~2^{tree}', '-p', 'HEAD~2', '-m', 'x').toString().trim(),
  );
  expect((await statusOf(folder)).branch).toMatchObject({ upstream: 'up', track: { ahead: 2, behind: 1 } });
  git(folder, 'branch', '-D', 'up');
  expect((await statusOf(folder)).branch).toMatchObject({ upstream: 'up', track: undefined });
});

test('a branch of any name is told as it is called', async () => {
  const { folder, git } = repository();
  for (const name of ['größe', 'it"s', '(initial)', '#stash\u00a09']) {
    git(folder, 'switch', '--create', name);
    expect((await statusOf(folder)).branch.head).toBe(name);
  }
});

test('stashes are counted', async () => {
  const { folder, git, write } = repository({ file: '0' });
  for (const content of ['1', '2']) {
    write('file', content);
    git(folder, 'stash');
  }
  expect((await statusOf(folder)).stashes).toBe(2);
});

test('a repository of SHA-256 has its longer names', async () => {
  const { folder, git, write } = scratch();
  git(folder, 'init', '--object-format=sha256');
  write('file', 'x');
  git(folder, 'add', 'file');
  git(folder, 'commit', '-m', 'one');
  write('file', 'y');
  const { branch, entries } = await statusOf(folder);
  expect(branch.commit).toMatch(/^[0-9a-f]{64}$/);
  expect(entries).toMatchObject([{ path: 'file', staged: { oid: expect.stringMatching(/^[0-9a-f]{64}$/) } }]);
});

test('of output that was cut the whole entries are read', async () => {
  const { folder, git } = repository({ 'a-old': lines(1), b: 'b' });
  git(folder, 'mv', 'a-old', 'a-new');
  git(folder, 'rm', 'b');
  const output = await printed(folder, statusCommand());
  const whole = parseStatus(output).entries;
  expect(brief(whole)).toEqual(['R. a-new', 'D. b']);
  for (let length = 0; length < output.length; length++) {
    const read = parseStatus(output.subarray(0, length)).entries;
    expect(read).toEqual(whole.slice(0, read.length));
  }
});

test('what git never prints is an error', () => {
  const zero = '0'.repeat(40);
  for (const record of [
    'x what',
    '1 M. N... 100644',
    `1 Q. N... 100644 100644 100644 ${zero} ${zero} file`,
    `u XX N... 100644 100644 100644 100644 ${zero} ${zero} ${zero} file`,
  ]) {
    expect(() => parseStatus(Buffer.from(`${record}\0`))).toThrow(
      expect.objectContaining({
        code: 'git-failed',
        message: expect.stringContaining('git printed an unexpected'),
      }),
    );
  }
});
