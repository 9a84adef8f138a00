import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allRevisions } from '@rootbound/protocol';
import { describe, expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { scratch } from '../scratch.ts';

const served = new Served();
const { folder, git } = scratch();

/** A repository with `a` in main, and `a` changed and `b` added in topic. */
function repository(name: string, ...init: string[]): string {
  const path = join(folder, name);
  git(folder, 'init', '-q', ...init, path);
  writeFileSync(join(path, 'a'), 'one\n');
  git(path, 'add', '.');
  git(path, 'commit', '-qm', 'one');
  git(path, 'switch', '-qc', 'topic');
  writeFileSync(join(path, 'a'), 'two\n');
  writeFileSync(join(path, 'b'), 'b\n');
  git(path, 'add', '.');
  git(path, 'commit', '-qm', 'two');
  git(path, 'switch', '-q', 'main');
  return path;
}

const headOf = (path: string, revision = 'HEAD'): string =>
  git(path, 'rev-parse', revision).toString().trim();
const refOf = (path: string): string =>
  git(path, 'symbolic-ref', '-q', 'HEAD', { okay: [0, 1] })
    .toString()
    .trim();

describe.each(allRevisions)('git_checkout at %s', (revision) => {
  test('switches to a branch as git does', async () => {
    const path = repository(`switched-${revision}`);
    const client = await served.client([path], { revision });
    const { text, failed } = await call(client, 'git_checkout', { repo_path: path, branch_name: 'topic' });
    const [from, to] = [headOf(path, 'main').slice(0, 12), headOf(path, 'topic').slice(0, 12)];
    expect([failed, text]).toEqual([false, `on topic at ${to}, was ${from}`]);
    expect([refOf(path), git(path, 'status', '--porcelain').toString()]).toEqual(['refs/heads/topic', '']);
  });
});

test('the undo of each switch leads back', async () => {
  const path = repository('undone', '--object-format=sha256');
  const client = await served.client([path]);
  const base = headOf(path, 'main');
  const detached = await call(client, 'git_checkout', { branch_name: 'topic', detach: true });
  expect(detached.facts).toMatchObject({
    before: base,
    after: headOf(path, 'topic'),
    undo: 'git_checkout with branch_name "main"',
  });
  expect(detached.facts).not.toHaveProperty('branch');
  expect(refOf(path)).toBe('');
  const made = await call(client, 'git_checkout', { branch_name: 'größer', create: true, base: 'main' });
  expect(made.facts).toMatchObject({ branch: 'größer', created: 'größer', after: base });
  expect(made.facts.undo).toBe(
    `git_checkout with detach and branch_name "${headOf(path, 'topic')}", then git_update_branch with action "delete" and branch_name "größer"`,
  );
  expect(refOf(path)).toBe('refs/heads/größer');
});

test('a branch is begun where there is no commit yet', async () => {
  const path = join(folder, 'unborn');
  git(folder, 'init', '-q', path);
  const client = await served.client([path]);
  const { facts } = await call(client, 'git_checkout', { branch_name: 'first', create: true });
  expect(facts).toEqual({ branch: 'first', created: 'first', paths: 0 });
  expect(refOf(path)).toBe('refs/heads/first');
});

test('a remote branch is tracked by a new one only when that is asked for', async () => {
  const origin = repository('origin');
  const path = join(folder, 'cloned');
  git(folder, 'clone', '-q', origin, path);
  const client = await served.client([path]);
  const refused = await call(client, 'git_checkout', { branch_name: 'topic' });
  expect([refused.code, refused.text]).toEqual([
    'unknown-revision',
    expect.stringContaining('guess: true makes one that tracks origin/topic'),
  ]);
  const { facts } = await call(client, 'git_checkout', { branch_name: 'topic', guess: true });
  expect(facts).toMatchObject({ branch: 'topic', created: 'topic', upstream: 'origin/topic' });
  expect(git(path, 'rev-parse', '--abbrev-ref', 'topic@{upstream}').toString().trim()).toBe('origin/topic');
});

test('changes in the way are named, whether git knows the files or not, and kept', async () => {
  const path = repository('in-the-way');
  writeFileSync(join(path, '.git/info/exclude'), 'b\n');
  writeFileSync(join(path, 'a'), 'mine\n');
  writeFileSync(join(path, 'b'), 'ignored, and mine\n');
  const client = await served.client([path]);
  const { code, text } = await call(client, 'git_checkout', { branch_name: 'topic' });
  expect([code, text]).toEqual(['local-changes', expect.stringContaining('overwritten: a, b')]);
  expect(readFileSync(join(path, 'a'), 'utf8')).toBe('mine\n');
  writeFileSync(join(path, 'a'), 'one\n');
  expect((await call(client, 'git_checkout', { branch_name: 'topic' })).code).toBe('local-changes');
  expect(readFileSync(join(path, 'b'), 'utf8')).toBe('ignored, and mine\n');
  expect(refOf(path)).toBe('refs/heads/main');
});

test('changes are discarded when the caller has confirmed what is lost', async () => {
  const path = repository('discarded');
  writeFileSync(join(path, 'a'), 'mine\n');
  const client = await served.client([path]);
  const args = { branch_name: 'topic', discard_changes: true };
  const reported = await call(client, 'git_checkout', { ...args, dry_run: true });
  expect(reported.facts).toMatchObject({ discards: ['a'] });
  const unconfirmed = await call(client, 'git_checkout', args);
  expect([unconfirmed.code, unconfirmed.text]).toEqual([
    'needs-confirmation',
    expect.stringMatching(/Discard the changes in 1 file of \S+: a\?/),
  ]);
  expect(readFileSync(join(path, 'a'), 'utf8')).toBe('mine\n');
  writeFileSync(join(path, 'b'), 'mine\n');
  const kept = await call(client, 'git_checkout', { ...args, confirm: true });
  expect([kept.code, kept.text]).toEqual(['local-changes', expect.stringContaining('overwritten: b')]);
  rmSync(join(path, 'b'));
  const { facts } = await call(client, 'git_checkout', { ...args, confirm: true });
  expect(facts).toMatchObject({ branch: 'topic', discarded: ['a'] });
  expect(facts).not.toHaveProperty('undo');
  expect(git(path, 'status', '--porcelain').toString()).toBe('');
});

test.each([true, false])('a user who is asked what to discard decides: %s', async (sure) => {
  const path = repository(`asked-${sure}`);
  writeFileSync(join(path, 'a'), 'mine\n');
  const asked: string[] = [];
  const elicitation = ({ message }: { message: string }) => {
    asked.push(message);
    return { action: 'accept' as const, content: { confirm: sure } };
  };
  const client = await served.client([path], { elicitation });
  const { failed, code } = await call(client, 'git_checkout', {
    branch_name: 'topic',
    discard_changes: true,
  });
  expect(asked).toEqual([expect.stringMatching(/Discard the changes in 1 file of \S+: a\?/)]);
  expect([failed, code, refOf(path)]).toEqual(
    sure ? [false, undefined, 'refs/heads/topic'] : [true, 'declined', 'refs/heads/main'],
  );
});

test('a path whose filter does not run is not written', async () => {
  const path = repository('filtered');
  git(path, 'config', 'filter.x.smudge', 'touch marker; cat');
  writeFileSync(join(path, '.gitattributes'), 'b filter=x\n');
  const client = await served.client([path]);
  expect((await call(client, 'git_checkout', { branch_name: 'topic' })).code).toBe('filter-suppressed');
  expect([refOf(path), existsSync(join(path, 'b'))]).toEqual(['refs/heads/main', false]);
});

test('a hook runs in a trusted repository alone, and what it says is told even where it fails', async () => {
  const path = repository('hooked');
  const hook = join(path, '.git/hooks/post-checkout');
  writeFileSync(hook, '#!/bin/sh\necho said >&2\nexit 1\n', { mode: 0o755 });
  const plain = await served.client([path]);
  const { facts } = await call(plain, 'git_checkout', { branch_name: 'topic' });
  expect(facts).not.toHaveProperty('output');
  const trusting = await served.client([path], { extra: { trust: [path] } });
  const back = await call(trusting, 'git_checkout', { branch_name: 'main' });
  expect([back.failed, back.facts]).toEqual([
    false,
    expect.objectContaining({ branch: 'main', output: expect.stringContaining('said') }),
  ]);
});

test.each([
  [{ branch_name: 'topic', expected_head: 'topic' }, 'moved'],
  [{ branch_name: '--detach' }, 'invalid-ref'],
  [{ branch_name: '-f', detach: true }, 'invalid-revision'],
  [{ branch_name: 'x', create: true, base: '--orphan' }, 'invalid-revision'],
  [{ branch_name: 'topic', create: true }, 'exists'],
  [{ branch_name: 'nowhere' }, 'unknown-revision'],
])('%j is refused and nothing moves', async (args, code) => {
  const path = join(folder, 'refused');
  if (!existsSync(path)) repository('refused');
  const client = await served.client([path]);
  expect((await call(client, 'git_checkout', args)).code).toBe(code);
  expect(refOf(path)).toBe('refs/heads/main');
});

test('a root that may only be read is left as it is, and so is a bare repository', async () => {
  const path = repository('closed');
  const closed = await served.client([{ path, readOnly: true }]);
  expect((await call(closed, 'git_checkout', { branch_name: 'topic' })).code).toBe('read-only');
  const bare = join(folder, 'bare.git');
  git(folder, 'clone', '-q', '--bare', path, bare);
  const client = await served.client([bare]);
  expect((await call(client, 'git_checkout', { branch_name: 'topic' })).code).toBe('unsupported');
});

test('an untracked folder in the place of a tracked file is not discarded with what is tracked', async () => {
  const path = repository('in-its-place');
  rmSync(join(path, 'a'));
  mkdirSync(join(path, 'a'));
  writeFileSync(join(path, 'a/inner'), 'mine\n');
  const client = await served.client([path]);
  const args = { branch_name: 'topic', discard_changes: true, confirm: true };
  const { code, text } = await call(client, 'git_checkout', args);
  expect([code, text]).toEqual(['local-changes', expect.stringContaining('overwritten: a/inner')]);
  expect(readFileSync(join(path, 'a/inner'), 'utf8')).toBe('mine\n');
});

test('a branch of another worktree is told as that', async () => {
  const path = repository('elsewhere');
  git(path, 'worktree', 'add', '-q', join(folder, 'linked'), 'topic');
  const client = await served.client([path]);
  expect((await call(client, 'git_checkout', { branch_name: 'topic' })).code).toBe('in-use');
});

test('a new branch at HEAD says at which commit it is, though HEAD has not moved', async () => {
  const path = repository('unmoved');
  const client = await served.client([path]);
  const { text, facts } = await call(client, 'git_checkout', { branch_name: 'fresh', create: true });
  const head = git(path, 'rev-parse', '--short=12', 'HEAD').toString().trim();
  expect(text.split('\n')[0]).toBe(`on fresh at ${head} (new)`);
  expect(facts).not.toHaveProperty('after');
});
