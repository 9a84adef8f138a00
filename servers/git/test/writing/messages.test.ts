import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@rootbound/protocol/client';
import { describe, expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { type GitInput, scratch } from '../scratch.ts';
import { full } from '../seeds.ts';
import { copyOf } from './diverging.ts';

const served = new Served();
const made = scratch();
const { folder, git } = made;
const stopping = { okay: [0, 1] } satisfies GitInput;

/** Begins with a comment character of git's, and has others at the beginnings of lines, spaces at ends, empty lines. */
const words = '#43 a fix\n\n# note\n; @ ! $ % ^ & | :\n;x\n  two  \n\n\n@last\n';
const other = '#44 another\n\n$x\n|y\n';
const first = base();

/** `side` and `main` change the same line of `a`; `apart` changes `b`, then `b` again. */
function base(): string {
  const path = join(folder, 'base');
  const commit = (file: string, content: string, message: string): void => {
    made.write(join('base', file), content);
    git(path, 'add', '.');
    git(path, 'commit', '-q', '--cleanup=verbatim', '-F', '-', { input: message });
  };
  git(folder, 'init', '-q', path);
  git(path, 'config', 'user.name', 'Ann Example');
  git(path, 'config', 'user.email', 'ann@example.org');
  commit('a', 'one\n', 'base\n');
  git(path, 'switch', '-qc', 'side');
  commit('a', 'side\n', words);
  git(path, 'switch', '-qc', 'apart', 'main');
  commit('b', 'one\n', words);
  commit('b', 'two\n', other);
  git(path, 'switch', '-q', 'main');
  commit('a', 'main\n', words);
  return path;
}

const messageAt = (path: string, revision = 'HEAD') => {
  const object = git(path, 'cat-file', 'commit', revision).toString();
  return object.slice(object.indexOf('\n\n') + 2);
};

/** The lines that are no empty ones, without spaces at their ends: git itself strips those in places. */
const linesOf = (message: string) =>
  message.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trimEnd()]));

interface Way {
  readonly on?: string;
  readonly go: (client: Client, path: string) => Promise<void>;
  /** the messages that the commits from HEAD backwards must have; default `words` alone */
  readonly has?: readonly string[];
  /** git itself strips empty lines and spaces there */
  readonly stripped?: boolean;
}

const settle = async (client: Client, next: 'git_continue' | 'git_commit') => {
  await succeed(client, 'git_resolve', { paths: ['a'], side: 'theirs' });
  await succeed(client, next, next === 'git_continue' ? { action: 'continue' } : {});
};

async function succeed(client: Client, tool: string, args: Record<string, unknown>): Promise<void> {
  const { failed, text } = await call(client, tool, args);
  expect(failed ? text : '').toBe('');
}

const byHand = (path: string, ...args: string[]) => void git(path, ...args, stopping);
/** git ends the last line by itself */
const unended = words.replace(/\n$/, '');
const todo = (...actions: string[]) =>
  ['apart~1', 'apart'].map((commit, at) => ({ commit, ...JSON.parse(actions[at]!) }));

const ways: Readonly<Record<string, Way>> = {
  'a commit': {
    go: (client) => succeed(client, 'git_commit', { message: words, allow_empty: true }),
  },
  'an amended commit': {
    go: (client) => succeed(client, 'git_commit', { amend: true, allow_empty: true, signoff: false }),
  },
  'a tag': {
    go: async (client, path) => {
      await succeed(client, 'git_tag', { tag_name: 'v1', message: words });
      const tag = git(path, 'cat-file', 'tag', 'v1').toString();
      expect(tag.slice(tag.indexOf('\n\n') + 2)).toBe(words);
    },
  },
  'a merge': {
    go: (client) => succeed(client, 'git_merge', { revisions: ['apart'], message: words }),
  },
  'a merge with conflicts, continued': {
    go: async (client) => {
      await succeed(client, 'git_merge', { revisions: ['side'], message: words });
      await settle(client, 'git_continue');
    },
  },
  'a merge with conflicts, committed': {
    go: async (client) => {
      await succeed(client, 'git_merge', { revisions: ['side'], message: words });
      await settle(client, 'git_commit');
    },
  },
  'a merge with conflicts that was begun by hand, continued': {
    go: async (client, path) => {
      byHand(path, 'merge', '-q', '-m', unended, 'side');
      await settle(client, 'git_continue');
    },
  },
  'a merge with conflicts that was begun by hand, committed': {
    go: async (client, path) => {
      byHand(path, 'merge', '-q', '-m', unended, 'side');
      await settle(client, 'git_commit');
    },
  },
  'a pick': {
    go: (client) => succeed(client, 'git_cherry_pick', { commits: ['apart~1'] }),
  },
  'picks with conflicts, continued': {
    go: async (client) => {
      await succeed(client, 'git_cherry_pick', { commits: ['side', 'apart~1', 'apart'] });
      await settle(client, 'git_continue');
    },
    has: [other, words, words],
    stripped: true,
  },
  'a pick with conflicts, committed': {
    go: async (client) => {
      await succeed(client, 'git_cherry_pick', { commits: ['side'] });
      await settle(client, 'git_commit');
    },
  },
  'a pick with conflicts that was begun by hand, continued': {
    go: async (client, path) => {
      byHand(path, 'cherry-pick', 'side');
      await settle(client, 'git_continue');
    },
    stripped: true,
  },
  'a rebase': {
    on: 'apart',
    go: (client) => succeed(client, 'git_rebase', { upstream: 'main' }),
    has: [other, words],
  },
  'a rebase with conflicts, continued': {
    on: 'side',
    go: async (client) => {
      await succeed(client, 'git_rebase', { upstream: 'main' });
      await settle(client, 'git_continue');
    },
    stripped: true,
  },
  'a rebase with conflicts that was begun by hand, continued': {
    on: 'side',
    go: async (client, path) => {
      byHand(path, 'rebase', '-q', 'main');
      await settle(client, 'git_continue');
    },
    stripped: true,
  },
  'a commit with another message in a rebase': {
    on: 'apart',
    go: (client) =>
      succeed(client, 'git_rebase', {
        upstream: 'main',
        todo: todo('{"action":"pick"}', JSON.stringify({ action: 'reword', message: words })),
      }),
    has: [words, words],
  },
  'a squash with a message': {
    on: 'apart',
    go: (client) =>
      succeed(client, 'git_rebase', {
        upstream: 'main',
        todo: todo('{"action":"pick"}', JSON.stringify({ action: 'squash', message: words })),
      }),
    stripped: true,
  },
  'a squash without a message': {
    on: 'apart',
    go: (client) =>
      succeed(client, 'git_rebase', {
        upstream: 'main',
        todo: todo('{"action":"pick"}', '{"action":"squash"}'),
      }),
    has: [`${words}${other}`],
    stripped: true,
  },
  'a fixup': {
    on: 'apart',
    go: (client) =>
      succeed(client, 'git_rebase', {
        upstream: 'main',
        todo: todo('{"action":"pick"}', '{"action":"fixup"}'),
      }),
    stripped: true,
  },
  'a step that stopped for editing, continued': {
    on: 'apart',
    go: async (client, path) => {
      await succeed(client, 'git_rebase', {
        upstream: 'main',
        todo: todo('{"action":"edit"}', '{"action":"pick"}'),
      });
      writeFileSync(join(path, 'c'), 'more\n');
      await succeed(client, 'git_add', { files: ['c'] });
      await succeed(client, 'git_continue', { action: 'continue' });
    },
    has: [other, words],
    stripped: true,
  },
  'a revert with conflicts, continued': {
    on: 'apart',
    go: async (client) => {
      await succeed(client, 'git_revert', { commits: ['apart~1'] });
      await succeed(client, 'git_resolve', { paths: ['b'], side: 'ours' });
      const done = await call(client, 'git_commit', { message: words, allow_empty: true });
      expect(done.failed ? done.text : '').toBe('');
    },
  },
};

/** Settings that decide which lines git strips, or that people have. */
const settings: readonly string[] = [
  '',
  ...['strip', 'whitespace', 'scissors', 'verbatim', 'default'].map((mode) => `commit.cleanup=${mode}`),
  ...['auto', ';', '@'].map((character) => `core.commentChar=${character}`),
  ...['commit.verbose=true', 'commit.status=true', 'commit.status=false', 'commit.template=template'],
];

/** Each way with a third of the settings, which over three ways are all, or with one in turn. */
const casesOf = (many: boolean) =>
  Object.entries(ways).flatMap(([name, way], row) =>
    settings
      .filter((_, at) => at === 0 || (many ? at % 3 === row % 3 : at === 1 + (row % (settings.length - 1))))
      .map((setting) => [name, setting || 'no setting', way, setting] as const),
  );

describe.each([false, true])('trusted: %s', (isTrusted) => {
  test.each(casesOf(full && !isTrusted))(
    '%s keeps each line of its message, with %s',
    async (_name, _setting, way, setting) => {
      const path = copyOf(first, randomUUID());
      const [key, value] = setting.split('=');
      if (key !== '') git(path, 'config', key!, value!);
      if (key === 'commit.template') writeFileSync(join(path, 'template'), '# a template\n');
      if (key === 'commit.template') writeFileSync(join(path, '.git', 'info', 'exclude'), 'template\n');
      if (way.on !== undefined) git(path, 'switch', '-q', way.on);
      const client = await served.client([path], isTrusted ? { extra: { trust: [path] } } : {});
      await way.go(client, path);
      const has = way.has ?? [words];
      const got = has.map((_, at) => messageAt(path, `HEAD~${at}`));
      expect(way.stripped ? got.map(linesOf) : got).toEqual(way.stripped ? has.map(linesOf) : has);
    },
  );
});
