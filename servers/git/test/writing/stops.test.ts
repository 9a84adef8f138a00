import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@rootbound/protocol/client';
import { describe, expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { type GitInput, scratch } from '../scratch.ts';
import { sampled } from '../seeds.ts';
import { copyOf } from './diverging.ts';
import { callsIn } from './undoing.ts';

const served = new Served();
const made = scratch();
const { folder, git } = made;
const stopping = { okay: [0, 1, 128] } satisfies GitInput;
const first = base();

/** `side` has three commits: its `a` conflicts with that of `main`, it adds `n`, and it changes `t`. */
function base(): string {
  const path = join(folder, 'base');
  const commit = (file: string, content: string): void => {
    made.write(join('base', file), content);
    git(path, 'add', '.');
    git(path, 'commit', '-qm', `${file} is ${content}`);
  };
  git(folder, 'init', '-q', path);
  git(path, 'config', 'user.name', 'Ann Example');
  git(path, 'config', 'user.email', 'ann@example.org');
  made.write('base/t', 'one\n');
  commit('a', 'one\n');
  git(path, 'switch', '-qc', 'side');
  commit('a', 'side\n');
  commit('n', 'side\n');
  commit('t', 'side\n');
  git(path, 'switch', '-q', 'main');
  commit('a', 'main\n');
  return path;
}

interface Answer {
  state: string;
  reason?: string;
  next?: string[];
  conflicts?: { path: string }[];
}

interface Stop {
  readonly on?: string;
  /** leads to the stop, and returns the result of the last call */
  readonly reach: (at: Place) => Promise<Answer>;
  readonly reason?: RegExp;
}

interface Place {
  readonly path: string;
  readonly ask: (tool: string, args?: Record<string, unknown>) => Promise<Answer>;
  readonly write: (file: string, content: string) => void;
}

const theirs = { paths: ['a'], side: 'theirs' };
const goOn = { action: 'continue' };

/** Stops after the conflict of the first commit, when `file` has meanwhile become what is in the way. */
const behind =
  (file: string): Stop['reach'] =>
  async ({ ask, write }) => {
    await ask('git_rebase', { upstream: 'main' });
    await ask('git_resolve', theirs);
    write(file, 'mine\n');
    return ask('git_continue', goOn);
  };

const edited = ['side~2', 'side~1', 'side'].map((commit, at) => ({
  action: at === 0 ? 'edit' : 'pick',
  commit,
}));

/** Each way in which a sequence stops, and whether git tells the reason or the state has it. */
const stops: Readonly<Record<string, Stop>> = {
  'a rebase at conflicts': { on: 'side', reach: ({ ask }) => ask('git_rebase', { upstream: 'main' }) },
  'a rebase at changes that are not staged': {
    on: 'side',
    reach: behind('t'),
    reason: /^t: changed and not staged/,
  },
  'a rebase at an untracked file': { on: 'side', reach: behind('n'), reason: /would be overwritten.*: n$/ },
  'a rebase at a commit to edit': {
    on: 'side',
    reach: ({ ask }) => ask('git_rebase', { upstream: 'main~1', todo: edited }),
    reason: /can be amended/,
  },
  'a rebase at a commit to edit, with changes that are not staged': {
    on: 'side',
    reach: async ({ ask, write }) => {
      await ask('git_rebase', { upstream: 'main~1', todo: edited });
      write('t', 'mine\n');
      return ask('git_continue', goOn);
    },
    reason: /^t: changed and not staged/,
  },
  'a rebase at staged changes after another commit': {
    on: 'side',
    reach: async ({ ask, write }) => {
      await ask('git_rebase', { upstream: 'main~1', todo: edited });
      write('x', 'mine\n');
      await ask('git_add', { files: ['x'] });
      await ask('git_commit', { message: 'between' });
      write('y', 'mine\n');
      await ask('git_add', { files: ['y'] });
      return ask('git_continue', goOn);
    },
    reason: /another commit was made at this stop/,
  },
  'a merge at conflicts': { reach: ({ ask }) => ask('git_merge', { revisions: ['side'] }) },
  'a merge that is to be committed': {
    reach: async ({ path, ask }) => {
      git(path, 'merge', '-q', '--no-commit', '--no-ff', 'side~3', stopping);
      return ask('git_merge', { revisions: ['side'], no_commit: true, prefer: 'ours' });
    },
    reason: /all changes are staged/,
  },
  'a squash': {
    reach: ({ ask }) => ask('git_merge', { revisions: ['side'], squash: true, prefer: 'ours' }),
    reason: /all changes are staged/,
  },
  'a squash at conflicts': { reach: ({ ask }) => ask('git_merge', { revisions: ['side'], squash: true }) },
  'picks at conflicts': { reach: ({ ask }) => ask('git_cherry_pick', { commits: ['side~2', 'side'] }) },
  'a pick of which nothing is left': {
    reach: ({ ask }) => ask('git_cherry_pick', { commits: ['HEAD'] }),
    reason: /nothing is left/,
  },
  'picks of which one is empty': {
    reach: async ({ ask }) => {
      await ask('git_cherry_pick', { commits: ['side~2', 'side'] });
      await ask('git_resolve', { ...theirs, side: 'ours' });
      return ask('git_continue', goOn);
    },
    reason: /nothing is left/,
  },
  'a revert at conflicts': {
    on: 'side',
    reach: async ({ path, ask, write }) => {
      write('a', 'again\n');
      git(path, 'commit', '-qam', 'again');
      return ask('git_revert', { commits: ['HEAD~3'] });
    },
  },
  'a revert that is to be committed': {
    reach: ({ ask }) => ask('git_revert', { commits: ['HEAD'], no_commit: true }),
    reason: /all changes are staged/,
  },
  'a patch that does not apply': {
    reach: async ({ path, ask, write }) => {
      const mails = git(path, 'format-patch', '--stdout', 'side~1..side');
      write('t', 'mine\n');
      git(path, 'commit', '-qam', 'mine');
      git(path, 'am', { ...stopping, input: mails });
      return ask('git_continue', goOn);
    },
    reason: /^its patch does not apply/,
  },
  'patches at conflicts': {
    reach: async ({ path, ask }) => {
      const mails = git(path, 'format-patch', '--stdout', 'side~3..side');
      git(path, 'am', '-3', { ...stopping, input: mails });
      return ask('git_continue', goOn);
    },
  },
  'a stash at conflicts': {
    reach: async ({ path, ask, write }) => {
      write('a', 'stashed\n');
      git(path, 'stash', '-q');
      write('a', 'mine\n');
      git(path, 'commit', '-qam', 'mine');
      return ask('git_stash', { action: 'pop' });
    },
  },
};

async function placeOf(stop: Stop): Promise<Place> {
  const path = copyOf(first, randomUUID());
  if (stop.on !== undefined) git(path, 'switch', '-q', stop.on);
  const client = await served.client([path]);
  return {
    path,
    ask: (tool, args = {}) => answerOf(client, tool, args),
    write: (file, content) => writeFileSync(join(path, file), content),
  };
}

async function answerOf(client: Client, tool: string, args: Record<string, unknown>): Promise<Answer> {
  const { failed, text, facts } = await call<Answer>(client, tool, args);
  if (failed) throw new Error(`${tool} ${JSON.stringify(args)} failed: ${text}`);
  return facts;
}

const inProgress = (path: string): boolean =>
  ['rebase-merge', 'rebase-apply', 'sequencer', 'MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD'].some(
    (name) => existsSync(join(path, '.git', name)),
  );

type Call = readonly [tool: string, args: Record<string, unknown>];

/** The calls of one entry of `next`, each way of `git_continue` apart. */
function waysOf(entry: string): Call[][] {
  if (entry === 'git_add, after its changes were made by hand') return [];
  const [before, after] = entry.split(', then git_continue with action ');
  const [, actions] = /^git_continue with action (.*)$/.exec(entry) ?? [];
  if (actions !== undefined)
    return actions.split(', ').map((action) => [['git_continue', { action, confirm: true }]]);
  const [tool, rest] = /^(git_\w+)(?: with (\w+))?$/.exec(entry)?.slice(1) ?? [];
  if (tool === 'git_conflicts') return [[[tool, {}]]];
  if (tool === 'git_resolve') return [[[tool, theirs]]];
  if (tool === 'git_commit')
    return [[[tool, { message: 'mine', ...(rest !== undefined && { [rest]: true }) }]]];
  const calls: Call[] = callsIn(before!).map(({ tool: name, args }) => [name, args]);
  return [after === undefined ? calls : [...calls, ['git_continue', { action: after }]]];
}

/** Goes on by the first way of each stop, until nothing is in progress. */
async function toTheEnd({ path, ask }: Place, from: Answer): Promise<Answer> {
  let last = from;
  for (let turn = 0; turn < 8 && last.next !== undefined && inProgress(path); turn++) {
    const unresolved = last.state === 'conflicts';
    if (unresolved)
      await ask('git_resolve', { ...theirs, paths: last.conflicts!.map((conflict) => conflict.path) });
    const [way] = unresolved ? [[['git_continue', goOn] as Call]] : last.next.flatMap(waysOf);
    for (const [tool, args] of way!) last = await ask(tool, args);
    if (last.next === undefined && inProgress(path)) last = await ask('git_continue', goOn);
  }
  return last;
}

describe.each(Object.entries(stops))('%s', (_name, stop) => {
  test('tells its reason, and the first of its ways on leads to the end', async () => {
    const place = await placeOf(stop);
    const reached = await stop.reach(place);
    expect(reached.reason ?? '').toMatch(stop.reason ?? /^/);
    expect(reached.next).not.toEqual([]);
    expect(reached.reason ?? '').not.toMatch(/git (?:add|am|rebase|commit|merge|cherry-pick) -|use "git/);
    const hasWay = reached.next!.flatMap(waysOf).length > 0;
    if (hasWay) await toTheEnd(place, reached);
    expect([hasWay, inProgress(place.path)]).toEqual([true, false]);
  });
});

describe.each(sampled(Object.entries(stops), 4))('%s, again', (_name, stop) => {
  test('each of its ways changes where it stands', async () => {
    const reached = await stop.reach(await placeOf(stop));
    const ways = reached.next!.flatMap(waysOf);
    for (const way of ways) {
      const place = await placeOf(stop);
      const before = await stop.reach(place);
      let after: Answer = before;
      for (const [tool, args] of before.state === 'conflicts' ? [] : way) after = await place.ask(tool, args);
      const isSame =
        after.reason === before.reason && JSON.stringify(after.next) === JSON.stringify(before.next);
      expect([
        JSON.stringify(way),
        before.state === 'conflicts' || !isSame || !inProgress(place.path),
      ]).toEqual([JSON.stringify(way), true]);
    }
  });
});

test('a merge whose head contains HEAD joins the others, as git leaves it out', async () => {
  const place = await placeOf({ reach: () => Promise.reject(new Error()) });
  for (const name of ['one', 'two']) {
    git(place.path, 'switch', '-qc', name, 'main');
    place.write(name, 'x\n');
    git(place.path, 'add', '.');
    git(place.path, 'commit', '-qm', name);
  }
  git(place.path, 'switch', '-q', 'main');
  expect(await place.ask('git_merge', { revisions: ['one', 'two'] })).toMatchObject({ state: 'done' });
  expect(await place.ask('git_merge', { revisions: ['two', 'one'] })).toMatchObject({ state: 'up-to-date' });
});

test('a merge that cannot fast-forward says that the branches have diverged', async () => {
  const path = copyOf(first, randomUUID());
  const { code, text } = await call(await served.client([path]), 'git_merge', {
    revisions: ['side'],
    fast_forward: 'only',
  });
  expect([code, text]).toEqual([
    'non-fast-forward',
    expect.stringMatching(/the branches have diverged.*\nnothing was done/),
  ]);
});

test("in a trusted repository the output of hooks is in the result, and git's advice, which names its commands, is not", async () => {
  const path = copyOf(first, randomUUID());
  git(path, 'switch', '-q', 'side');
  mkdirSync(join(path, '.git/hooks'), { recursive: true });
  writeFileSync(join(path, '.git/hooks/post-checkout'), '#!/bin/sh\necho checked out\n', { mode: 0o755 });
  const client = await served.client([path], { extra: { trust: [path] } });
  const { text, facts } = await call<{ output?: string }>(client, 'git_rebase', { upstream: 'main' });
  expect(facts.output).toContain('checked out');
  expect(text).not.toMatch(/hint:|could not apply|git rebase --/);
});
