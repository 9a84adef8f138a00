import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allRevisions } from '@rootbound/protocol';
import { describe, expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { scratch } from '../scratch.ts';

const served = new Served();
const { folder, git } = scratch();

function repository(name: string, ...init: string[]): string {
  const path = join(folder, name);
  git(folder, 'init', '-q', ...init, path);
  writeFileSync(join(path, 'a'), 'one\n');
  writeFileSync(join(path, 'b'), 'one\n');
  git(path, 'add', '.');
  git(path, 'commit', '-qm', 'one');
  return path;
}

const stateOf = (path: string): string => git(path, 'status', '--porcelain').toString();
const listOf = (path: string): string => git(path, 'stash', 'list', '--format=%H %gs').toString().trim();
const idOf = (path: string, revision: string): string => git(path, 'rev-parse', revision).toString().trim();

describe.each(allRevisions)('git_stash at %s', (revision) => {
  test('puts changes aside', async () => {
    const path = repository(`pushed-${revision}`);
    writeFileSync(join(path, 'a'), 'mine\n');
    const client = await served.client([path], { revision });
    const { text } = await call(client, 'git_stash', { repo_path: path, action: 'push', message: 'größer' });
    expect(text).toBe(`stashed as ${idOf(path, 'stash').slice(0, 12)}`);
    expect([stateOf(path), listOf(path)]).toEqual(['', `${idOf(path, 'stash')} On main: größer`]);
  });
});

test('what was put aside comes back as it was, staged and untracked, by the undo', async () => {
  const path = repository('round', '--object-format=sha256');
  const latin = Buffer.concat([Buffer.from(`${path}/caf`), Buffer.from([0xe9])]);
  writeFileSync(join(path, 'a'), 'staged\n');
  git(path, 'add', 'a');
  writeFileSync(join(path, 'b'), 'mine\n');
  writeFileSync(latin, 'new\n');
  const before = stateOf(path);
  const client = await served.client([path]);
  const pushed = await call<{ stash: string }>(client, 'git_stash', {
    action: 'push',
    include_untracked: true,
  });
  const { stash } = pushed.facts;
  expect(pushed.facts).toMatchObject({
    state: 'done',
    undo: `git_stash with action "pop", index and stash "${stash}"`,
  });
  expect(stateOf(path)).toBe('');
  const popped = await call(client, 'git_stash', { action: 'pop', index: true, stash });
  expect(popped.facts).toMatchObject({ state: 'done', stash });
  expect([stateOf(path), listOf(path)]).toEqual([before, '']);
});

test('nothing to put aside is told as that', async () => {
  const path = repository('nothing');
  writeFileSync(join(path, 'new'), '');
  const client = await served.client([path]);
  expect((await call(client, 'git_stash', { action: 'push' })).text).toBe('nothing to stash');
});

test('a dropped stash is stored again, and a place that another has taken is refused', async () => {
  const path = repository('dropped');
  for (const content of ['1', '2']) {
    writeFileSync(join(path, 'a'), content);
    git(path, 'stash', 'push', '-qm', content);
  }
  const [second, first] = [idOf(path, 'stash@{0}'), idOf(path, 'stash@{1}')];
  const client = await served.client([path]);
  const stale = await call(client, 'git_stash', { action: 'drop', stash: 'stash@{0}', expected: first });
  expect([stale.code, stale.text]).toEqual(['moved', expect.stringContaining(`stash@{0} is ${second}`)]);
  const gone = await call(client, 'git_stash', { action: 'drop', stash: '1', expected: first });
  expect(gone.facts.undo).toBe(`git_stash with action "store", stash "${first}" and message "On main: 1"`);
  expect(listOf(path)).toBe(`${second} On main: 2`);
  await call(client, 'git_stash', { action: 'store', stash: first, message: 'On main: 1' });
  expect(listOf(path)).toBe(`${first} On main: 1\n${second} On main: 2`);
});

test('a commit that is no stash is not stored as one', async () => {
  const path = repository('no-stash');
  const client = await served.client([path]);
  const { code } = await call(client, 'git_stash', { action: 'store', stash: 'HEAD' });
  expect([code, listOf(path)]).toEqual(['unsupported', '']);
});

test('conflicts are a result, and the stash is kept', async () => {
  const path = repository('conflicts');
  writeFileSync(join(path, 'a'), 'mine\n');
  git(path, 'stash', '-q');
  writeFileSync(join(path, 'a'), 'theirs\n');
  git(path, 'commit', '-qam', 'two');
  const client = await served.client([path]);
  const { failed, facts } = await call(client, 'git_stash', { action: 'pop' });
  expect([failed, facts]).toEqual([
    false,
    expect.objectContaining({ state: 'conflicts', conflicts: [{ path: 'a', conflict: 'both-modified' }] }),
  ]);
  expect(listOf(path)).toContain(idOf(path, 'stash'));
});

test('files that are there are not written over, and nothing else is brought back', async () => {
  const path = repository('there');
  writeFileSync(join(path, 'a'), 'mine\n');
  writeFileSync(join(path, 'new'), 'stashed\n');
  git(path, 'stash', 'push', '-qu');
  writeFileSync(join(path, 'new'), 'mine\n');
  const client = await served.client([path]);
  const { code, text } = await call(client, 'git_stash', { action: 'pop' });
  expect([code, text]).toEqual(['local-changes', expect.stringContaining('exist already: new')]);
  expect([stateOf(path), readFileSync(join(path, 'new'), 'utf8')]).toEqual(['?? new\n', 'mine\n']);
  writeFileSync(join(path, 'a'), 'other\n');
  expect((await call(client, 'git_stash', { action: 'apply' })).code).toBe('local-changes');
});

test('a branch begins where the stash was made', async () => {
  const path = repository('branched');
  writeFileSync(join(path, 'a'), 'mine\n');
  git(path, 'stash', '-q');
  git(path, 'commit', '-qm', 'two', '--allow-empty');
  const client = await served.client([path]);
  const { facts } = await call(client, 'git_stash', { action: 'branch', branch_name: 'topic' });
  expect(facts).toMatchObject({ branch: 'topic', after: idOf(path, 'main~1'), state: 'done' });
  expect([stateOf(path), listOf(path)]).toEqual([' M a\n', '']);
});

test.each([
  [{ action: 'drop', stash: '--all' }, 'invalid-arguments'],
  [{ action: 'pop', stash: '7' }, 'unknown-revision'],
  [{ action: 'store' }, 'invalid-arguments'],
  [{ action: 'branch', branch_name: '-x' }, 'invalid-ref'],
])('%j is refused', async (args, code) => {
  const path = join(folder, 'refused');
  if (!existsSync(path)) {
    repository('refused');
    writeFileSync(join(path, 'a'), 'mine\n');
    git(path, 'stash', '-q');
  }
  const client = await served.client([path]);
  expect((await call(client, 'git_stash', args)).code).toBe(code);
  expect(listOf(path)).not.toBe('');
});

test('nothing is put aside in a root that may only be read', async () => {
  const path = repository('closed');
  const client = await served.client([{ path, readOnly: true }]);
  expect((await call(client, 'git_stash', { action: 'push' })).code).toBe('read-only');
});

test('the undo of a stash of some paths leads back beside what else is staged, and is absent where it does not', async () => {
  const path = repository('some');
  git(path, 'rm', '-q', 'a');
  writeFileSync(join(path, 'b'), 'mine\n');
  const before = stateOf(path);
  const client = await served.client([path]);
  const push = { action: 'push', paths: ['b'] };
  const { stash, undo } = (await call<{ stash: string; undo?: string }>(client, 'git_stash', push)).facts;
  expect(undo).toBe(`git_stash with action "pop", index and stash "${stash}"`);
  await call(client, 'git_stash', { action: 'pop', index: true, stash });
  expect([stateOf(path), listOf(path)]).toEqual([before, '']);
  git(path, 'add', 'b');
  expect((await call(client, 'git_stash', push)).facts).not.toHaveProperty('undo');
  const unfit = await call(client, 'git_stash', { action: 'pop', index: true });
  expect([unfit.code, unfit.text]).toEqual(['conflict', expect.stringContaining('without index')]);
});

test('before the first commit nothing can be put aside, and that is said', async () => {
  const path = join(folder, 'unborn');
  git(folder, 'init', '-q', path);
  writeFileSync(join(path, 'a'), 'one\n');
  git(path, 'add', 'a');
  const client = await served.client([path]);
  const { code, text } = await call(client, 'git_stash', { action: 'push' });
  expect([code, text]).toEqual(['unsupported', expect.stringContaining('no commit yet')]);
});

test('untracked files in the place of tracked ones are in the way, and so are ignored ones', async () => {
  const path = repository('in-place');
  writeFileSync(join(path, '.gitignore'), '*.env\n');
  writeFileSync(join(path, 'x.env'), 'stashed\n');
  git(path, 'add', '-f', 'x.env');
  git(path, 'stash', '-q');
  writeFileSync(join(path, 'x.env'), 'mine\n');
  const client = await served.client([path]);
  const { code, text } = await call(client, 'git_stash', { action: 'apply' });
  expect([code, text]).toEqual(['local-changes', expect.stringContaining('x.env')]);
  rmSync(join(path, 'a'));
  mkdirSync(join(path, 'a'));
  writeFileSync(join(path, 'a/inner'), 'mine\n');
  const pushed = await call(client, 'git_stash', { action: 'push' });
  expect([pushed.code, pushed.text]).toEqual(['local-changes', expect.stringContaining('a/inner')]);
  expect([readFileSync(join(path, 'x.env'), 'utf8'), readFileSync(join(path, 'a/inner'), 'utf8')]).toEqual([
    'mine\n',
    'mine\n',
  ]);
});
