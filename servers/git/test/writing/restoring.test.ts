import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { scratch } from '../scratch.ts';
import { full } from '../seeds.ts';
import { made } from './repository.ts';
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

const names = ['a', 'b', 'dir/c', 'dir/d', 'dir', 'e', 'x.log'] as const;
const texts = ['one\n', 'two\n', 'three\n', 'no end', ''];

/** A step that changes the work tree, the index or history. */
const steps = fc.array(
  fc.tuple(
    fc.constantFrom(
      'write',
      'write',
      'write',
      'delete',
      'link',
      'executable',
      'stage',
      'stage',
      'stage',
      'commit',
    ),
    fc.constantFrom(...names),
    fc.constantFrom(...texts),
  ),
  { minLength: 10, maxLength: 24 },
);
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

/** A repository of three commits that went through the steps. */
function repositoryOf(taken: readonly (readonly [string, string, string])[]): string {
  const { folder, git } = repositories;
  const repo = join(folder, `restored-${++count}`);
  git(folder, 'init', '-q', repo);
  for (const setting of ['user.name=Ann', 'user.email=ann@example.org'])
    git(repo, 'config', ...setting.split('='));
  writeFileSync(join(repo, '.gitignore'), '*.log\n');
  for (const [name, text] of [
    ['a', 'one\n'],
    ['e', 'two\n'],
  ] as const)
    writeFileSync(join(repo, name), text);
  const commit = (): void => void git(repo, 'commit', '-q', '--allow-empty', '-m', 'more');
  git(repo, 'add', '.');
  commit();
  commit();
  for (const [step, name, text] of taken) {
    const place = join(repo, name);
    const above = lstatSync(dirname(place), { throwIfNoEntry: false });
    const there = above?.isDirectory() === true ? lstatSync(place, { throwIfNoEntry: false }) : undefined;
    if (step === 'commit') commit();
    else if (step === 'stage') git(repo, 'add', '--all', '--force', '--', name, { okay: [0, 128] });
    else if (step === 'executable') {
      if (there?.isFile() === true) chmodSync(place, 0o755);
    } else {
      if (above?.isDirectory() === false) rmSync(dirname(place));
      rmSync(place, { recursive: true, force: true });
      mkdirSync(dirname(place), { recursive: true });
      if (step === 'write') writeFileSync(place, text);
      if (step === 'link') symlinkSync(`nowhere-${count++}`, place);
    }
  }
  return repo;
}

test('a dry run tells what the call then does, and the undo brings back every byte, in any state', {
  timeout: 600_000,
}, async () => {
  const seen = { restored: 0, undone: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(
      steps,
      fc.constantFrom(...forms),
      fc.constantFrom(['.'], ['.'], ['a'], ['dir'], ['a', 'dir', 'e']),
      async (taken, form, paths) => {
        const repo = repositoryOf(taken);
        const client = await served.client([repo]);
        const before = lookAt(repositories, repo);
        const args = { repo_path: repo, paths, ...form, confirm: true };
        const dry = await call<Facts>(client, 'git_restore', { ...args, dry_run: true });
        expect(lookAt(repositories, repo)).toEqual(before);
        const done = await call<Facts>(client, 'git_restore', args);
        const after = lookAt(repositories, repo);
        expect(done.failed).toBe(dry.failed);
        if (done.failed) {
          expect([done.code, after]).toEqual([dry.code, before]);
          seen.refused++;
          return;
        }
        const { files, index, discarded } = dry.facts;
        expect([done.facts.files, done.facts.index, done.facts.discarded]).toEqual([files, index, discarded]);
        const told = Object.fromEntries((files ?? []).map(({ path, change }) => [path, change]));
        expect(told).toEqual(changesBetween(before.files, after.files));
        const pathsOf = (entries: readonly string[]) => new Set(entries.map((entry) => entry.split('\t')[1]));
        const differing = [...pathsOf([...before.index, ...after.index])].filter(
          (path) =>
            before.index.find((entry) => entry.endsWith(`\t${path}`)) !==
            after.index.find((entry) => entry.endsWith(`\t${path}`)),
        );
        expect((index ?? []).map(({ path }) => path)).toEqual(differing.toSorted());
        if ((files ?? []).length + (index ?? []).length === 0) return;
        seen.restored++;
        if (done.undo === undefined) {
          expect((discarded ?? []).map(({ what }) => what)).toContain('untracked');
          return;
        }
        seen.undone++;
        await takeBack(client, repo, done.undo);
        expect(lookAt(repositories, repo)).toEqual(before);
      },
    ),
    { numRuns: full ? 300 : 14, ...(full ? {} : { seed: 7 }), endOnFailure: true },
  );
  expect([seen.restored > 0, seen.undone > 0]).toEqual([true, true]);
});
