import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { call, Served, type Setting } from '../harness.ts';
import { type Pair, pairs } from '../remotes/pair.ts';

const served = new Served();
const pair = pairs();

afterEach(() => void vi.unstubAllEnvs());

interface Site extends Pair {
  /** the operator's home, outside the root */
  readonly home: string;
  /** Writes a hook of a folder, which leaves a mark. */
  hook(folder: string, name: string, mode?: number): void;
  /** Whether a hook has run since this was asked last. */
  ran(): boolean;
}

function site(config: string): Site {
  const here = pair();
  const home = join(here.shared, 'home');
  mkdirSync(home);
  writeFileSync(join(home, '.gitconfig'), config.replaceAll('HOME', home));
  vi.stubEnv('HOME', home);
  vi.stubEnv('GIT_CONFIG_NOSYSTEM', '1');
  here.git(here.work, 'config', 'user.name', 'Ann');
  here.git(here.work, 'config', 'user.email', 'ann@example.org');
  const marker = join(here.shared, 'ran');
  return {
    ...{ ...here, home },
    hook: (folder, name, mode = 0o755) => {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, name), `#!/bin/sh\n: > '${marker}'\n`);
      chmodSync(join(folder, name), mode);
    },
    ran: () => {
      const there = existsSync(marker);
      rmSync(marker, { force: true });
      return there;
    },
  };
}

const agrees = { action: 'accept', content: { confirm: true } } as const;
const commit = { message: 'x', allow_empty: true };

async function asked(here: Site, setting: Setting = {}) {
  const questions: string[] = [];
  const client = await served.client([here.root], {
    extra: { 'allow-protocol': ['file'] },
    ...setting,
    elicitation: ({ message }) => {
      questions.push(message);
      return agrees;
    },
  });
  const ask = <Facts = { hooks?: string }>(name: string, args: Record<string, unknown> = {}) =>
    call<Facts>(client, name, { repo_path: here.work, ...args });
  return { ask, questions };
}

interface Overview {
  suppressed: { key: string; scope: string; what: string }[];
  trust: string;
}

describe('hooks of the operator’s own core.hooksPath', () => {
  test.each<[string, string, (here: Site) => string]>([
    ['an absolute path', '[core]\n\thooksPath = HOME/hooks\n', ({ home }) => join(home, 'hooks')],
    ['a path in the home', '[core]\n\thooksPath = ~/hooks\n', ({ home }) => join(home, 'hooks')],
    ['an included file', '[include]\n\tpath = more\n', ({ home }) => join(home, 'hooks')],
    [
      'a path inside the root',
      '[core]\n\thooksPath = HOME/../../root/hooks\n',
      ({ root }) => join(root, 'hooks'),
    ],
  ])('are listed, offered for trust and named by a commit, by %s', async (_, config, folderOf) => {
    const here = site(config);
    writeFileSync(join(here.home, 'more'), '[core]\n\thooksPath = ~/hooks\n');
    here.hook(folderOf(here), 'pre-commit');
    const { ask, questions } = await asked(here);
    const suppressed = [
      { key: 'core.hookspath', scope: 'global', what: 'hook' },
      { key: 'hooks/pre-commit', scope: 'global', what: 'hook' },
    ];
    expect((await ask<Overview>('git_overview')).facts).toMatchObject({ trust: 'untrusted', suppressed });
    const off = await ask('git_commit', commit);
    const notice = "off: not trusted (pre-commit of the operator's core.hooksPath)";
    expect([off.facts.hooks, off.text.split('\n').at(-1), here.ran()]).toEqual([
      notice,
      `hooks: ${notice}`,
      false,
    ]);
    expect((await ask('git_trust')).facts).toMatchObject({ trust: 'trusted', runs: suppressed });
    expect(questions).toEqual([
      expect.stringContaining('"core.hookspath" (global), "hooks/pre-commit" (global)'),
    ]);
    expect([(await ask('git_commit', commit)).facts.hooks, here.ran()]).toEqual(['on', true]);
  });

  test('are listed from the system configuration and from the environment’s global file', async () => {
    const here = site('');
    here.hook(join(here.home, 'hooks'), 'pre-commit');
    const config = join(here.home, 'other');
    writeFileSync(config, `[core]\n\thooksPath = ${here.home}/hooks\n`);
    for (const [name, scope] of [
      ['GIT_CONFIG_SYSTEM', 'system'],
      ['GIT_CONFIG_GLOBAL', 'global'],
    ] as const) {
      vi.stubEnv('GIT_CONFIG_NOSYSTEM', '0');
      vi.stubEnv(name, config);
      const { ask } = await asked(here);
      const { suppressed } = (await ask<Overview>('git_overview')).facts;
      expect(suppressed).toContainEqual({ key: 'hooks/pre-commit', scope, what: 'hook' });
      vi.stubEnv('GIT_CONFIG_SYSTEM', '/dev/null');
    }
  });

  test('in a folder of each work tree are those of the repository', async () => {
    const here = site('[core]\n\thooksPath = .githooks\n');
    const { ask } = await asked(here);
    expect((await ask<Overview>('git_overview')).facts.suppressed).toEqual([]);
    here.hook(join(here.work, '.githooks'), 'pre-commit');
    expect((await ask<Overview>('git_overview')).facts.suppressed).toEqual([
      { key: 'core.hookspath', scope: 'global', what: 'hook' },
      { key: 'hooks/pre-commit', scope: 'local', what: 'hook' },
    ]);
    expect((await ask('git_commit', commit)).facts.hooks).toBe('off: not trusted (pre-commit)');
  });

  test('may change, and those inside a root may not', async () => {
    for (const [folder, trust] of [
      [({ home }: Site) => join(home, 'hooks'), 'trusted'],
      [({ root }: Site) => join(root, 'hooks'), 'changed'],
    ] as const) {
      const here = site('');
      writeFileSync(join(here.home, '.gitconfig'), `[core]\n\thooksPath = ${folder(here)}\n`);
      here.hook(folder(here), 'pre-commit');
      const { ask } = await asked(here);
      await ask('git_trust');
      here.hook(folder(here), 'commit-msg');
      expect((await ask<Overview>('git_overview')).facts.trust).toBe(trust);
    }
  });

  test('are not listed where the repository has set another folder', async () => {
    const here = site('[core]\n\thooksPath = HOME/hooks\n');
    here.hook(join(here.home, 'hooks'), 'pre-commit');
    here.git(here.work, 'config', 'core.hooksPath', '.own');
    const { ask } = await asked(here);
    expect((await ask<Overview>('git_overview')).facts.suppressed).toEqual([
      { key: 'core.hookspath', scope: 'local', what: 'hook' },
    ]);
    expect((await ask('git_commit', commit)).facts.hooks).toBeUndefined();
  });

  test('do not keep a push from a folder that they would not serve', async () => {
    const here = site('[core]\n\thooksPath = HOME/hooks\n');
    here.hook(join(here.home, 'hooks'), 'pre-commit');
    here.git(here.work, 'remote', 'set-url', 'origin', `file://${here.bare}`);
    here.commitHere('new');
    const client = await served.client([here.root, here.bare], { extra: { 'allow-protocol': ['file'] } });
    const push = () => call(client, 'git_push', { repo_path: here.work });
    expect((await push()).failed).toBe(false);
    here.hook(join(here.home, 'hooks'), 'pre-receive');
    here.commitHere('newer');
    const { code, text } = await push();
    expect([code, text]).toEqual(['unsupported', expect.stringContaining('hooks/pre-receive')]);
  });
});

const side = ({ git, work, write }: Site): void => {
  git(work, 'switch', '-q', 'side');
  write(`${work.slice(dirname(dirname(dirname(work))).length)}/side.txt`, 'side\n');
  git(work, 'add', '.');
  git(work, 'commit', '-qm', 'side');
  git(work, 'switch', '-q', 'main');
  git(work, 'commit', '-qm', 'main', '--allow-empty');
};

/** Calls that run a hook, and the hooks that each runs. */
const calls: readonly (readonly [tool: string, args: Record<string, unknown>, hook: string])[] = [
  ['git_clone', {}, 'post-checkout'],
  ['git_merge', { revisions: ['side'] }, 'pre-merge-commit'],
  ['git_merge', { revisions: ['side'] }, 'post-merge'],
  ['git_rebase', { upstream: 'side' }, 'pre-rebase'],
  ['git_cherry_pick', { commits: ['side'] }, 'prepare-commit-msg'],
  ['git_revert', { commits: ['HEAD~1'] }, 'post-commit'],
  ['git_checkout', { branch_name: 'side' }, 'post-checkout'],
  ['git_worktree', { action: 'add', path: 'added', branch_name: 'side' }, 'post-checkout'],
  ['git_create_branch', { branch_name: 'x' }, 'reference-transaction'],
  ['git_tag', { tag_name: 'x' }, 'reference-transaction'],
  ['git_reset', { mode: 'soft', revision: 'HEAD~1' }, 'reference-transaction'],
  ['git_stash', { action: 'push' }, 'reference-transaction'],
  ['git_push', {}, 'pre-push'],
  ['git_fetch', {}, 'reference-transaction'],
  ['git_pull', { strategy: 'merge' }, 'pre-merge-commit'],
  ['git_remote', { action: 'rename', name: 'origin', new_name: 'other' }, 'reference-transaction'],
];

test.each(calls)('%s tells that it left out a hook, %j', async (tool, args, name) => {
  const here = site('[core]\n\thooksPath = HOME/hooks\n');
  side(here);
  if (tool === 'git_stash') writeFileSync(join(here.work, 'file.txt'), 'changed\n');
  if (tool === 'git_pull') here.commitThere('there');
  here.git(here.work, 'remote', 'set-url', 'origin', `file://${here.bare}`);
  here.hook(join(here.home, 'hooks'), name);
  const client = await served.client([here.root, here.bare], { extra: { 'allow-protocol': ['file'] } });
  const where =
    tool === 'git_clone'
      ? { url: `file://${here.bare}`, path: join(here.root, 'cloned') }
      : { repo_path: here.work };
  const { failed, text, facts } = await call<{ hooks?: string }>(client, tool, { ...args, ...where });
  const notice = `off: not trusted (${name} of the operator's core.hooksPath)`;
  expect([failed && text, facts?.hooks, here.ran()]).toEqual([false, notice, false]);
  expect(text).toContain(`hooks: ${notice}`);
});

describe('a folder without a hook that git would start', () => {
  test.each<[string, (here: Site) => void]>([
    [
      'is empty',
      ({ work }) => {
        mkdirSync(join(work, '.own'));
      },
    ],
    ['is missing', () => undefined],
    [
      'has a file that may not be executed',
      ({ hook, work }) => hook(join(work, '.own'), 'pre-commit', 0o644),
    ],
    ['has only a sample', ({ hook, work }) => hook(join(work, '.own'), 'pre-commit.sample')],
    ['has a helper', ({ hook, work }) => hook(join(work, '.own'), 'helper.sh')],
    ['has hooks of other calls', ({ hook, work }) => hook(join(work, '.own'), 'pre-push')],
  ])('says nothing of hooks in a commit where it %s', async (_, make) => {
    const here = site('');
    here.git(here.work, 'config', 'core.hooksPath', '.own');
    make(here);
    for (const trust of [[], [here.work]]) {
      const { ask } = await asked(here, { extra: { trust } });
      const { facts, text } = await ask('git_commit', commit);
      expect([facts.hooks, text.includes('hooks')]).toEqual([undefined, false]);
    }
  });

  test('outside the root is reported as such only where it is trusted', async () => {
    const here = site('');
    here.git(here.work, 'config', 'core.hooksPath', join(here.home, 'hooks'));
    const notices: unknown[] = [];
    for (const make of [() => undefined, () => here.hook(join(here.home, 'hooks'), 'pre-commit')]) {
      make();
      for (const trust of [[], [here.work]]) {
        const { ask } = await asked(here, { extra: { trust } });
        notices.push((await ask('git_commit', commit)).facts.hooks);
      }
    }
    const hidden = 'off: not trusted (core.hooksPath)';
    expect(notices).toEqual([hidden, undefined, hidden, 'on']);
  });
});
