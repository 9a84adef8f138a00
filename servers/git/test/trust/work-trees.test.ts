import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, Served, type Setting } from '../harness.ts';
import { scratch } from '../scratch.ts';

const served = new Served();
const agrees = { action: 'accept', content: { confirm: true } } as const;

/** A repository with a hook, and two linked work trees of it. */
function site(hooksPath?: string) {
  const { folder, git, write } = scratch();
  const [main, one, two] = ['main', 'one', 'two'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  git(folder, 'init', '-q', '--template=', main);
  git(main, 'config', 'user.name', 'Ann');
  git(main, 'config', 'user.email', 'ann@example.org');
  if (hooksPath !== undefined) git(main, 'config', 'core.hooksPath', hooksPath);
  const marker = join(folder, 'ran');
  const hook = (at: string, lines = '', name = 'pre-commit') => {
    mkdirSync(at, { recursive: true });
    writeFileSync(join(at, name), `#!/bin/sh\n: > '${marker}'\n${lines}`, { mode: 0o755 });
  };
  hook(hooksPath === undefined ? join(main, '.git/hooks') : join(main, hooksPath));
  git(main, 'add', '.');
  git(main, 'commit', '-qm', 'one', '--allow-empty', '--no-verify');
  for (const path of [one, two]) git(main, 'worktree', 'add', '-q', path);
  const ran = () => {
    const there = existsSync(marker);
    rmSync(marker, { force: true });
    return there;
  };
  ran();
  const questions: string[] = [];
  const client = (setting: Setting = {}, root = folder) =>
    served.client([root], {
      ...setting,
      elicitation: ({ message }) => {
        questions.push(message);
        return agrees;
      },
    });
  return { ...{ folder, git, write, main, one, two, hook, ran, questions, client } };
}

const commit = { message: 'x', allow_empty: true };

test.each(['main', 'one', 'two'] as const)(
  'one answer for %s is for all work trees, and so is its withdrawal',
  async (at) => {
    const here = site();
    const client = await here.client();
    await call(client, 'git_trust', { repo_path: here[at] });
    const hooks = async () => {
      const notices: unknown[] = [];
      for (const path of [here.main, here.one, here.two]) {
        const { facts } = await call(client, 'git_commit', { repo_path: path, ...commit });
        notices.push(facts.hooks, here.ran());
      }
      return notices;
    };
    expect(await hooks()).toEqual(['on', true, 'on', true, 'on', true]);
    await call(client, 'git_trust', { repo_path: here.two, revoke: true });
    const off = ['off: not trusted (pre-commit)', false];
    expect([await hooks(), here.questions.length]).toEqual([[...off, ...off, ...off], 1]);
  },
);

test.each(['main', 'one'] as const)(
  '--trust of %s is for all work trees, whichever is opened first',
  async (named) => {
    for (const first of ['main', 'two'] as const) {
      const here = site();
      const client = await here.client({ extra: { trust: [here[named]] } });
      for (const path of [here[first], here.main, here.one, here.two])
        expect((await call(client, 'git_overview', { repo_path: path })).facts.trust).toBe('trusted');
      here.git(here.main, 'worktree', 'add', '-q', '../three');
      const { facts } = await call(client, 'git_overview', { repo_path: join(here.folder, 'three') });
      expect(facts.trust).toBe('trusted');
    }
  },
);

test('one answer is for all work trees again once a hook that they share has changed', async () => {
  const here = site();
  const client = await here.client();
  await call(client, 'git_trust', { repo_path: here.main });
  here.hook(join(here.main, '.git/hooks'), 'true\n');
  const states = async () => {
    const seen: unknown[] = [];
    for (const path of [here.one, here.main, here.two])
      seen.push((await call(client, 'git_overview', { repo_path: path })).facts.trust);
    return seen;
  };
  expect(await states()).toEqual(['changed', 'changed', 'changed']);
  await call(client, 'git_trust', { repo_path: here.one });
  expect([await states(), here.questions.length]).toEqual([['trusted', 'trusted', 'trusted'], 2]);
});

test('--trust of a main work tree outside the roots is for a linked one inside', async () => {
  const here = site();
  const extra = { trust: [here.main], 'allow-common-dir': [join(here.main, '.git')] };
  const client = await here.client({ extra }, here.one);
  expect((await call(client, 'git_commit', commit)).facts.hooks).toBe('on');
});

test('another repository is not trusted with it', async () => {
  const here = site();
  const client = await here.client({ extra: { trust: [here.main] } });
  const other = join(here.folder, 'other');
  here.git(here.folder, 'clone', '-q', here.main, other);
  here.hook(join(other, '.git/hooks'));
  expect((await call(client, 'git_overview', { repo_path: other })).facts.trust).toBe('untrusted');
});

test.each<[string, (here: ReturnType<typeof site>) => void]>([
  ['another hook in its folder', ({ hook, two }) => hook(join(two, '.own'), 'true\n')],
  ['one hook more', ({ hook, two }) => hook(join(two, '.own'), '', 'commit-msg')],
  [
    'a setting of its own',
    ({ git, two }) => {
      git(two, 'config', 'extensions.worktreeConfig', 'true');
      git(two, 'config', '--worktree', 'filter.x.clean', 'evil');
    },
  ],
])(
  'a work tree with %s is not trusted with the others, neither by a user nor by the operator',
  async (_, change) => {
    for (const trust of [true, false]) {
      const here = site('.own');
      change(here);
      const client = await here.client(trust ? { extra: { trust: [here.main] } } : {});
      if (!trust) await call(client, 'git_trust', { repo_path: here.main });
      const states: unknown[] = [];
      for (const path of [here.two, here.one, here.main])
        states.push((await call(client, 'git_overview', { repo_path: path })).facts.trust);
      expect(states).toEqual(['changed', 'trusted', 'trusted']);
      const refused = await call(client, 'git_commit', { repo_path: here.two, ...commit });
      expect([refused.code, here.ran()]).toEqual(['trust-changed', false]);
      await call(client, 'git_trust', { repo_path: here.two });
      expect((await call(client, 'git_commit', { repo_path: here.two, ...commit })).facts.hooks).toBe('on');
      expect((await call(client, 'git_overview', { repo_path: here.one })).facts.trust).toBe('trusted');
    }
  },
);

test('a work tree with fewer hooks is trusted with the others', async () => {
  const here = site('.own');
  rmSync(join(here.one, '.own'), { recursive: true });
  const client = await here.client({ extra: { trust: [here.main] } });
  const { facts } = await call(client, 'git_overview', { repo_path: here.one });
  expect([
    facts.trust,
    (await call(client, 'git_commit', { repo_path: here.one, ...commit })).facts.hooks,
  ]).toEqual(['trusted', undefined]);
});
