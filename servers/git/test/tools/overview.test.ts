import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { allRevisions } from '@rootbound/protocol';
import { describe, expect, test } from 'vitest';
import { call, Served, structuredRevisions } from '../harness.ts';
import { type Scratch, scratch } from '../scratch.ts';

const served = new Served();

interface Overview {
  facts: string[];
  operations: Record<string, unknown>[];
  suppressed: { key: string; what: string }[];
  remotes: { name: string; url: string }[];
  locks: { name: string; age_seconds: number }[];
  omitted?: Record<string, number>;
  truncated: boolean;
}

function repository(
  ...init: string[]
): Scratch & { oid(revision: string): string; commit(message: string): void } {
  const made = scratch();
  const { folder, git, write } = made;
  git(folder, 'init', '-q', ...init);
  const commit = (message: string) => {
    write('file', `${message}\n`);
    git(folder, 'add', 'file');
    git(folder, 'commit', '-qm', message);
  };
  commit('one');
  return { ...made, commit, oid: (revision) => git(folder, 'rev-parse', revision).toString().trim() };
}

describe.each(allRevisions)('in %s', (revision) => {
  test('one call tells where a repository stands', async () => {
    const { folder, git, write, oid, commit } = repository();
    git(folder, 'remote', 'add', 'origin', 'https://user:secret@example.org/x.git');
    git(folder, 'update-ref', 'refs/remotes/origin/main', 'main');
    git(folder, 'branch', '-q', '--set-upstream-to=origin/main');
    commit('two');
    write('file', 'put aside\n');
    git(folder, 'stash', '-q');
    write('file', 'changed\n');
    write('staged', '');
    git(folder, 'add', 'staged');
    write('new', '');
    git(folder, 'config', 'core.fsmonitor', 'touch marker');
    write('.git/index.lock', '');
    const client = await served.client([folder], { revision });
    const { text, facts, failed } = await call(client, 'git_overview', { repo_path: folder });
    const commitOid = oid('HEAD');
    const [author, date] = ['Ann Example <ann@example.org>', '2026-01-01T00:08:00+00:00'];
    expect([failed, text.replace(/\d+ seconds?/, 'some time').split('\n')]).toEqual([
      false,
      [
        `${folder} (normal)`,
        'on main, 1 ahead of and 0 behind origin/main',
        `${commitOid.slice(0, 12)} two (${author}, ${date})`,
        '1 staged, 1 changed, 1 untracked, 0 unmerged, 1 stash',
        'remotes:',
        '  origin https://example.org/x.git',
        'kept from executing (untrusted):',
        '  core.fsmonitor [monitor, local]',
        'locks:',
        '  index.lock, some time old',
      ],
    ]);
    if (structuredRevisions.includes(revision))
      expect(facts).toEqual({
        ...{ repository: folder, kind: 'normal', branch: 'main', commit: commitOid },
        ...{ subject: 'two', author, date, upstream: 'origin/main', ahead: 1, behind: 0 },
        ...{ staged: 1, changed: 1, untracked: 1, unmerged: 0, stashes: 1 },
        ...{ facts: [], trust: 'untrusted', containment: expect.any(String), operations: [], submodules: [] },
        worktrees: [{ path: folder, main: true, current: true, branch: 'main', commit: commitOid }],
        remotes: [{ name: 'origin', url: 'https://example.org/x.git' }],
        suppressed: [{ key: 'core.fsmonitor', scope: 'local', what: 'monitor' }],
        locks: [{ name: 'index.lock', age_seconds: expect.any(Number) }],
        truncated: false,
      });
  });
});

test('a rebase, a merge, a pick and a bisect tell where they stopped', async () => {
  const { folder, git, oid, commit } = repository();
  git(folder, 'switch', '-q', '-c', 'side');
  for (const message of ['s1', 's2']) commit(message);
  git(folder, 'switch', '-q', 'main');
  commit('m1');
  const client = await served.client([folder]);
  const operation = async () => {
    const { text, facts } = await call<Overview>(client, 'git_overview');
    return [facts.operations, text.split('\n').find((line) => line.includes('in progress'))];
  };
  const [main, s1, s2] = ['main', 'side~1', 'side'].map(oid) as [string, string, string];
  const short = (id: string) => id.slice(0, 12);
  const stops = { okay: [0, 1] };
  git(folder, 'merge', 'side', stops);
  expect(await operation()).toEqual([[{ kind: 'merge', heads: [s2] }], `merge in progress, of ${short(s2)}`]);
  git(folder, 'merge', '--abort');
  git(folder, 'cherry-pick', s1, s2, stops);
  expect((await operation())[0]).toMatchObject([{ kind: 'cherry-pick', commit: s1, remaining: 2 }]);
  git(folder, 'cherry-pick', '--abort');
  git(folder, 'rebase', 'main', 'side', stops);
  expect(await operation()).toEqual([
    [
      {
        ...{ kind: 'rebase', step: 1, steps: 2, branch: 'side', onto: main, original: s2, commit: s1 },
        ...{ remaining: 1, todo: [`pick ${short(s2)} s2`] },
      },
    ],
    `rebase in progress, step 1 of 2, of side, onto ${short(main)}, at ${short(s1)}, 1 left`,
  ]);
  git(folder, 'rebase', '--abort');
  git(folder, 'bisect', 'start', 'side', 'main~1');
  expect((await operation())[0]).toMatchObject([{ kind: 'bisect', bad: s2, good: [oid('main~1')] }]);
});

test('conflicts are counted as such, and a folder of new files is one', async () => {
  const { folder, git, write, commit } = repository();
  git(folder, 'switch', '-q', '-c', 'side');
  commit('side');
  git(folder, 'switch', '-q', 'main');
  commit('main');
  git(folder, 'merge', 'side', { okay: [1] });
  for (const name of ['a', 'b']) write(`new/${name}`, '');
  const { facts } = await call(await served.client([folder]), 'git_overview');
  expect(facts).toMatchObject({ staged: 0, changed: 0, untracked: 1, unmerged: 1 });
});

test('a repository without a commit, a detached one and a bare one have overviews', async () => {
  const unborn = scratch();
  unborn.git(unborn.folder, 'init', '-q');
  const first = await call(await served.client([unborn.folder]), 'git_overview');
  expect(first.facts).toMatchObject({ branch: 'main', staged: 0 });
  expect(first.facts).not.toHaveProperty('commit');
  expect(first.text).toContain('on main, no commit yet');
  const { folder, git, oid } = repository();
  git(folder, 'switch', '-q', '--detach');
  const second = await call(await served.client([folder]), 'git_overview');
  expect(second.facts).toMatchObject({ commit: oid('HEAD'), subject: 'one' });
  expect(second.facts).not.toHaveProperty('branch');
  expect(second.text).toContain('HEAD detached');
  const bare = scratch();
  bare.git(bare.folder, 'clone', '-q', '--bare', folder, 'bare.git');
  bare.git(join(bare.folder, 'bare.git'), 'update-ref', 'refs/heads/main', oid('HEAD'));
  const third = await call(await served.client([join(bare.folder, 'bare.git')]), 'git_overview');
  expect(third.facts).toMatchObject({ kind: 'bare', commit: oid('HEAD'), subject: 'one' });
  expect(third.facts).not.toHaveProperty('staged');
});

test('what is special about a repository is named', async () => {
  const { folder, git } = repository('--object-format=sha256');
  git(folder, 'config', 'core.sparseCheckout', 'true');
  git(folder, 'config', 'lfs.locksverify', 'false');
  const sparse = await call<Overview>(await served.client([folder]), 'git_overview');
  expect(sparse.facts.facts).toEqual(['sha256', 'sparse', 'lfs']);
  expect(sparse.text).toMatch(/\nsha256, sparse, lfs$/);
  const [full, clone] = [repository(), scratch()];
  full.commit('two');
  clone.git(clone.folder, 'clone', '-q', '--depth=1', `file://${full.folder}`, 'shallow');
  const shallow = await served.client([join(clone.folder, 'shallow')]);
  expect((await call<Overview>(shallow, 'git_overview')).facts.facts).toEqual(['shallow']);
});

test('trust is told, and with it what is kept from executing and what is not', async () => {
  const { folder, git } = repository();
  const reported = async (trust: readonly string[]) => {
    const client = await served.client([{ path: folder, readOnly: true }], { extra: { trust } });
    const { facts, text } = await call<Overview>(client, 'git_overview');
    expect(facts).toMatchObject({ trust: trust.length === 0 ? 'untrusted' : 'trusted', read_only: true });
    const lines = text.split('\n');
    return [
      facts.suppressed.map(({ key }) => key),
      ...lines.slice(lines.findIndex((line) => line.startsWith('kept'))),
    ];
  };
  expect(await reported([])).toEqual([[], 'kept from executing (untrusted): nothing']);
  expect(await reported([folder])).toEqual([[], 'kept from executing (trusted): nothing']);
  git(folder, 'config', 'core.fsmonitor', 'touch marker');
  git(folder, 'config', 'filter.x.clean', 'touch marker');
  const [monitor, filter] = ['core.fsmonitor [monitor, local]', 'filter.x.clean [filter, local]'];
  expect(await reported([])).toEqual([
    ['core.fsmonitor', 'filter.x.clean'],
    ...['kept from executing (untrusted):', `  ${monitor}`, `  ${filter}`],
  ]);
  expect(await reported([folder])).toEqual([[], 'kept from executing (trusted): nothing']);
});

test('an upstream that is gone is told as gone', async () => {
  const { folder, git } = repository();
  git(folder, 'remote', 'add', 'origin', folder);
  git(folder, 'update-ref', 'refs/remotes/origin/main', 'main');
  git(folder, 'branch', '-q', '--set-upstream-to=origin/main');
  git(folder, 'update-ref', '-d', 'refs/remotes/origin/main');
  const { text, facts } = await call(await served.client([folder]), 'git_overview');
  expect(facts).toMatchObject({ upstream: 'origin/main' });
  expect(text).toContain('on main, upstream origin/main is gone');
});

test('a submodule that differs from what is recorded is named, and no other', async () => {
  const { folder, git, write, oid } = repository();
  for (const name of ['same', 'differs']) {
    git(folder, 'clone', '-q', folder, name);
    git(folder, 'update-index', '--add', '--cacheinfo', `160000,${oid('HEAD')},${name}`);
  }
  write('differs/file', 'changed\n');
  const { text, facts } = await call(await served.client([folder]), 'git_overview');
  expect(facts).toMatchObject({ submodules: [{ path: 'differs', modified: true }] });
  expect(text).toContain('submodules that differ:\n  differs: modified content');
});

test('an overview stays within its budget and counts exactly what it leaves out', async () => {
  const { folder, write } = repository();
  const sections = Array.from({ length: 300 }, (_, at) => `[filter "f${at}"]\nclean = touch marker\n`);
  const remotes = Array.from(
    { length: 100 },
    (_, at) => `[remote "r${at}"]\nurl = https://example.org/${at}\n`,
  );
  const config = readFileSync(join(folder, '.git/config'), 'utf8');
  write('.git/config', [config, ...sections, ...remotes].join(''));
  const client = await served.client([folder], { maxOutput: 6144 });
  const { text, facts } = await call<Overview>(client, 'git_overview');
  expect(Math.max(...[facts, text].map((half) => Buffer.byteLength(JSON.stringify(half))))).toBeLessThan(
    6145,
  );
  expect(facts.truncated).toBe(true);
  expect([
    facts.suppressed.length + facts.omitted!.suppressed!,
    facts.remotes.length + facts.omitted!.remotes!,
  ]).toEqual([300, 100]);
  expect(text).toContain(`[${facts.omitted!.remotes} more remotes]`);
});

test('a subject that is hostile stays one line of the text', async () => {
  const { folder, git } = repository();
  git(folder, 'commit', '-q', '--allow-empty', '--cleanup=verbatim', '-m', 'a\u001b[2J\rb\nc\n\nbody');
  const { text, facts } = await call(await served.client([folder]), 'git_overview');
  expect(text.split('\n')[2]).toMatch(/^\w{12} a\\u001b\[2J\\rb c \(Ann/);
  expect(facts).toMatchObject({ subject: 'a\u001b[2J\rb c' });
});

test('a lock that is gone again is not told', async () => {
  const { folder, write } = repository();
  write('.git/refs/heads/main.lock', '');
  const client = await served.client([folder]);
  const locks = async () =>
    (await call<Overview>(client, 'git_overview')).facts.locks.map(({ name }) => name);
  expect(await locks()).toEqual(['refs/heads/main.lock']);
  rmSync(join(folder, '.git', 'refs', 'heads', 'main.lock'));
  expect(await locks()).toEqual([]);
});
