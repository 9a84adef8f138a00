import { appendFileSync, chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { type Pair, pairs } from '../remotes/pair.ts';

const served = new Served();
const pair = pairs();
const agrees = { action: 'accept', content: { confirm: true } } as const;

/** A repository that its user trusts, with one hook, and another branch. */
async function trusted(hook: string, settings: Readonly<Record<string, string>> = {}) {
  const here = pair();
  const { git, work, root, bare } = here;
  const set = (key: string, value: string) => void git(work, 'config', key, value);
  set('user.name', 'Ann');
  set('user.email', 'ann@example.org');
  git(work, 'remote', 'set-url', 'origin', `file://${bare}`);
  git(work, 'switch', '-q', 'side');
  writeFileSync(join(work, 'side.txt'), 'side\n');
  git(work, 'add', '.');
  git(work, 'commit', '-qm', 'side');
  git(work, 'switch', '-q', 'main');
  git(work, 'commit', '-qm', 'main', '--allow-empty');
  for (const [key, value] of Object.entries(settings)) set(key, value);
  const file = join(work, '.git/hooks', hook);
  here.write(file.slice(here.folder.length), '#!/bin/sh\n', 0o755);
  const client = await served.client([root, bare], {
    elicitation: () => agrees,
    extra: { 'allow-protocol': ['file'] },
  });
  const ask = (tool: string, args: Record<string, unknown> = {}) =>
    call(client, tool, { repo_path: work, ...args });
  await ask('git_trust');
  return { ...here, file, ask };
}

const stateOf = ({ git, work, bare }: Pair): string =>
  [
    git(work, 'for-each-ref'),
    git(work, 'status', '--porcelain=2', '--branch'),
    git(work, 'worktree', 'list'),
    git(bare, 'for-each-ref'),
  ].join('');

const calls: readonly (readonly [tool: string, args: Record<string, unknown>, hook: string])[] = [
  ['git_commit', { message: 'x', allow_empty: true }, 'pre-commit'],
  ['git_commit', { message: 'x', allow_empty: true }, 'commit-msg'],
  ['git_commit', { message: 'x', allow_empty: true }, 'post-commit'],
  ['git_commit', { message: 'x', amend: true, allow_empty: true }, 'post-rewrite'],
  ['git_merge', { revisions: ['side'] }, 'pre-merge-commit'],
  ['git_rebase', { upstream: 'side' }, 'pre-rebase'],
  ['git_cherry_pick', { commits: ['side'] }, 'prepare-commit-msg'],
  ['git_revert', { commits: ['HEAD'] }, 'post-commit'],
  ['git_pull', { strategy: 'merge' }, 'post-merge'],
  ['git_push', {}, 'pre-push'],
  ['git_checkout', { branch_name: 'side' }, 'post-checkout'],
  ['git_worktree', { action: 'add', path: 'added', branch_name: 'side' }, 'post-checkout'],
  ['git_tag', { tag_name: 'x' }, 'reference-transaction'],
];

describe('once a hook has changed since the repository was trusted', () => {
  test.each(calls)(
    '%s is refused before it does anything, %j, until it is trusted anew',
    async (tool, args, hook) => {
      const here = await trusted(hook);
      if (tool === 'git_pull') here.commitThere('there');
      appendFileSync(here.file, 'true\n');
      const before = stateOf(here);
      const refused = await here.ask(tool, args);
      expect([refused.code, refused.text]).toEqual(['trust-changed', expect.stringContaining(hook)]);
      expect(refused.text).toMatch(/nothing was done; git_trust .*--trust/);
      expect([stateOf(here) === before, existsSync(join(here.root, 'added'))]).toEqual([true, false]);
      await here.ask('git_trust');
      const { failed, text } = await here.ask(tool, args);
      expect(failed && text).toBe(false);
    },
  );

  test('a commit goes on where its user takes trust back, and tells so', async () => {
    const here = await trusted('pre-commit');
    appendFileSync(here.file, 'true\n');
    await here.ask('git_trust', { revoke: true });
    const { facts } = await here.ask('git_commit', { message: 'x', allow_empty: true });
    expect(facts.hooks).toBe('off: not trusted (pre-commit)');
  });

  test('the same holds for what the operator trusts', async () => {
    const { git, work, file } = await trusted('pre-commit');
    const client = await served.client([work], { extra: { trust: [work] } });
    await call(client, 'git_status');
    appendFileSync(file, 'true\n');
    const commit = () => call(client, 'git_commit', { message: 'x', allow_empty: true });
    expect([(await commit()).code, git(work, 'log', '--format=%s', '-1').toString()]).toEqual([
      'trust-changed',
      'main\n',
    ]);
    expect((await call(client, 'git_trust', { revoke: true })).facts.trust).toBe('untrusted');
    expect((await commit()).facts.hooks).toBe('off: not trusted (pre-commit)');
  });

  test('a call whose hooks are left out anyway, and one that has none, go on', async () => {
    const here = await trusted('pre-commit');
    appendFileSync(here.file, 'true\n');
    const skipped = await here.ask('git_commit', { message: 'x', allow_empty: true, no_verify: true });
    const branched = await here.ask('git_create_branch', { branch_name: 'x' });
    expect([skipped.failed, branched.failed]).toEqual([false, false]);
  });

  test('what is in progress can be aborted, and not continued', async () => {
    const here = await trusted('pre-commit');
    const { git, work } = here;
    writeFileSync(join(work, 'side.txt'), 'other\n');
    git(work, 'add', '.');
    git(work, 'commit', '-qm', 'other');
    expect((await here.ask('git_merge', { revisions: ['side'] })).facts.state).toBe('conflicts');
    appendFileSync(here.file, 'true\n');
    await here.ask('git_resolve', { paths: ['side.txt'], side: 'ours' });
    const going = await here.ask('git_continue', { action: 'continue' });
    const aborted = await here.ask('git_continue', { action: 'abort', confirm: true });
    expect([going.code, aborted.failed]).toEqual(['trust-changed', false]);
  });

  test.each<[string, (file: string) => void]>([
    ['is gone', (file) => rmSync(file)],
    ['may not be executed', (file) => chmodSync(file, 0o644)],
  ])('a commit goes on as by hand where the only one %s', async (_, change) => {
    const here = await trusted('pre-commit');
    change(here.file);
    const { failed, facts } = await here.ask('git_commit', { message: 'x', allow_empty: true });
    expect([failed, facts.hooks]).toEqual([false, undefined]);
  });
});

test.each<[string, string, Record<string, unknown>, Readonly<Record<string, string>>]>([
  ['unsigned', 'git_commit', { message: 'x', allow_empty: true }, { 'commit.gpgSign': 'true' }],
  ['unsigned', 'git_merge', { revisions: ['side'] }, { 'commit.gpgSign': 'true' }],
  ['unsigned', 'git_tag', { tag_name: 'x', message: 'x' }, { 'tag.gpgSign': 'true' }],
  ['without its merge driver', 'git_merge', { revisions: ['side'] }, { 'merge.x.driver': 'true' }],
])('nothing is made %s by %s once the programs have changed', async (_, tool, args, settings) => {
  const here = await trusted('post-update', settings);
  appendFileSync(here.file, 'true\n');
  const before = stateOf(here);
  const refused = await here.ask(tool, args);
  const key = Object.keys(settings)[0]!.toLowerCase();
  expect([refused.code, refused.text, stateOf(here) === before]).toEqual([
    'trust-changed',
    expect.stringContaining(key),
    true,
  ]);
});
