import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allRevisions } from '@rootbound/protocol';
import { describe, expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { scratch } from '../scratch.ts';
import { copyOf, diverging, kinds } from './diverging.ts';

interface Facts {
  state: string;
  reason?: string;
  before?: string;
  after?: string;
  undo?: string;
  operation?: { kind: string; amending?: boolean };
  conflicts?: { path: string; conflict: string }[];
  next?: string[];
  would_lose?: string[];
  moved?: { branch: string }[];
  signed?: boolean;
}

const served = new Served();
const made = scratch();
const { folder, git } = made;

const conflicted = diverging(made, 'conflicted', kinds['both modified']!);
const clean = diverging(made, 'clean', {
  base: { a: 'one\n' },
  main: { a: 'one\n', m: 'main\n' },
  side: { a: 'side\n' },
});
let copies = 0;
const copy = (of: string) => copyOf(of, `${++copies}`);
const oidOf = (path: string, revision = 'HEAD') => git(path, 'rev-parse', revision).toString().trim();
const subjects = (path: string, range: string) =>
  git(path, 'log', '--reverse', '--format=%s', range).toString().trim().split('\n');

describe.each(allRevisions)('git_merge at %s', (revision) => {
  test('makes a merge commit and says how to take it back', async () => {
    const path = copy(clean);
    const client = await served.client([path], { revision });
    const [main, side] = [oidOf(path), oidOf(path, 'side')];
    const { failed, text } = await call(client, 'git_merge', {
      revisions: ['side'],
      message: 'both\n\nof them',
    });
    expect([failed, text]).toEqual([
      false,
      `done: main: ${main.slice(0, 12)} -> ${oidOf(path).slice(0, 12)}`,
    ]);
    expect(git(path, 'log', '-1', '--format=%P|%B').toString()).toBe(`${main} ${side}|both\n\nof them\n\n`);
  });
});

test('a merge tells when it only moved the branch, and when there was nothing to do', async () => {
  const path = copy(clean);
  git(path, 'reset', '-q', '--hard', 'base');
  const before = oidOf(path);
  const client = await served.client([path]);
  const merge = (args: object = {}) => call<Facts>(client, 'git_merge', { revisions: ['side'], ...args });
  const stale = await merge({ expected_head: 'side' });
  expect([stale.code, oidOf(path)]).toEqual(['moved', before]);
  const { facts } = await merge();
  expect(facts).toMatchObject({
    state: 'fast-forwarded',
    after: oidOf(path, 'side'),
    undo: `git_reset with mode "keep" and revision "${before}"`,
  });
  expect((await merge()).facts.state).toBe('up-to-date');
});

test('what only stages is told as not committed', async () => {
  const path = copy(clean);
  const client = await served.client([path]);
  const squashed = await call<Facts>(client, 'git_merge', { revisions: ['side'], squash: true });
  expect(squashed.facts).toMatchObject({ state: 'stopped', next: ['git_commit'] });
  git(path, 'reset', '-q', '--hard');
  const waiting = await call<Facts>(client, 'git_merge', { revisions: ['side'], no_commit: true });
  expect(waiting.facts).toMatchObject({ state: 'stopped', operation: { kind: 'merge' } });
  git(path, 'merge', '--abort');
  const picked = await call<Facts>(client, 'git_cherry_pick', { commits: ['side'], no_commit: true });
  expect([picked.facts.state, git(path, 'diff', '--cached', '--name-only').toString()]).toEqual([
    'stopped',
    'a\n',
  ]);
});

test('files in the way are named, and nothing is done', async () => {
  const path = copy(clean);
  writeFileSync(join(path, 'a'), 'mine\n');
  const client = await served.client([path]);
  const { code, text } = await call(client, 'git_merge', { revisions: ['side'] });
  expect([code, text]).toEqual(['local-changes', expect.stringContaining(': a')]);
  expect(readFileSync(join(path, 'a'), 'utf8')).toBe('mine\n');
});

test('an operation in progress keeps all others from beginning, and is told by name', async () => {
  const path = copy(conflicted);
  const client = await served.client([path]);
  const begun = await call<Facts>(client, 'git_merge', { revisions: ['side'] });
  expect(begun.facts).toMatchObject({
    state: 'conflicts',
    operation: { kind: 'merge' },
    conflicts: [{ path: 'a', conflict: 'both-modified' }],
    undo: 'git_continue with action abort',
  });
  for (const [name, args] of [
    ['git_merge', { revisions: ['side'] }],
    ['git_rebase', { upstream: 'side' }],
    ['git_cherry_pick', { commits: ['side'] }],
    ['git_revert', { commits: ['HEAD'] }],
  ] as const) {
    const { code, text } = await call(client, name, args);
    expect([code, text]).toEqual([
      'in-progress',
      expect.stringContaining('git_continue with action continue, abort'),
    ]);
  }
  const other = await call(client, 'git_continue', { action: 'abort', expected: 'rebase' });
  expect([other.code, existsSync(join(path, '.git/MERGE_HEAD'))]).toEqual(['moved', true]);
  const early = await call<Facts>(client, 'git_continue', { action: 'continue' });
  expect([early.failed, early.facts.state]).toEqual([false, 'conflicts']);
});

test('work in resolved conflicts is lost only with consent, which names it', async () => {
  const path = copy(conflicted);
  const client = await served.client([path]);
  await call(client, 'git_merge', { revisions: ['side'] });
  await call(client, 'git_resolve', { paths: ['a'], content: 'mine\n' });
  const abort = (args: object = {}) => call<Facts>(client, 'git_continue', { action: 'abort', ...args });
  expect((await abort({ dry_run: true })).facts.would_lose).toEqual(['a']);
  expect((await abort()).code).toBe('needs-confirmation');
  expect(readFileSync(join(path, 'a'), 'utf8')).toBe('mine\n');
  expect((await abort({ confirm: true })).facts.state).toBe('done');
  expect(git(path, 'status', '--porcelain').toString()).toBe('');
});

test('a pick that leaves nothing to commit stops and says so; a revert that does changes nothing', async () => {
  const path = copy(clean);
  git(path, 'cherry-pick', 'side');
  const client = await served.client([path]);
  const picked = await call<Facts>(client, 'git_cherry_pick', { commits: ['side'] });
  expect(picked.facts).toMatchObject({ state: 'stopped', reason: 'nothing is left to commit of this step' });
  expect(picked.facts.next?.[0]).toBe('git_continue with action skip');
  expect((await call<Facts>(client, 'git_continue', { action: 'skip' })).facts.state).toBe('done');
  git(path, 'revert', '--no-edit', 'HEAD');
  const reverted = await call<Facts>(client, 'git_revert', { commits: ['HEAD~1'] });
  expect(reverted.facts).toMatchObject({ state: 'up-to-date' });
});

test('a range is picked oldest first and reverted newest first, and a merge in it is refused before anything is done', async () => {
  const path = copy(clean);
  for (const name of ['one', 'two']) git(path, 'commit', '-qm', name, '--allow-empty');
  git(path, 'switch', '-qc', 'topic', 'base');
  for (const name of ['x', 'y']) {
    writeFileSync(join(path, name), name);
    git(path, 'add', name);
    git(path, 'commit', '-qm', name);
  }
  git(path, 'switch', '-q', 'main');
  const client = await served.client([path]);
  const picked = await call<Facts>(client, 'git_cherry_pick', {
    commits: ['base..topic'],
    append_origin: true,
  });
  expect([picked.facts.state, subjects(path, 'HEAD~2..')]).toEqual(['done', ['x', 'y']]);
  expect(git(path, 'log', '-1', '--format=%b').toString()).toContain(
    `cherry picked from commit ${oidOf(path, 'topic')}`,
  );
  await call(client, 'git_revert', { commits: ['HEAD~2..HEAD'] });
  expect(subjects(path, 'HEAD~2..')).toEqual(['Revert "y"', 'Revert "x"']);
  git(path, 'merge', '-q', '--no-edit', 'side');
  const at = oidOf(path);
  expect((await call(client, 'git_revert', { commits: ['HEAD'] })).code).toBe('invalid-arguments');
  const undone = await call<Facts>(client, 'git_revert', { commits: ['HEAD'], mainline: 1 });
  expect([undone.facts.state, oidOf(path, 'HEAD~1')]).toEqual(['done', at]);
});

/** A branch of commits a to d on base, each of which adds its file. */
function stacked(): string {
  const path = copy(clean);
  git(path, 'switch', '-qc', 'topic', 'base');
  for (const name of ['c1', 'c2', 'c3', 'c4']) {
    writeFileSync(join(path, name), name);
    git(path, 'add', name);
    git(path, 'commit', '-qm', name, '--author=Bob Other <bob@example.org>');
  }
  return path;
}

test('a todo reorders, rewords, joins and drops commits, without an editor', async () => {
  const path = stacked();
  const client = await served.client([path]);
  const { facts, text } = await call<Facts>(client, 'git_rebase', {
    upstream: 'main',
    todo: [
      { action: 'reword', commit: 'topic~1', message: "it's $(touch x) `new`\n\nbody" },
      { action: 'pick', commit: 'topic~3' },
      { action: 'squash', commit: 'topic', message: 'joined' },
      { action: 'drop', commit: 'topic~2' },
    ],
  });
  expect([text, facts.state]).toEqual([text, 'done']);
  expect(subjects(path, 'main..')).toEqual(["it's $(touch x) `new`", 'joined']);
  expect(git(path, 'log', '-1', '--format=%an|%b', 'HEAD~1').toString()).toBe('Bob Other|body\n\n');
  expect(readdirSync(path).sort()).toEqual(['.git', 'a', 'c1', 'c3', 'c4', 'm', 'other']);
  expect(facts.undo).toContain(facts.before);
});

test('a todo that forgets a commit, or names a foreign one, is refused', async () => {
  const path = stacked();
  const at = oidOf(path);
  const client = await served.client([path]);
  const todo = (steps: object[]) => call(client, 'git_rebase', { upstream: 'main', todo: steps });
  expect((await todo([{ action: 'pick', commit: 'topic' }])).text).toContain('is missing');
  expect((await todo([{ action: 'pick', commit: 'side' }])).code).toBe('invalid-arguments');
  expect((await todo([{ action: 'fixup', commit: 'topic' }])).code).toBe('invalid-arguments');
  expect([oidOf(path), existsSync(join(path, '.git/rebase-merge'))]).toEqual([at, false]);
});

test('a rebase stops at a commit that is to be edited and goes on from there', async () => {
  const path = stacked();
  const client = await served.client([path]);
  const todo = ['edit', 'pick', 'pick', 'pick'].map((action, at) => ({ action, commit: `topic~${3 - at}` }));
  const stopped = await call<Facts>(client, 'git_rebase', { upstream: 'main', todo });
  expect(stopped.facts).toMatchObject({ state: 'stopped', operation: { kind: 'rebase', amending: true } });
  git(path, 'commit', '-q', '--amend', '-m', 'amended');
  const { facts } = await call<Facts>(client, 'git_continue', { action: 'continue' });
  expect([facts.state, subjects(path, 'main..')]).toEqual(['done', ['amended', 'c2', 'c3', 'c4']]);
});

test('a rebase takes the branches in between along where it is asked to, and changes aside', async () => {
  const path = stacked();
  git(path, 'branch', 'middle', 'topic~2');
  writeFileSync(join(path, 'a'), 'mine\n');
  const client = await served.client([path]);
  const args = { upstream: 'main', update_refs: true, autostash: true };
  const { facts } = await call<Facts>(client, 'git_rebase', args);
  expect(facts).toMatchObject({
    state: 'done',
    moved: [{ branch: 'middle', after: oidOf(path, 'topic~2') }],
  });
  expect([facts.undo, readFileSync(join(path, 'a'), 'utf8')]).toEqual([undefined, 'mine\n']);
});

test('a branch that is not checked out is rebased, and the way back leads to both', async () => {
  const path = stacked();
  git(path, 'switch', '-q', 'side');
  const before = oidOf(path, 'topic');
  const client = await served.client([path]);
  const { facts } = await call<Facts>(client, 'git_rebase', {
    upstream: 'base',
    onto: 'main',
    branch: 'topic',
  });
  expect(facts).toMatchObject({ state: 'done', branch: 'topic', before });
  expect(facts.undo).toBe(
    `git_reset with mode "keep" and revision "${before}", then git_checkout with branch_name "side"`,
  );
});

/** A hook of a repository; it counts only where that is trusted. */
function hook(path: string, name: string, script: string): void {
  mkdirSync(join(path, '.git/hooks'), { recursive: true });
  writeFileSync(join(path, '.git/hooks', name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(path, '.git/hooks', name), 0o755);
}

test('hooks run only where the repository is trusted, and what one says of its refusal is told', async () => {
  const path = copy(clean);
  hook(path, 'pre-merge-commit', 'echo "not on a Friday" >&2; exit 1');
  const careful = await served.client([path]);
  expect((await call<Facts>(careful, 'git_merge', { revisions: ['side'] })).facts.state).toBe('done');
  git(path, 'reset', '-q', '--hard', 'HEAD~1');
  const client = await served.client([path], { extra: { trust: [path] } });
  const { code, text } = await call(client, 'git_merge', { revisions: ['side'] });
  expect([code, text]).toEqual(['hook-rejected', expect.stringContaining('not on a Friday')]);
  expect(text).toContain('a merge is in progress now: git_continue');
});

test.runIf(existsSync('/proc/self/cmdline'))(
  'a merge that is cancelled in a hook leaves no process, and the next call tells where it stands',
  async () => {
    const path = copy(clean);
    const started = join(folder, 'started');
    hook(path, 'commit-msg', `mkfifo ${started}.wait; echo $$ >${started}; read forever <${started}.wait`);
    const client = await served.client([path], { extra: { trust: [path] } });
    const controller = new AbortController();
    const merging = call(client, 'git_merge', { revisions: ['side'] }, { signal: controller.signal }).catch(
      () => 'cancelled',
    );
    await expect
      .poll(() => existsSync(started) && readFileSync(started, 'utf8'), { timeout: 120_000 })
      .toMatch(/^\d+\n$/);
    controller.abort();
    expect(await merging).toBe('cancelled');
    const pid = readFileSync(started, 'utf8').trim();
    // the write queue lets the next one in when all of the group is gone
    const next = await call(client, 'git_merge', { revisions: ['side'] });
    expect([
      existsSync(`/proc/${pid}`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1')),
      next.code,
    ]).toEqual([false, 'in-progress']);
    git(path, 'fsck', '--strict');
    expect((await call<Facts>(client, 'git_continue', { action: 'abort' })).facts.state).toBe('done');
  },
);

test('a merge driver of the repository does not run, and the merge is that of git', async () => {
  const path = copy(conflicted);
  git(path, 'config', 'merge.evil.driver', `touch ${join(folder, 'fired')}; exit 0`);
  mkdirSync(join(path, '.git/info'), { recursive: true });
  writeFileSync(join(path, '.git/info/attributes'), 'a merge=evil\n');
  const client = await served.client([path]);
  const { facts } = await call<Facts>(client, 'git_merge', { revisions: ['side'] });
  expect([facts.state, existsSync(join(folder, 'fired'))]).toEqual(['conflicts', false]);
  expect(readFileSync(join(path, 'a'), 'utf8')).toContain('<<<<<<<');
});

test('paths whose filter does not run are not merged, and a commit that is not signed is said to be that', async () => {
  const path = copy(clean);
  git(path, 'config', 'filter.big.smudge', 'cat');
  git(path, 'config', 'filter.big.clean', 'cat');
  git(path, 'config', 'commit.gpgsign', 'true');
  mkdirSync(join(path, '.git/info'), { recursive: true });
  writeFileSync(join(path, '.git/info/attributes'), 'a filter=big\n');
  const client = await served.client([path]);
  for (const [name, args] of [
    ['git_merge', { revisions: ['side'] }],
    ['git_cherry_pick', { commits: ['side'] }],
    ['git_rebase', { upstream: 'side' }],
  ] as const)
    expect((await call(client, name, args)).code).toBe('filter-suppressed');
  writeFileSync(join(path, '.git/info/attributes'), '');
  expect((await call<Facts>(client, 'git_merge', { revisions: ['side'] })).facts).toMatchObject({
    signed: false,
  });
});

test('nothing begins in a root that may only be read', async () => {
  const client = await served.client([{ path: clean, readOnly: true }]);
  for (const [name, args] of [
    ['git_merge', { revisions: ['side'] }],
    ['git_rebase', { upstream: 'side' }],
    ['git_continue', { action: 'abort' }],
    ['git_resolve', { paths: ['a'], side: 'ours' }],
  ] as const)
    expect((await call(client, name, args)).failed, name).toBe(true);
  expect(oidOf(clean)).toBe(oidOf(clean, 'main'));
});

test('sha256, a linked worktree and a detached HEAD are merged in like any other', async () => {
  const path = diverging(made, 'long', kinds['both modified']!, 'sha256');
  git(path, 'worktree', 'add', '-q', '--detach', join(path, 'linked'), 'main');
  const client = await served.client([path]);
  const { facts } = await call<Facts>(client, 'git_merge', {
    repo_path: join(path, 'linked'),
    revisions: ['side'],
    prefer: 'theirs',
  });
  expect(facts).toMatchObject({ state: 'done', after: oidOf(join(path, 'linked')) });
  expect(readFileSync(join(path, 'linked/a'), 'utf8')).toContain('side');
});

test('two that begin at once take turns', async () => {
  const path = copy(clean);
  const client = await served.client([path]);
  const both = [1, 2].map(() => call<Facts>(client, 'git_merge', { revisions: ['side'] }));
  expect((await Promise.all(both)).map(({ facts }) => facts.state).sort()).toEqual(['done', 'up-to-date']);
});

test('a rebase without an upstream says what is missing', async () => {
  const path = copy(clean);
  const client = await served.client([path]);
  const { code, text } = await call(client, 'git_rebase');
  expect([code, text]).toEqual(['invalid-arguments', 'upstream is missing, and the branch tracks none']);
});

test('ignored files are not written over, by whatever brings others of their names', async () => {
  const path = diverging(made, 'ignoring', {
    base: { '.gitignore': '*.env\n', gone: 'one\n' },
    main: { '.gitignore': '*.env\n', gone: 'one\n', m: 'main\n' },
    side: { '.gitignore': '*.env\n', gone: 'one\n', 'x.env': 'theirs\n' },
  });
  writeFileSync(join(path, 'x.env'), 'mine\n');
  const client = await served.client([path]);
  const codes = [];
  for (const [name, args] of [
    ['git_merge', { revisions: ['side'] }],
    ['git_rebase', { upstream: 'side' }],
    ['git_cherry_pick', { commits: ['side'] }],
    ['git_reset', { mode: 'keep', revision: 'side' }],
  ] as const) {
    const { code, text } = await call(client, name, args);
    codes.push([code, text.includes('x.env')]);
  }
  expect(codes).toEqual(codes.map(() => ['local-changes', true]));
  expect(readFileSync(join(path, 'x.env'), 'utf8')).toBe('mine\n');
  // what is only left out here, and unchanged there, is in nobody's way
  git(path, 'branch', '-f', 'side', 'side~1');
  git(path, 'rm', '-q', '--cached', 'gone');
  git(path, 'commit', '-qm', 'left out');
  expect((await call(client, 'git_merge', { revisions: ['side'] })).failed).toBe(false);
  expect(readFileSync(join(path, 'gone'), 'utf8')).toBe('one\n');
});

test('a revert does not write over the ignored file that has taken the place of what it brings back', async () => {
  const path = diverging(made, 'reverting', {
    base: { '.gitignore': '*.env\n', 'x.env': 'old\n' },
    main: { '.gitignore': '*.env\n' },
    side: { '.gitignore': '*.env\n', 'x.env': 'old\n' },
  });
  writeFileSync(join(path, 'x.env'), 'mine\n');
  const client = await served.client([path]);
  expect((await call(client, 'git_revert', { commits: ['HEAD'] })).code).toBe('local-changes');
  expect(readFileSync(join(path, 'x.env'), 'utf8')).toBe('mine\n');
});
