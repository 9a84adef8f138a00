import { chmodSync, existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Client } from '@rootbound/protocol/client';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { scratch } from '../scratch.ts';
import { made } from './repository.ts';
import { makeState, type Path, type State, states, type Version } from './states.ts';
import { changesBetween, lookAt, takeBack } from './undoing.ts';

interface Facts {
  files?: { path: string; change: string; mode?: string }[];
  index?: { path: string; before?: string; after?: string; mode?: string }[];
  discarded?: { path: string; what: string }[];
  undo?: string;
  sparse?: number;
}

const served = new Served();

test('a clean tree restored from another commit tells each file, in a dry run as in the call, and comes back', async () => {
  const repository = made();
  const { folder, git, write } = repository;
  write('old', 'gone\n');
  chmodSync(join(folder, 'b'), 0o755);
  git(folder, 'add', '.');
  git(folder, 'commit', '-qm', 'second');
  git(folder, 'rm', '-q', 'old');
  write('a', 'three\n');
  write('new', 'new\n');
  git(folder, 'add', '.');
  git(folder, 'commit', '-qm', 'third');
  const client = await served.client([folder]);
  const before = lookAt(repository, folder);
  const args = { paths: ['.'], source: 'HEAD~1' };
  const dry = await call<Facts>(client, 'git_restore', { ...args, dry_run: true });
  const files = [
    { path: 'a', change: 'changed' },
    { path: 'new', change: 'deleted' },
    { path: 'old', change: 'created', mode: '100644' },
  ];
  expect([dry.facts.files, dry.facts.discarded, dry.text]).toEqual([
    files,
    undefined,
    'would restore 3 files of the work tree\nM a\nD new\nA old',
  ]);
  expect(lookAt(repository, folder)).toEqual(before);
  const done = await call<Facts>(client, 'git_restore', args);
  expect([done.facts.files, done.text]).toEqual([
    files,
    'restored 3 files of the work tree\nM a\nD new\nA old',
  ]);
  await takeBack(client, folder, done.undo!);
  expect(lookAt(repository, folder)).toEqual(before);
});

test('modes, kinds and paths of the index are told alone and with the work tree', async () => {
  const repository = made();
  const { folder, git } = repository;
  chmodSync(join(folder, 'b'), 0o755);
  rmSync(join(folder, 'a'));
  symlinkSync('b', join(folder, 'a'));
  git(folder, 'add', '.');
  git(folder, 'commit', '-qm', 'second');
  const before = lookAt(repository, folder);
  const client = await served.client([folder]);
  for (const form of [{}, { staged: true }, { staged: true, worktree: true }]) {
    const args = { paths: ['a', 'b'], source: 'HEAD~1', ...form };
    const dry = await call<Facts>(client, 'git_restore', { ...args, dry_run: true });
    const done = await call<Facts>(client, 'git_restore', args);
    const modes = [
      ['a', '120000 -> 100644'],
      ['b', '100755 -> 100644'],
    ];
    const of = ({ files, index }: Facts) =>
      [files, index].map((some) => some?.map(({ path, mode }) => [path, mode]));
    expect(of(dry.facts)).toEqual(of(done.facts));
    expect(of(done.facts)).toEqual([
      'staged' in form && !('worktree' in form) ? undefined : modes,
      'staged' in form ? modes : undefined,
    ]);
    await takeBack(client, folder, done.undo!);
    expect(lookAt(repository, folder)).toEqual(before);
  }
});

test('a name that stands for nothing is refused by the dry run as by the call, and nothing is restored', async () => {
  const repository = made();
  const { folder, write } = repository;
  write('a', 'mine\n');
  const client = await served.client([folder]);
  for (const dry_run of [true, false]) {
    const args = { paths: ['a', 'missing'], dry_run, confirm: true };
    expect((await call(client, 'git_restore', args)).code).toBe('not-found');
  }
  expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('mine\n');
});

test('a file that is only intended to be added keeps its content', async () => {
  const { folder, git, write } = made();
  write('i', 'mine\n');
  git(folder, 'add', '--intent-to-add', 'i');
  const client = await served.client([folder]);
  await call(client, 'git_restore', { paths: ['.'], confirm: true });
  expect(readFileSync(join(folder, 'i'), 'utf8')).toBe('mine\n');
});

test('what lies outside of a sparse checkout stays as it is, and is counted', async () => {
  const repository = made();
  const { folder, git, write } = repository;
  write('in/x', 'one\n');
  write('out/x', 'one\n');
  git(folder, 'add', '.');
  git(folder, 'commit', '-qm', 'second');
  for (const name of ['in/x', 'out/x']) write(name, 'two\n');
  git(folder, 'commit', '-qam', 'third');
  git(folder, 'sparse-checkout', 'set', 'in');
  const before = lookAt(repository, folder);
  const client = await served.client([folder]);
  const { facts, undo } = await call<Facts>(client, 'git_restore', { paths: ['.'], source: 'HEAD~1' });
  expect([facts.files?.map(({ path }) => path), facts.sparse]).toEqual([['in/x'], 1]);
  expect(existsSync(join(folder, 'out'))).toBe(false);
  await takeBack(client, folder, undo!);
  expect(lookAt(repository, folder)).toEqual(before);
});

test('a submodule is never replaced by a file, and its commit in the index comes back', async () => {
  const repository = made();
  const { folder, git, write } = repository;
  write('s', 'a file\n');
  git(folder, 'add', '.');
  git(folder, 'commit', '-qm', 'file');
  rmSync(join(folder, 's'));
  git(folder, 'init', '-q', 's');
  git(join(folder, 's'), 'commit', '-q', '--allow-empty', '-m', 'inner');
  git(folder, 'add', 's');
  git(folder, 'commit', '-qm', 'submodule');
  const client = await served.client([folder]);
  const before = lookAt(repository, folder);
  for (const dry_run of [true, false]) {
    const { code } = await call(client, 'git_restore', { paths: ['s'], source: 'HEAD~1', dry_run });
    expect(code).toBe('unsupported');
  }
  const { undo } = await call(client, 'git_restore', { paths: ['s'], source: 'HEAD~1', staged: true });
  await takeBack(client, folder, undo!);
  expect([lookAt(repository, folder), existsSync(join(folder, 's/.git'))]).toEqual([before, true]);
});

const forms = [
  {},
  { source: 'HEAD~1' },
  { source: 'HEAD~1', staged: true, worktree: true },
  { source: 'HEAD~1', staged: true },
  { staged: true },
  { staged: true, worktree: true },
];
const repositories = scratch();
let count = 0;

/** Restores in a repository, checks what is told and takes it back; returns the call, with what it changed. */
async function restoredAndTakenBack(client: Client, state: State, given: Record<string, unknown>) {
  const repo = makeState(repositories, `restored-${++count}`, state);
  const before = lookAt(repositories, repo);
  const args = { repo_path: repo, confirm: true, ...given };
  const dry = await call<Facts>(client, 'git_restore', { ...args, dry_run: true });
  expect(lookAt(repositories, repo)).toEqual(before);
  const done = await call<Facts>(client, 'git_restore', args);
  const after = lookAt(repositories, repo);
  expect(done.failed).toBe(dry.failed);
  if (done.failed) {
    expect([done.code, after]).toEqual([dry.code, before]);
    return { done, changes: 0 };
  }
  const { files = [], index = [], discarded } = dry.facts;
  expect([done.facts.files ?? [], done.facts.index ?? [], done.facts.discarded]).toEqual([
    ...[files, index, discarded],
  ]);
  const reported = Object.fromEntries(files.map(({ path, change }) => [path, change]));
  expect(reported).toEqual(changesBetween(before.files, after.files));
  expect(index.map(({ path }) => path)).toEqual(differingIn(before.index, after.index));
  if (done.undo !== undefined) {
    await takeBack(client, repo, done.undo);
    expect(lookAt(repositories, repo)).toEqual(before);
  }
  return { done, changes: files.length + index.length };
}

function differingIn(...[before, after]: [before: readonly string[], after: readonly string[]]): string[] {
  const [was, is] = [before, after].map(
    (entries) => new Map(entries.map((entry) => entry.split('\t').toReversed() as [string, string])),
  ) as [Map<string, string>, Map<string, string>];
  const paths = [...new Set([...was.keys(), ...is.keys()])].filter((path) => was.get(path) !== is.get(path));
  return paths.toSorted((one, other) => (one < other ? -1 : 1));
}

/** Paths, each with its versions in HEAD~1, in HEAD, in the index and in the work tree. */
type Versions = Readonly<Record<string, string>>;

function stateOf(versions: Versions): State {
  const paths = Object.entries(versions).map(([path, text]) => {
    const [source, head, index, work] = text.split(' ') as Version[];
    return [path, { source: source!, head: head!, index: index!, work: work! }];
  });
  return Object.fromEntries(paths);
}

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => String(from + at));
const many = (versions: string, folder = 'many') =>
  Object.fromEntries(numbers(10, 35).map((number) => [`${folder}/${number}`, versions]));

describe('a restore is taken back', () => {
  test.each<[string, Versions, Record<string, unknown>]>([
    [
      'a new file that is staged and missing is missing again',
      { 'dir/c': 'none none two none', 'dir/d': 'none none none one', e: 'one one one two' },
      { paths: ['.'] },
    ],
    [
      'so it is where the index is restored, too',
      { a: 'one none two none', e: 'one none none none', b: 'two one two three' },
      { paths: ['.'], source: 'HEAD~1', staged: true, worktree: true },
    ],
    [
      'and where more files come back than a call names',
      { ...many('one one one two'), a: 'none none two none', b: 'one none three none' },
      { paths: ['.'], source: 'HEAD~1' },
    ],
    [
      'and where more entries come back than a call names',
      { ...many('one two three two'), a: 'none none two none', b: 'one none three none' },
      { paths: ['.'], source: 'HEAD~1', staged: true, worktree: true },
    ],
    [
      'and where it is in a folder that had become one from a file',
      { dir: 'none executable none none', 'dir/c': 'none none link link', 'dir/d': 'none none link none' },
      { paths: ['.'], staged: true, worktree: true },
    ],
    [
      'an untracked file with the bytes of the source stays',
      { a: 'one none none one', b: 'one two two two' },
      { paths: ['.'], source: 'HEAD~1', staged: true, worktree: true },
    ],
    [
      'so it does among many changed ones',
      { ...many('one one one two'), a: 'one none none one', b: 'one two none one', e: 'one one two two' },
      { paths: ['.'], source: 'HEAD~1', staged: true, worktree: true },
    ],
    [
      'of the names of a caller those alone are told that git knows then',
      { ...many('one two two two'), 'dir/c': 'one none none none' },
      { paths: ['many', 'dir'], source: 'HEAD~1' },
    ],
    [
      'a name that was a folder leaves alone what was staged in it',
      { dir: 'one none none none', 'dir/c': 'none two two two', 'dir/d': 'none two none none' },
      { paths: ['.'], source: 'HEAD~1', staged: true, worktree: true },
    ],
    [
      'many entries come back beside others that are staged',
      { ...many('one two two two'), a: 'three two three one' },
      { paths: ['.'], source: 'HEAD~1', staged: true },
    ],
    [
      'an ignored file is tracked again',
      { 'x.log': 'none one two two' },
      { paths: ['.'], source: 'HEAD~1', staged: true },
    ],
  ])('%s', async (_, versions, args) => {
    const client = await served.client([repositories.folder]);
    const { done, changes } = await restoredAndTakenBack(client, stateOf(versions), args);
    expect([changes > 0, done.undo]).toEqual([true, expect.any(String)]);
  });
});

describe('no undo is told', () => {
  test.each<[string, Versions, Record<string, unknown>]>([
    ['where an empty folder was in the place of a file', { b: 'one one one folder' }, { paths: ['.'] }],
    [
      'where an intent to add is replaced by what is staged',
      { b: 'one none intended one' },
      { paths: ['.'], source: 'HEAD~1', staged: true },
    ],
    [
      'where a link was in the place of a folder, and what it leads to is none of the files there',
      { dir: 'none none none far', 'dir/c': 'one none none none', 'far/c': 'one one one one' },
      { paths: ['.'], source: 'HEAD~1' },
    ],
    [
      'where a missing file was staged in the place of a folder of HEAD',
      { dir: 'none none two none', 'dir/c': 'none one none none' },
      { paths: ['.'] },
    ],
  ])('%s', async (_, versions, args) => {
    const client = await served.client([repositories.folder]);
    const { done, changes } = await restoredAndTakenBack(client, stateOf(versions), args);
    expect([changes > 0, done.undo]).toEqual([true, undefined]);
  });
});

test('an entry comes into the index in the place of a file above it where that is restored, too', async () => {
  const client = await served.client([repositories.folder]);
  const state = stateOf({ dir: 'none one one one', 'dir/c': 'one none none none' });
  for (const worktree of [true, false]) {
    const args = { source: 'HEAD~1', staged: true, worktree };
    const { done } = await restoredAndTakenBack(client, state, { ...args, paths: ['dir/c'] });
    expect([done.code, done.text]).toEqual(['local-changes', expect.stringContaining('dir')]);
    const { changes, done: both } = await restoredAndTakenBack(client, state, { ...args, paths: ['dir'] });
    expect([changes, both.undo]).toEqual([worktree ? 4 : 2, expect.any(String)]);
  }
});

test('a missing new file whose hunk was discarded is missing again', async () => {
  const repository = made();
  const { folder, git, write } = repository;
  write('new', 'new\n');
  git(folder, 'add', 'new');
  rmSync(join(folder, 'new'));
  const before = lookAt(repository, folder);
  const client = await served.client([folder]);
  const diff = await call<{ hunks: { ids: { id: string }[] }[] }>(client, 'git_diff');
  const hunks = diff.facts.hunks.flatMap(({ ids }) => ids.map(({ id }) => ({ id })));
  const { undo } = await call(client, 'git_restore', { hunks, confirm: true });
  expect(readFileSync(join(folder, 'new'), 'utf8')).toBe('new\n');
  await takeBack(client, folder, undo!);
  expect(lookAt(repository, folder)).toEqual(before);
});

test('a mode of the index comes back where git takes none from the work tree', async () => {
  const repository = made();
  const { folder, git, write } = repository;
  git(folder, 'config', 'core.fileMode', 'false');
  write('new', 'new\n');
  git(folder, 'add', 'new');
  git(folder, 'update-index', '--chmod=+x', 'b', 'new');
  const before = lookAt(repository, folder);
  const client = await served.client([folder]);
  for (const [tool, args] of [
    ['git_restore', { paths: ['.'], staged: true }],
    ['git_reset', {}],
  ] as const) {
    const { undo } = await call(client, tool, args);
    await takeBack(client, folder, undo!);
    expect(lookAt(repository, folder)).toEqual(before);
  }
});

/** Why a restore of a state may not be taken back, beside what it writes over. */
function isWithoutSnapshot(state: State): boolean {
  const isFile = (path: string, side: keyof Path) =>
    !['none', 'folder', 'intended', undefined].includes(state[path]?.[side]);
  const paths = Object.keys(state);
  return paths.some((path) => {
    const folder = dirname(path);
    const inside = paths.filter((other) => dirname(other) === path);
    const [head, index, work] = [isFile(path, 'head'), isFile(path, 'index'), isFile(path, 'work')];
    return (
      state[path]!.index === 'intended' ||
      // a folder is in the place of a file, or a file in that of a folder
      (index && (state[path]!.work === 'folder' || inside.some((other) => isFile(other, 'work')))) ||
      ((head || index) && isFile(folder, 'work')) ||
      // git cannot tell the untracked file from a tracked one, and that is in the way
      (head && !index && work && [folder, ...inside].some((other) => isFile(other, 'index'))) ||
      (index && !work && inside.some((other) => isFile(other, 'head')))
    );
  });
}

function isKnown(state: State, name: string): boolean {
  return Object.entries(state).some(
    ([path, { source, index }]) =>
      (name === '.' || path === name || path.startsWith(`${name}/`)) &&
      (source !== 'none' || index !== 'none'),
  );
}

test('a dry run tells what the call then does, and the undo brings back every byte, in any state', {
  timeout: 1_800_000,
}, async () => {
  const seen = { undone: 0, lost: 0 };
  const client = await served.client([repositories.folder]);
  await fc.assert(
    fc.asyncProperty(
      states,
      fc.constantFrom(...forms),
      fc.constantFrom(
        ['.'],
        ['.'],
        ['.'],
        ['a', 'b'],
        ['dir'],
        ['a', 'dir', 'e', 'far'],
        ['many', 'b', 'dir/c'],
      ),
      async (state, form, named) => {
        const paths = ['.gitignore', ...named.filter((name) => isKnown(state, name))];
        const { done, changes } = await restoredAndTakenBack(client, state, { paths, ...form });
        if (changes === 0) return;
        seen[done.undo === undefined ? 'lost' : 'undone']++;
        const overwritten = done.facts.discarded?.some(({ what }) => what === 'untracked') === true;
        expect(done.undo !== undefined || overwritten || isWithoutSnapshot(state)).toBe(true);
      },
    ),
    { numRuns: 40, endOnFailure: true },
  );
  expect(seen.undone).toBeGreaterThan(0);
});
