import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { type Pair, pairs } from '../remotes/pair.ts';

const served = new Served();
const pair = pairs();

/** A call that a hook refuses, or of which it takes the status. */
interface Case {
  readonly hook: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** before there is a hook */
  prepare?(here: Pair): void;
  /** the folder of the hook, where it is not the repository of the call */
  readonly at?: (here: Pair) => string;
  /** whether git goes on, and tells the words in the result */
  readonly done?: true;
}

const diverge = ({ git, work }: Pair): void => {
  git(work, 'switch', '-q', 'side');
  writeFileSync(join(work, 'side.txt'), 'side\n');
  git(work, 'add', '.');
  git(work, 'commit', '-qm', 'side');
  git(work, 'switch', '-q', 'main');
  git(work, 'commit', '-qm', 'main', '--allow-empty');
};
const mailed = (here: Pair): void => {
  diverge(here);
  const { git, work } = here;
  git(work, 'switch', '-q', 'side');
  writeFileSync(join(work, 'more.txt'), 'more\n');
  git(work, 'add', '.');
  git(work, 'commit', '-qm', 'more');
  git(work, 'switch', '-q', 'main');
  const patch = git(work, 'format-patch', '-2', '--stdout', 'side');
  writeFileSync(join(work, 'side.txt'), 'other\n');
  git(work, 'add', '.');
  git(work, 'commit', '-qm', 'other');
  git(work, 'am', '-q', { input: patch, okay: [128] });
  writeFileSync(join(work, 'side.txt'), 'both\n');
  git(work, 'add', '.');
};
const merging = (here: Pair): void => {
  diverge(here);
  here.git(here.work, 'merge', '-q', '--no-commit', '--no-ff', 'side');
};
const picking = (here: Pair): void => {
  diverge(here);
  const { git, work } = here;
  writeFileSync(join(work, 'side.txt'), 'other\n');
  git(work, 'add', '.');
  git(work, 'commit', '-qm', 'other');
  git(work, 'cherry-pick', 'side', { okay: [1] });
  writeFileSync(join(work, 'side.txt'), 'both\n');
  git(work, 'add', '.');
};
const ahead = ({ git, work }: Pair): void => void git(work, 'commit', '-qm', 'new', '--allow-empty');
const stashed = ({ git, work }: Pair): void => {
  writeFileSync(join(work, 'file.txt'), 'stashed\n');
  git(work, 'stash', '-q');
};
const changed = ({ work }: Pair): void => writeFileSync(join(work, 'file.txt'), 'changed\n');
const bisecting = ({ git, work }: Pair): void => {
  for (const message of ['a', 'b', 'c', 'd']) git(work, 'commit', '-qm', message, '--allow-empty');
  git(work, 'bisect', 'start');
  git(work, 'bisect', 'bad');
};
const bisected = (here: Pair): void => {
  bisecting(here);
  here.git(here.work, 'bisect', 'good', 'HEAD~4');
};

const commit = { tool: 'git_commit', args: { message: 'x', allow_empty: true } };
const merge = { tool: 'git_merge', args: { revisions: ['side'] }, prepare: diverge };
const push = { tool: 'git_push', args: {}, prepare: ahead };
const there = { ...push, at: ({ bare }: Pair) => bare };

const cases: readonly Case[] = [
  ...['pre-commit', 'prepare-commit-msg', 'commit-msg', 'reference-transaction'].map((hook) => ({
    hook,
    ...commit,
  })),
  ...['pre-commit', 'prepare-commit-msg', 'commit-msg'].map((hook) => ({
    ...{ hook, tool: 'git_commit', args: {}, prepare: merging },
  })),
  ...['pre-merge-commit', 'prepare-commit-msg', 'commit-msg', 'reference-transaction'].map((hook) => ({
    hook,
    ...merge,
  })),
  ...['pre-commit', 'commit-msg'].map((hook) => ({
    ...{ hook, tool: 'git_continue', args: { action: 'continue' }, prepare: merging },
  })),
  { hook: 'prepare-commit-msg', tool: 'git_cherry_pick', args: { commits: ['side'] }, prepare: diverge },
  { hook: 'pre-commit', tool: 'git_continue', args: { action: 'continue' }, prepare: picking },
  {
    hook: 'prepare-commit-msg',
    tool: 'git_revert',
    args: { commits: ['side'] },
    prepare: (here) => {
      diverge(here);
      here.git(here.work, 'merge', '-q', '--no-edit', 'side');
    },
  },
  { hook: 'pre-rebase', tool: 'git_rebase', args: { upstream: 'side' }, prepare: diverge },
  {
    hook: 'prepare-commit-msg',
    tool: 'git_rebase',
    args: { upstream: 'side' },
    prepare: (here) => {
      diverge(here);
      changed(here);
      here.git(here.work, 'commit', '-qam', 'changed');
    },
  },
  { hook: 'applypatch-msg', tool: 'git_continue', args: { action: 'continue' }, prepare: mailed },
  { hook: 'pre-applypatch', tool: 'git_continue', args: { action: 'continue' }, prepare: mailed },
  { hook: 'pre-push', ...push },
  ...['pre-receive', 'update', 'reference-transaction'].map((hook) => ({ hook, ...there })),
  { hook: 'reference-transaction', tool: 'git_create_branch', args: { branch_name: 'x' } },
  { hook: 'reference-transaction', tool: 'git_tag', args: { tag_name: 'x' } },
  {
    hook: 'reference-transaction',
    tool: 'git_fetch',
    args: {},
    prepare: (here) => void here.commitThere('x'),
  },
  {
    ...{ hook: 'reference-transaction', tool: 'git_reset', args: { mode: 'soft', revision: 'HEAD~1' } },
    prepare: ahead,
  },
  { hook: 'reference-transaction', tool: 'git_stash', args: { action: 'push' }, prepare: changed },
  {
    ...{ hook: 'post-checkout', tool: 'git_stash', prepare: stashed },
    args: { action: 'branch', stash: 'stash@{0}', branch_name: 'x' },
  },
  { hook: 'post-checkout', tool: 'git_checkout', args: { branch_name: 'side' }, done: true },
  { hook: 'post-checkout', tool: 'git_checkout', args: { branch_name: 'new', create: true }, done: true },
  {
    ...{ hook: 'post-checkout', tool: 'git_restore', args: { paths: ['file.txt'], confirm: true } },
    ...{ prepare: changed, done: true },
  },
  {
    ...{ hook: 'post-checkout', tool: 'git_worktree', done: true },
    args: { action: 'add', path: 'added', branch_name: 'side' },
  },
  {
    ...{ hook: 'post-checkout', tool: 'git_bisect', prepare: bisecting, done: true },
    args: { action: 'good', revision: 'HEAD~4' },
  },
  {
    ...{ hook: 'post-checkout', tool: 'git_bisect', prepare: bisected },
    args: { action: 'reset' },
  },
];

const speeches = {
  plain: 'echo "no $0 today"',
  'of a git that failed':
    'echo "no $0 today"; echo "error: lint" >&2; echo "fatal: Could not resolve host: x" >&2',
  'of other failures':
    'echo "no $0 today"; echo "CONFLICT (x)"; echo "nothing to commit"; echo "src: Permission denied (x)" >&2',
};

test.each(
  cases.flatMap((each) =>
    Object.entries(speeches).map(
      ([kind, lines]) => [each.hook, each.tool, kind, { ...each, lines }] as const,
    ),
  ),
)('the refusal of %s in %s is reported as its own with its words, %s', async (_, __, ___, each) => {
  const { hook, tool, args, prepare, at, done = false, lines } = each;
  const here = pair();
  const { git, work, root, bare, shared } = here;
  git(work, 'remote', 'set-url', 'origin', `file://${bare}`);
  for (const folder of [work, bare])
    for (const [key, value] of [
      ['user.name', 'Ann'],
      ['user.email', 'ann@example.org'],
    ] as const)
      git(folder, 'config', key, value);
  prepare?.(here);
  const path = join(at?.(here) ?? join(work, '.git'), 'hooks', hook);
  here.write(path.slice(here.folder.length), `#!/bin/sh\n${lines}\nexit 1\n`, 0o755);
  const client = await served.client([root, shared], {
    extra: { trust: [work, bare], 'allow-protocol': ['file'] },
  });
  const { failed, code, text } = await call(client, tool, { repo_path: work, ...args });
  expect([failed, code, text]).toEqual([
    !done,
    done ? undefined : 'hook-rejected',
    expect.stringMatching(/no \S+ today/),
  ]);
  if (at === undefined) expect(text).toContain(hook);
});
