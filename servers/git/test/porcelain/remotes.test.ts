import { expect, test } from 'vitest';
import { configList, parseConfigList } from '../../src/porcelain/config-list.ts';
import { remotesOf } from '../../src/porcelain/remotes.ts';
import { scratch } from '../scratch.ts';
import { printed } from './printed.ts';

function repository() {
  const made = scratch();
  made.git(made.folder, 'init');
  const set = (key: string, value: string) => made.git(made.folder, 'config', '--add', key, value);
  return {
    ...made,
    set,
    remotes: async () => remotesOf(parseConfigList(await printed(made.folder, configList()))),
  };
}

test('a remote has its addresses and what it fetches', async () => {
  const { folder, git, remotes } = repository();
  git(folder, 'remote', 'add', 'origin', 'https://example.org/one.git');
  git(folder, 'remote', 'add', '--mirror=push', 'back.up', 'ssh://git@example.org:22/two.git');
  git(folder, 'remote', 'set-url', '--push', 'origin', 'git@example.org:one.git');
  expect(await remotes()).toEqual([
    {
      name: 'origin',
      fetchUrl: 'https://example.org/one.git',
      pushUrls: ['git@example.org:one.git'],
      refspecs: ['+refs/heads/*:refs/remotes/origin/*'],
      mirror: false,
      prune: false,
      promisor: false,
    },
    {
      name: 'back.up',
      fetchUrl: 'ssh://git@example.org:22/two.git',
      pushUrls: ['ssh://git@example.org:22/two.git'],
      refspecs: [],
      mirror: true,
      prune: false,
      promisor: false,
    },
  ]);
});

test('no credentials are told', async () => {
  const { set, remotes } = repository();
  const urls = {
    a: ['https://user:secret@example.org/x', 'https://example.org/x'],
    b: ['https://secret@example.org/x', 'https://example.org/x'],
    c: ['ssh://git:secret@example.org/x', 'ssh://git@example.org/x'],
    d: ['https://user:sec ret\'"<@example.org/x', 'https://example.org/x'],
    e: ['https://user:sec@ret@example.org/x?access_token=secret', 'https://example.org/x?access_token=***'],
    f: ['ext::https://user:secret@example.org/x', 'ext::https://example.org/x'],
    g: ['ssh://git@example.org/x', 'ssh://git@example.org/x'],
    h: ["ssh://git:se cr'et@example.org/x", 'ssh://git@example.org/x'],
  };
  for (const [name, [url]] of Object.entries(urls)) {
    set(`remote.${name}.url`, url!);
    set(`remote.${name}.pushurl`, url!);
  }
  for (const { name, fetchUrl, pushUrls } of await remotes()) {
    const visible = urls[name as keyof typeof urls][1];
    expect([name, fetchUrl, ...pushUrls]).toEqual([name, visible, visible]);
  }
});

test('addresses are rewritten as git rewrites them', async () => {
  const { folder, git, set, remotes } = repository();
  set('url.https://longer.example/.insteadOf', 'gh:team/');
  set('url.https://mirror.example/.insteadOf', 'gh:');
  set('url.https://second.example/.insteadOf', 'gh:');
  set('url.ssh://git@push.example/.pushInsteadOf', 'gh:');
  const urls = { one: ['gh:x'], two: ['gh:team/x'], three: ['other:x', 'gh:y'], four: ['plain', 'second'] };
  for (const [name, all] of Object.entries(urls)) for (const url of all) set(`remote.${name}.url`, url);
  set('remote.five.url', 'gh:z');
  set('remote.five.pushurl', 'gh:team/z');
  for (const { name, fetchUrl, pushUrls } of await remotes()) {
    const lines = (...args: string[]) =>
      git(folder, 'remote', 'get-url', ...args, name)
        .toString()
        .trim()
        .split('\n');
    expect([name, fetchUrl]).toEqual([name, lines()[0]]);
    expect([name, pushUrls]).toEqual([name, lines('--push', '--all')]);
  }
  expect(await remotes()).toHaveLength(5);
});

test('a remote without an address, with a setting that stands alone, and of any name is listed', async () => {
  const { write, remotes } = repository();
  write(
    '.git/config',
    '[remote "größe.x"]\n\tprune\n\tpromisor = 1\n\tmirror = no\n[remote "caf\\\\e"]\n\ttagOpt = x\n[remote]\n\tpushDefault = x\n',
  );
  expect(await remotes()).toEqual([
    {
      name: 'größe.x',
      fetchUrl: undefined,
      pushUrls: [],
      refspecs: [],
      mirror: false,
      prune: true,
      promisor: true,
    },
    {
      name: 'caf\\e',
      fetchUrl: undefined,
      pushUrls: [],
      refspecs: [],
      mirror: false,
      prune: false,
      promisor: false,
    },
  ]);
});

test('without remotes there are none', async () => {
  const { remotes } = repository();
  expect(await remotes()).toEqual([]);
});
