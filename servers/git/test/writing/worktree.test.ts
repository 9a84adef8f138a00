import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allRevisions } from '@rootbound/protocol';
import { beforeAll, describe, expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { scratch } from '../scratch.ts';

const served = new Served();
const { folder, git, write } = scratch();
const tool = 'git_worktree';
const plain = join(folder, 'plain');

/** A root of its own with a repository `main` in it, and the work trees that the repository has. */
function repository(name: string): { root: string; main: string; list: () => string[] } {
  const root = join(folder, name);
  const main = join(root, 'main');
  git(folder, 'clone', '-q', plain, main);
  const list = () =>
    git(main, 'worktree', 'list', '--porcelain')
      .toString()
      .split('\n')
      .flatMap((line) => (line.startsWith('worktree ') ? line.slice(9) : []));
  return { root, main, list };
}

const idOf = (path: string, revision: string): string => git(path, 'rev-parse', revision).toString().trim();

beforeAll(() => {
  git(folder, 'init', '-q', plain);
  write('plain/.gitignore', '*.log\n');
  write('plain/größe', 'one\n');
  git(plain, 'add', '.');
  git(plain, 'commit', '-qm', 'one');
});

describe.each(allRevisions)('git_worktree at %s', (revision) => {
  test('adds a work tree at a new branch', async () => {
    const { root, main } = repository(`added-${revision}`);
    const client = await served.client([root], { revision });
    const path = join(root, 'größer');
    const args = { repo_path: main, action: 'add', path, branch_name: 'side', create: true };
    const { text } = await call(client, tool, args);
    expect(text).toBe(`add: ${path} ${idOf(main, 'HEAD').slice(0, 12)} [side]\nnew branch side`);
    expect([readFileSync(join(path, 'größe'), 'utf8'), idOf(path, 'side')]).toEqual([
      'one\n',
      idOf(main, 'HEAD'),
    ]);
  });
});

test('a work tree at a branch is removed by the undo of its addition, and added again by that of its removal', async () => {
  const { root, main, list } = repository('there-and-back');
  git(main, 'branch', 'side');
  const client = await served.client([root]);
  const path = join(root, 'side');
  const args = { repo_path: main, action: 'add', path, branch_name: 'side' };
  const reported = await call(client, tool, { ...args, dry_run: true });
  expect([reported.failed, existsSync(path)]).toEqual([false, false]);
  const added = await call(client, tool, args);
  expect(added.facts).toMatchObject({
    worktree: { path, branch: 'side', commit: idOf(main, 'side') },
    undo: `git_worktree with {"action":"remove","path":"${path}"}`,
  });
  const removed = await call(client, tool, { repo_path: main, action: 'remove', path });
  expect(removed.facts.undo).toBe(`git_worktree with {"action":"add","path":"${path}","branch_name":"side"}`);
  expect([list(), existsSync(path)]).toEqual([[main], false]);
});

test('a removal tells what is changed, untracked and ignored, and waits for a word', async () => {
  const { root, main, list } = repository('removed');
  const path = join(root, 'side');
  git(main, 'worktree', 'add', '-q', '--detach', path);
  git(path, 'commit', '-qm', 'lost', '--allow-empty');
  write('removed/side/größe', 'two\n');
  write('removed/side/new', '');
  write('removed/side/x.log', '');
  const client = await served.client([root]);
  const args = { repo_path: main, action: 'remove', path };
  const loses = ['größe', 'new', 'x.log', `1 commit of ${path}`];
  const reported = await call(client, tool, { ...args, dry_run: true });
  expect([reported.facts.loses, list()]).toEqual([loses, [main, path]]);
  const unconfirmed = await call(client, tool, args);
  expect([unconfirmed.code, existsSync(join(path, 'x.log'))]).toEqual(['needs-confirmation', true]);
  const { facts } = await call(client, tool, { ...args, confirm: true });
  expect([facts.loses, facts.undo, list()]).toEqual([loses, undefined, [main]]);
});

test('an ignored file alone is asked for, and the answer is for that file', async () => {
  const { root, main, list } = repository('asked');
  const path = join(root, 'side');
  git(main, 'worktree', 'add', '-q', '-b', 'side', path);
  write('asked/side/x.log', '');
  const asked: string[] = [];
  const elicitation = ({ message }: { message: string }) => {
    asked.push(message);
    if (asked.length === 1) write('asked/side/y.log', '');
    return { action: 'accept' as const, content: { confirm: asked.length === 1 } };
  };
  const client = await served.client([root], { elicitation });
  const { code } = await call(client, tool, { repo_path: main, action: 'remove', path });
  expect([code, list()]).toEqual(['declined', [main, path]]);
  expect(asked).toEqual([
    `Remove the work tree ${path}, with x.log?`,
    `Remove the work tree ${path}, with x.log, y.log?`,
  ]);
});

test('a work tree is moved, locked and unlocked, and each has its undo', async () => {
  const { root, main, list } = repository('changed');
  const [path, new_path] = [join(root, 'side'), join(root, 'moved')];
  git(main, 'worktree', 'add', '-q', '-b', 'side', path);
  const client = await served.client([root]);
  const ask = (args: object) => call(client, tool, { repo_path: main, ...args });
  const moved = await ask({ action: 'move', path, new_path });
  expect(moved.facts).toMatchObject({
    worktree: { path: new_path },
    previous_path: path,
    undo: `git_worktree with {"action":"move","path":"${new_path}","new_path":"${path}"}`,
  });
  const locked = await ask({ action: 'lock', path: new_path, reason: 'on a stick' });
  expect(locked.facts).toMatchObject({
    worktree: { locked: 'on a stick' },
    undo: `git_worktree with {"action":"unlock","path":"${new_path}"}`,
  });
  for (const action of ['remove', 'move'])
    expect((await ask({ action, path: new_path, new_path: path })).code).toBe('locked');
  const unlocked = await ask({ action: 'unlock', path: new_path });
  expect(unlocked.facts.undo).toBe(
    `git_worktree with {"action":"lock","path":"${new_path}","reason":"on a stick"}`,
  );
  expect(list()).toEqual([main, new_path]);
});

test('work trees whose folders are gone are forgotten, and those that moved are found again', async () => {
  const { root, main, list } = repository('gone');
  const [gone, moved, found] = ['gone', 'moved', 'found'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [gone, moved]) git(main, 'worktree', 'add', '-q', '--detach', path);
  renameSync(moved, found);
  rmSync(gone, { recursive: true });
  const client = await served.client([root]);
  const ask = (args: object) => call(client, tool, { repo_path: main, ...args });
  await ask({ action: 'repair', path: found });
  expect(list()).toEqual([main, found, gone]);
  const reported = await ask({ action: 'prune', dry_run: true });
  expect([reported.facts.pruned, list().length]).toEqual([[gone], 3]);
  expect((await ask({ action: 'prune' })).text).toBe(`prune ${gone}`);
  expect(list()).toEqual([main, found]);
});

test('the main work tree, the current one and those of nobody are left alone', async () => {
  const { root, main, list } = repository('kept');
  const path = join(root, 'side');
  git(main, 'worktree', 'add', '-q', '-b', 'side', path);
  const client = await served.client([root]);
  const remove = (repo_path: string, at: string) =>
    call(client, tool, { repo_path, action: 'remove', path: at, confirm: true });
  expect((await remove(path, main)).text).toContain('that is the main work tree');
  expect((await remove(path, path)).text).toContain('the work tree that this call is for');
  mkdirSync(join(root, 'other'));
  expect((await remove(main, join(root, 'other'))).code).toBe('unknown-path');
  expect(list()).toEqual([main, path]);
});

describe('a work tree is not added', () => {
  const made = {} as ReturnType<typeof repository>;
  beforeAll(() => {
    Object.assign(made, repository('refused'));
    git(made.main, 'branch', 'side');
    write('refused/full/file', '');
    write('outside/file', '');
    symlinkSync(join(folder, 'outside'), join(made.root, 'link'));
  });
  const side = { branch_name: 'side' };
  test.each([
    ['outside the roots', '../elsewhere', side, 'not-found'],
    ['through a link that leads outside', 'link/new', side, 'not-found'],
    ["among the repository's own files", 'main/.git/new', side, 'permission'],
    ['into a folder that holds something', 'full', side, 'exists'],
    ['at a branch that another is at', 'new', { branch_name: 'main' }, 'checked-out'],
    ['at a branch that is not there', 'new', { branch_name: 'none' }, 'unknown-revision'],
    ['at a new branch that is there', 'new', { ...side, create: true }, 'exists'],
    ['at a branch named like an option', 'new', { branch_name: '--force', create: true }, 'invalid-ref'],
    ['at a revision that is none', 'new', { branch_name: '-x', detach: true }, 'invalid-revision'],
    ['without a path', undefined, side, 'invalid-arguments'],
  ])('%s', async (_, path, rest, code) => {
    const { root, main, list } = made;
    const client = await served.client([root]);
    const at = path === undefined ? {} : { path: join(root, path) };
    const found = await call(client, tool, { repo_path: main, action: 'add', ...at, ...rest });
    expect([found.code, list(), existsSync(join(root, 'new'))]).toEqual([code, [main], false]);
  });
});

test('a root that may only be read gets no work tree, and loses none', async () => {
  const { root, main, list } = repository('closed');
  const closed = join(root, 'closed');
  mkdirSync(closed);
  const path = join(closed, 'side');
  git(main, 'worktree', 'add', '-q', '-b', 'side', path);
  const client = await served.client([main, { path: closed, readOnly: true }]);
  const ask = (args: object) => call(client, tool, { repo_path: main, ...args });
  const added = await ask({ action: 'add', path: join(closed, 'new'), detach: true });
  const codes = [added.code];
  for (const action of ['remove', 'move'])
    codes.push((await ask({ action, path, new_path: join(root, 'main', 'new') })).code);
  expect([codes, list()]).toEqual([
    ['read-only', 'read-only', 'read-only'],
    [main, path],
  ]);
});

test('what a checkout would execute does not run, and files that a filter would change are refused', async () => {
  const { root, main } = repository('hostile');
  const fired = join(root, 'fired');
  write('hostile/main/.git/hooks/post-checkout', `#!/bin/sh\ntouch '${fired}'\n`, 0o755);
  const client = await served.client([root]);
  const add = (name: string) =>
    call(client, tool, { repo_path: main, action: 'add', path: join(root, name), detach: true });
  expect([(await add('one')).failed, existsSync(fired)]).toEqual([false, false]);
  git(main, 'config', 'filter.evil.smudge', `touch '${fired}'; cat`);
  write('hostile/main/.gitattributes', '* filter=evil\n');
  git(main, 'add', '.gitattributes');
  git(main, 'commit', '-qm', 'two');
  expect([(await add('two')).code, existsSync(join(root, 'two'))]).toEqual(['filter-suppressed', false]);
  const trusted = await served.client([root], { extra: { trust: [main] } });
  const path = join(root, 'three');
  const { failed } = await call(trusted, tool, { repo_path: main, action: 'add', path, detach: true });
  expect([failed, existsSync(fired)]).toEqual([false, true]);
});

test('what a repair would write outside, or in files of somebody else, stays as it is', async () => {
  const { root, main } = repository('links');
  const path = join(root, 'side');
  git(main, 'worktree', 'add', '-q', '-b', 'side', path);
  const victim = write('victims/file', 'precious\n');
  const inside = write('links/file', 'precious\n');
  const client = await served.client([root]);
  const repair = (args: object = {}) => call(client, tool, { repo_path: main, action: 'repair', ...args });
  rmSync(join(path, '.git'));
  symlinkSync(inside, join(path, '.git'));
  expect((await repair()).code).toBe('unsupported');
  symlinkSync(join(folder, 'victims'), join(root, 'away'));
  writeFileSync(join(main, '.git', 'worktrees', 'side', 'gitdir'), `${join(root, 'away', '.git')}\n`);
  const outside = write('victims/.git', 'precious\n');
  expect((await repair()).code).toBe('unsupported');
  rmSync(join(main, '.git', 'worktrees', 'side'), { recursive: true });
  const elsewhere = join(folder, 'victims', 'gitdir');
  writeFileSync(elsewhere, 'precious\n');
  write('links/stray/.git', `gitdir: ${join(folder, 'victims')}\n`);
  expect((await repair({ path: join(root, 'stray') })).code).toBe('unsupported');
  for (const file of [victim, inside, outside, elsewhere])
    expect(readFileSync(file, 'utf8')).toBe('precious\n');
});

test('work trees outside the roots are neither pruned nor told', async () => {
  const { root, main, list } = repository('beyond');
  const beyond = join(folder, 'beyond-side');
  git(main, 'worktree', 'add', '-q', '--detach', beyond);
  rmSync(beyond, { recursive: true });
  const client = await served.client([root]);
  const { code, text } = await call(client, tool, { repo_path: main, action: 'prune' });
  expect([code, text.includes('beyond-side'), list()]).toEqual(['unsupported', false, [main, beyond]]);
});

test('it is listed in few bytes', async () => {
  const client = await served.client([plain], { tools: [tool] });
  expect(Buffer.byteLength(JSON.stringify((await client.listTools())[0]))).toBeLessThanOrEqual(900);
});
