import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type GitFiles, readOperations } from '../../src/porcelain/operation.ts';
import { copies, type Scratch } from '../scratch.ts';

/** Branches `main` and `side` with commits m1 to m3 and s1 to s3 on a common one; each pair changes the same file. */
const pairs = copies(({ folder, git, write }) => {
  const commit = (name: string, file: string) => {
    write(file, `${name}\n`);
    git(folder, 'add', '--all');
    git(folder, 'commit', '-m', name);
    git(folder, 'tag', name);
  };
  git(folder, 'init', '--template=');
  for (const file of ['1', '2', '3']) write(file, 'base\n');
  commit('base', 'other');
  git(folder, 'switch', '--create', 'side');
  for (const at of ['1', '2', '3']) commit(`s${at}`, at);
  git(folder, 'switch', 'main');
  for (const at of ['1', '2', '3']) commit(`m${at}`, at);
});

function repository(): Scratch & { oid(revision: string): string } {
  const made = pairs();
  const { folder, git } = made;
  return { ...made, oid: (revision) => git(folder, 'rev-parse', `${revision}^{commit}`).toString().trim() };
}

function filesOf(folder: string): GitFiles {
  const path = (name: string) => join(folder, '.git', name);
  return {
    read: (name) => (existsSync(path(name)) ? readFileSync(path(name)) : undefined),
    has: (name) => existsSync(path(name)),
  };
}

const operationsOf = (folder: string) => readOperations(filesOf(folder));
const stops = { okay: [0, 1] };

test('a repository that is not in the middle of anything has no operation', () => {
  expect(operationsOf(repository().folder)).toEqual([]);
});

test('a merge has the heads that it merges, one or many', () => {
  const { folder, git, oid } = repository();
  git(folder, 'merge', 'side', stops);
  expect(operationsOf(folder)).toEqual([{ kind: 'merge', heads: [oid('side')], autostash: undefined }]);
  git(folder, 'merge', '--abort');
  for (const name of ['x', 'y']) {
    git(folder, 'switch', '--create', name, 'base');
    git(folder, 'commit', '--allow-empty', '-m', name);
  }
  git(folder, 'switch', 'main');
  git(folder, 'merge', '--no-commit', 'x', 'y');
  expect(operationsOf(folder)).toEqual([
    { kind: 'merge', heads: [oid('x'), oid('y')], autostash: undefined },
  ]);
});

test('changes that a merge or a rebase put aside are told', () => {
  const { folder, git, write } = repository();
  write('other', 'changed');
  git(folder, 'merge', '--autostash', 'side', stops);
  expect(operationsOf(folder)).toMatchObject([
    { kind: 'merge', autostash: expect.stringMatching(/^[0-9a-f]{40}$/) },
  ]);
  git(folder, 'merge', '--abort');
  git(folder, 'rebase', '--autostash', 'side', stops);
  expect(operationsOf(folder)).toMatchObject([
    { kind: 'rebase', autostash: expect.stringMatching(/^[0-9a-f]{40}$/) },
  ]);
});

test('a rebase says which branch it moves, at which step it is, and what is left', () => {
  const { folder, git, oid } = repository();
  git(folder, 'rebase', 'side', stops);
  expect(operationsOf(folder)).toEqual([
    {
      kind: 'rebase',
      backend: 'merge',
      branch: 'refs/heads/main',
      onto: oid('side'),
      original: oid('m3'),
      steps: { current: 1, total: 3 },
      commit: oid('m1'),
      amending: false,
      todo: ['m2', 'm3'].map((name) => ({ command: 'pick', commit: oid(name), text: name })),
      autostash: undefined,
    },
  ]);
  git(folder, 'rebase', '--skip', stops);
  expect(operationsOf(folder)).toMatchObject([
    { steps: { current: 2, total: 3 }, commit: oid('m2'), todo: [{ text: 'm3' }] },
  ]);
  git(folder, 'rebase', '--abort');
  expect(operationsOf(folder)).toEqual([]);
});

test('a rebase of a detached HEAD moves no branch, and one that stops to amend says so', () => {
  const { folder, git, oid } = repository();
  git(folder, 'checkout', '--detach');
  const environment = { GIT_SEQUENCE_EDITOR: "sed -i -e 's/^pick/edit/' -e '3 a exec true # x'" };
  git(folder, 'rebase', '--interactive', 'base', { environment });
  expect(operationsOf(folder)).toMatchObject([
    {
      kind: 'rebase',
      branch: undefined,
      original: oid('m3'),
      amending: true,
      steps: { current: 1, total: 4 },
      todo: [
        { command: 'edit' },
        { command: 'edit' },
        { command: 'exec', commit: undefined, text: 'true # x' },
      ],
    },
  ]);
});

test('a merge inside of a rebase comes after it', () => {
  const { folder, git, write, oid } = repository();
  for (const name of ['one', 'two']) {
    git(folder, 'switch', '--create', name, 'base');
    write('3', name);
    git(folder, 'commit', '--all', '-m', name);
  }
  git(folder, 'merge', 'one', stops);
  write('3', 'both');
  git(folder, 'commit', '--all', '-m', 'merged');
  git(folder, 'rebase', '--rebase-merges', 's1', stops);
  const [rebase, merge, ...others] = operationsOf(folder);
  expect(rebase).toMatchObject({ kind: 'rebase', branch: 'refs/heads/two', onto: oid('s1'), todo: [] });
  expect(merge).toMatchObject({ kind: 'merge', heads: [expect.stringMatching(/^[0-9a-f]{40}$/)] });
  expect(others).toEqual([]);
});

test('a rebase by patches says the same as one by commits', () => {
  const { folder, git, oid } = repository();
  git(folder, 'rebase', '--apply', 'side', stops);
  expect(operationsOf(folder)).toEqual([
    {
      kind: 'rebase',
      backend: 'apply',
      branch: 'refs/heads/main',
      onto: oid('side'),
      original: oid('m3'),
      steps: { current: 1, total: 3 },
      commit: oid('m1'),
      amending: false,
      todo: [],
      autostash: undefined,
    },
  ]);
});

test('patches of a mailbox are counted, and one without a patch is told', () => {
  const { folder, git, oid } = repository();
  const patches = git(folder, 'format-patch', '--stdout', 'base..side');
  git(folder, 'am', { input: patches, okay: [128] });
  expect(operationsOf(folder)).toEqual([
    { kind: 'am', steps: { current: 1, total: 3 }, empty: false, original: oid('m3') },
  ]);
  git(folder, 'am', '--skip', { okay: [128] });
  expect(operationsOf(folder)).toMatchObject([{ kind: 'am', steps: { current: 2, total: 3 } }]);
  git(folder, 'am', '--abort');
  const letter = 'From: A <a@example.org>\nSubject: nothing\n\nno patch\n';
  git(folder, 'am', { input: `From x Thu Jan 1 00:00:00 2026\n${letter}`, okay: [128] });
  expect(operationsOf(folder)).toMatchObject([{ kind: 'am', empty: true }]);
});

for (const [kind, verb] of [
  ['cherry-pick', 'pick'],
  ['revert', 'revert'],
] as const) {
  test(`a single ${kind} has its commit and nothing after it`, () => {
    const { folder, git, oid } = repository();
    const commit = kind === 'revert' ? conflicting(folder, git) : 's1';
    git(folder, kind, commit, stops);
    expect(operationsOf(folder)).toEqual([
      { kind, commit: oid(commit), remaining: 1, todo: [], original: undefined },
    ]);
    git(folder, kind, '--abort');
    expect(operationsOf(folder)).toEqual([]);
  });

  test(`a sequence of ${kind} counts what is left, also when the commit it stopped at is dealt with`, () => {
    const { folder, git, write, oid } = repository();
    const commits = kind === 'revert' ? ['s3', 's2', 's1'] : ['s1', 's2', 's3'];
    const original = oid('HEAD');
    git(folder, kind, '--no-edit', ...commits, stops);
    const left = commits.map((name) => {
      return {
        command: verb,
        commit: expect.stringMatching(new RegExp(`^${oid(name).slice(0, 7)}`)),
        text: name,
      };
    });
    expect(operationsOf(folder)).toEqual([
      { kind, commit: oid(commits[0]!), remaining: 3, todo: left.slice(1), original },
    ]);
    write(commits[0]!.slice(1), 'resolved\n');
    git(folder, 'add', '--all');
    git(folder, 'commit', '-m', 'by hand');
    expect(operationsOf(folder)).toEqual([
      { kind, commit: undefined, remaining: 2, todo: left.slice(1), original },
    ]);
    git(folder, kind, '--continue', stops);
    expect(operationsOf(folder)).toMatchObject([{ kind, commit: oid(commits[1]!), remaining: 2, original }]);
  });
}

function conflicting(folder: string, git: Scratch['git']): string {
  git(folder, 'merge', '--strategy=ours', 'side');
  return 's1';
}

test('a bisection has its terms, what was judged, and what comes next', () => {
  const { folder, git, oid } = repository();
  git(folder, 'bisect', 'start', 'HEAD', 'base');
  const [started] = operationsOf(folder);
  expect(started).toEqual({
    kind: 'bisect',
    start: 'main',
    terms: { bad: 'bad', good: 'good' },
    bad: oid('m3'),
    good: [oid('base')],
    skipped: [],
    expected: oid('HEAD'),
    found: undefined,
  });
  git(folder, 'bisect', 'skip');
  const [skipped] = operationsOf(folder);
  expect(skipped).toMatchObject({
    skipped: [(started as { expected: string }).expected],
    expected: oid('HEAD'),
  });
  git(folder, 'bisect', 'reset');
  expect(operationsOf(folder)).toEqual([]);
});

test('a bisection by other words finds its commit', () => {
  const { folder, git, oid } = repository();
  git(folder, 'checkout', '--detach', 'm3');
  git(folder, 'bisect', 'start', '--term-new=fixed', '--term-old=broken');
  expect(operationsOf(folder)).toMatchObject([
    { start: oid('m3'), bad: undefined, good: [], expected: undefined },
  ]);
  git(folder, 'bisect', 'fixed', 'm3');
  git(folder, 'bisect', 'broken', 'm1');
  git(folder, 'bisect', 'fixed');
  expect(operationsOf(folder)).toMatchObject([
    { terms: { bad: 'fixed', good: 'broken' }, bad: oid('m2'), good: [oid('m1')], found: oid('m2') },
  ]);
});

test('a bisection is told beside another operation', () => {
  const { folder, git } = repository();
  git(folder, 'bisect', 'start');
  git(folder, 'merge', 'side', stops);
  expect(operationsOf(folder).map(({ kind }) => kind)).toEqual(['merge', 'bisect']);
});

test('a revert inside of a rebase is told after it, and its own picks are not', () => {
  const { folder, git, write } = repository();
  const environment = { GIT_SEQUENCE_EDITOR: "sed -i 's/^pick/edit/'" };
  git(folder, 'rebase', '--interactive', 'base', { environment });
  git(folder, 'revert', 's1', { okay: [0, 1] });
  expect(operationsOf(folder).map(({ kind }) => kind)).toEqual(['rebase', 'revert']);
  git(folder, 'revert', '--quit');
  git(folder, 'reset', '--hard');
  git(folder, 'rebase', '--abort');
  // a commit that has become empty
  git(folder, 'switch', '--create', 'again', 'base');
  write('1', 's1\n');
  git(folder, 'commit', '--all', '-m', 'again');
  git(folder, 'rebase', '--empty=ask', '--reapply-cherry-picks', 'side', stops);
  expect(existsSync(join(folder, '.git', 'CHERRY_PICK_HEAD'))).toBe(true);
  expect(operationsOf(folder).map(({ kind }) => kind)).toEqual(['rebase']);
});

test('files that hold nonsense are read as far as they make sense', () => {
  const { folder, git, write } = repository();
  git(folder, 'rebase', 'side', stops);
  for (const name of ['onto', 'orig-head', 'msgnum', 'head-name'])
    write(`.git/rebase-merge/${name}`, Buffer.from('\xff\0 x\n', 'latin1'));
  write('.git/rebase-merge/git-rebase-todo', 'pick\n; comment\nwhat is this\npick zzzz no\nx  make  \nl a\n');
  rmSync(join(folder, '.git', 'REBASE_HEAD'));
  expect(operationsOf(folder)).toEqual([
    {
      kind: 'rebase',
      backend: 'merge',
      branch: undefined,
      onto: undefined,
      original: undefined,
      steps: undefined,
      commit: undefined,
      amending: false,
      todo: [
        { command: 'pick', commit: undefined, text: '' },
        { command: 'pick', commit: undefined, text: 'zzzz no' },
        { command: 'exec', commit: undefined, text: 'make' },
        { command: 'label', commit: undefined, text: 'a' },
      ],
      autostash: undefined,
    },
  ]);
});
