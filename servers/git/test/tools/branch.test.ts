import { allRevisions } from '@rootbound/protocol';
import { describe, expect, test } from 'vitest';
import { call, Served, structuredRevisions } from '../harness.ts';
import { type Scratch, scratch } from '../scratch.ts';
import { everyPage } from './pages.ts';

const served = new Served();

interface Branches {
  branch?: string;
  detached?: string;
  unborn?: boolean;
  branches: { name: string; commit: string }[];
  total: number;
  next_cursor?: string;
}

/** With commits `one` and `two` on main, and `side` at the first. */
function repository(): Scratch & { oid(revision: string): string } {
  const made = scratch();
  const { folder, git } = made;
  git(folder, 'init', '-q');
  git(folder, 'commit', '-qm', 'one', '--allow-empty');
  git(folder, 'branch', 'side');
  git(folder, 'commit', '-qm', 'two', '--allow-empty');
  return { ...made, oid: (revision) => git(folder, 'rev-parse', revision).toString().trim() };
}

const namesOf = ({ branches }: Branches) => branches.map(({ name }) => name);

describe.each(allRevisions)('in %s', (revision) => {
  test('the branches are listed as git lists them, with the arguments of the official server', async () => {
    const { folder, oid } = repository();
    const client = await served.client([folder], { revision });
    const { text, facts, failed } = await call(client, 'git_branch', {
      repo_path: folder,
      branch_type: 'local',
    });
    const [one, two] = [oid('side'), oid('main')];
    expect([failed, text]).toEqual([false, `* main ${two.slice(0, 12)}\n  side ${one.slice(0, 12)}`]);
    if (structuredRevisions.includes(revision))
      expect(facts).toEqual({
        branch: 'main',
        branches: [
          { name: 'main', commit: two, current: true },
          { name: 'side', commit: one },
        ],
        total: 2,
        truncated: false,
      });
  });
});

test('a kind of branch that there is not is an error, not an answer that says so', async () => {
  const client = await served.client([repository().folder]);
  const { failed, code, text } = await call(client, 'git_branch', { branch_type: 'everything' });
  expect([failed, code]).toEqual([true, 'invalid-arguments']);
  expect(text).toContain('branch_type');
});

test('branches are chosen by a commit that they hold, or do not hold', async () => {
  const { folder } = repository();
  const client = await served.client([folder]);
  const ask = async (args: object) =>
    namesOf((await call<Branches>(client, 'git_branch', { ...args })).facts);
  expect(await ask({ contains: 'main' })).toEqual(['main']);
  expect(await ask({ contains: 'side' })).toEqual(['main', 'side']);
  expect(await ask({ not_contains: 'main' })).toEqual(['side']);
  expect((await call(client, 'git_branch', { contains: '--help' })).code).toBe('invalid-revision');
  expect((await call(client, 'git_branch', { contains: 'nothing' })).code).toBe('unknown-revision');
});

test('a pattern stays within the branches, whatever it looks like', async () => {
  const { folder, git } = repository();
  for (const name of ['release/1', 'release/2/a']) git(folder, 'branch', name);
  git(folder, 'tag', 'release');
  const client = await served.client([folder]);
  const ask = (pattern: string) => call<Branches>(client, 'git_branch', { pattern });
  expect(namesOf((await ask('release/*')).facts)).toEqual(['release/1']);
  expect(namesOf((await ask('release/**')).facts)).toEqual(['release/1', 'release/2/a']);
  expect((await ask('--format=x')).facts.branches).toEqual([]);
  expect((await ask('../tags/*')).code).toBe('invalid-ref');
});

test('remote branches are marked, and a symbolic one tells what it stands for', async () => {
  const { folder, git, oid } = repository();
  git(folder, 'update-ref', 'refs/remotes/origin/main', 'main');
  git(folder, 'symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
  const client = await served.client([folder]);
  const { text, facts } = await call<Branches>(client, 'git_branch', { branch_type: 'remote' });
  const commit = oid('main');
  expect(text).toBe(`  remotes/origin/HEAD -> origin/main\n  remotes/origin/main ${commit.slice(0, 12)}`);
  expect(facts.branches).toEqual([
    { name: 'origin/HEAD', remote: true, commit, symbolic: 'refs/remotes/origin/main' },
    { name: 'origin/main', remote: true, commit },
  ]);
  const { facts: all } = await call<Branches>(client, 'git_branch', { branch_type: 'all' });
  expect(namesOf(all)).toEqual(['main', 'side', 'origin/HEAD', 'origin/main']);
});

test('how far a branch is from its upstream is told on request, also where that is gone', async () => {
  const { folder, git } = repository();
  git(folder, 'remote', 'add', 'origin', folder);
  git(folder, 'update-ref', 'refs/remotes/origin/main', 'side');
  git(folder, 'branch', '-q', '--set-upstream-to=origin/main', 'main');
  git(folder, 'update-ref', 'refs/remotes/origin/side', 'side');
  git(folder, 'branch', '-q', '--set-upstream-to=origin/side', 'side');
  git(folder, 'update-ref', '-d', 'refs/remotes/origin/side');
  const client = await served.client([folder]);
  expect((await call<Branches>(client, 'git_branch')).facts.branches[0]).not.toHaveProperty('upstream');
  const { text, facts } = await call<Branches>(client, 'git_branch', { upstream: true });
  expect(facts.branches).toMatchObject([
    { name: 'main', upstream: 'origin/main', ahead: 1, behind: 0 },
    { name: 'side', upstream: 'origin/side', gone: true },
  ]);
  expect(text).toMatch(/main \w+ \[origin\/main: ahead 1\]\n {2}side \w+ \[origin\/side: gone\]$/);
});

test('the newest branch is the first by date', async () => {
  const { folder, git } = repository();
  git(folder, 'switch', '-q', '-c', 'zz');
  git(folder, 'commit', '-qm', 'three', '--allow-empty');
  const client = await served.client([folder]);
  const { facts } = await call<Branches>(client, 'git_branch', { sort: 'date' });
  expect(namesOf(facts)).toEqual(['zz', 'main', 'side']);
  expect(facts.branches[0]).toMatchObject({ date: '2026-01-01T00:06:00Z' });
});

test('a detached HEAD is told by its commit, and a branch without a commit by its name', async () => {
  const { folder, git, oid } = repository();
  const client = await served.client([folder]);
  git(folder, 'switch', '-q', '--detach', 'side');
  const detached = await call<Branches>(client, 'git_branch');
  expect(detached.facts).toMatchObject({ detached: oid('side'), total: 2 });
  expect(detached.text.split('\n')[0]).toBe(`* (HEAD detached at ${oid('side').slice(0, 12)})`);
  git(folder, 'switch', '-q', '--orphan', 'fresh');
  const unborn = await call<Branches>(client, 'git_branch');
  expect(unborn.facts).toMatchObject({ branch: 'fresh', unborn: true, total: 2 });
  expect(unborn.text.split('\n')[0]).toBe('* fresh (no commit yet)');
});

test('a bare repository has branches, and the current one may be outside of what was asked for', async () => {
  const [{ folder }, bare] = [repository(), scratch()];
  bare.git(bare.folder, 'clone', '-q', '--bare', folder, 'bare.git');
  const client = await served.client([`${bare.folder}/bare.git`]);
  const { facts } = await call<Branches>(client, 'git_branch', { pattern: 's*' });
  expect([facts.branch, facts.unborn, namesOf(facts)]).toEqual(['main', undefined, ['side']]);
});

test('a name that is not UTF-8 is listed as git quotes it', async () => {
  const { folder, git, oid } = repository();
  const input = Buffer.from(`create refs/heads/caf\xe9 ${oid('main')}\n`, 'latin1');
  git(folder, 'update-ref', '--stdin', { input });
  const client = await served.client([folder]);
  const { facts } = await call<Branches>(client, 'git_branch', { pattern: 'caf*' });
  expect(namesOf(facts)).toEqual(['"caf\\351"']);
});

test('branches continue behind the last one, also where others came and went between', async () => {
  const { folder, git, oid } = repository();
  const names = Array.from({ length: 120 }, (_, index) => `b${String(index).padStart(3, '0')}`);
  const change = (verb: string, made: readonly string[]) => {
    const lines = made.map(
      (name) => `${verb} refs/heads/${name}${verb === 'create' ? ` ${oid('main')}` : ''}\n`,
    );
    git(folder, 'update-ref', '--stdin', { input: lines.join('') });
  };
  change('create', names);
  const client = await served.client([folder], { maxOutput: 4096 });
  const all = await everyPage<{ name: string }>(client, 'git_branch', 'branches', 4096, { pattern: 'b*' });
  expect(all.map(({ name }) => name)).toEqual(names);
  const { facts: first } = await call<Branches>(client, 'git_branch', { pattern: 'b*' });
  const last = first.branches.length - 1;
  const next = () => call<Branches>(client, 'git_branch', { pattern: 'b*', cursor: first.next_cursor });
  change('create', ['b000-new']);
  expect((await next()).facts.branches[0]!.name).toBe(names[last + 1]);
  change('delete', ['b000-new', names[last]!]);
  expect((await next()).facts.branches[0]!.name).toBe(names[last + 1]);
});

test('a cursor continues the same question about the same repository alone', async () => {
  const { folder, git } = repository();
  for (let index = 0; index < 60; index++) git(folder, 'branch', `b${index}`);
  const client = await served.client([folder], { maxOutput: 2048 });
  const { facts } = await call<Branches>(client, 'git_branch');
  const other = await call(client, 'git_branch', { branch_type: 'all', cursor: facts.next_cursor });
  expect(other.code).toBe('invalid-cursor');
  expect((await call(client, 'git_branch', { cursor: 'made-up' })).code).toBe('invalid-cursor');
});
