import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allRevisions } from '@rootbound/protocol';
import { describe, expect, test } from 'vitest';
import { call, Served, structuredRevisions } from '../harness.ts';
import { scratch } from '../scratch.ts';

const served = new Served();

describe.each(allRevisions)('in %s', (revision) => {
  test('the status names what is staged, changed and new, and the branch', async () => {
    const { folder, git } = scratch();
    git(folder, 'init', '-q');
    writeFileSync(join(folder, 'a'), 'one\n');
    git(folder, 'add', 'a');
    git(folder, 'commit', '-qm', 'one');
    writeFileSync(join(folder, 'a'), 'two\n');
    writeFileSync(join(folder, 'b'), 'new\n');
    git(folder, 'add', 'b');
    writeFileSync(join(folder, 'c'), 'new\n');
    const client = await served.client([folder], { revision });
    const { text, facts, failed } = await call(client, 'git_status');
    expect([failed, text]).toEqual([false, 'on main\n.M a\nA. b\n?? c']);
    if (structuredRevisions.includes(revision))
      expect(facts).toMatchObject({
        branch: 'main',
        stashes: 0,
        clean: false,
        entries: [
          { path: 'a', kind: 'changed', worktree: 'M' },
          { path: 'b', kind: 'changed', index: 'A' },
          { path: 'c', kind: 'untracked' },
        ],
        total: 3,
        truncated: false,
      });
  });
});

test('each kind of conflict has its letters and its name', async () => {
  const { folder, git } = scratch();
  git(folder, 'init', '-q');
  const blob = git(folder, 'hash-object', '-w', '--stdin', { input: 'x' }).toString().trim();
  const stages = { DD: [1], AU: [2], UD: [1, 2], UA: [3], DU: [1, 3], AA: [2, 3], UU: [1, 2, 3] };
  const lines = Object.entries(stages).flatMap(([name, all]) =>
    all.map((stage) => `100644 ${blob} ${stage}\t${name}`),
  );
  git(folder, 'update-index', '--index-info', { input: `${lines.join('\n')}\n` });
  const { text } = await call(await served.client([folder]), 'git_status');
  expect(text.split('\n').slice(1)).toEqual([
    'AA AA [both-added]',
    'AU AU [added-by-us]',
    'DD DD [both-deleted]',
    'DU DU [deleted-by-us]',
    'UA UA [added-by-them]',
    'UD UD [deleted-by-them]',
    'UU UU [both-modified]',
  ]);
});

test('a folder without a repository is refused, and one outside looks as if it were missing', async () => {
  const [{ folder }, other] = [scratch(), scratch()];
  other.git(other.folder, 'init', '-q');
  const client = await served.client([folder]);
  expect((await call(client, 'git_status')).code).toBe('not-a-repository');
  expect((await call(client, 'git_status', { repo_path: other.folder })).code).toBe('not-found');
});

/** A repository with the submodule `in`, in which a file is new. */
function withSubmodule(): string {
  const { folder, git, write } = scratch();
  git(folder, 'init', '-q', 'inner');
  git(join(folder, 'inner'), 'commit', '-q', '--allow-empty', '-m', 'inner');
  const top = join(folder, 'top');
  git(folder, 'init', '-q', 'top');
  git(top, 'submodule', '--quiet', 'add', '--name', 'in', '../inner', 'in');
  git(top, 'commit', '-qm', 'one');
  write('top/in/new', '');
  return top;
}

test('a setting that no git knows for what to leave out of a submodule leaves nothing out', async () => {
  const top = withSubmodule();
  appendFileSync(join(top, '.git/config'), '[submodule "in"]\n\tignore = odd');
  const { failed, facts } = await call<{ problem?: string }>(await served.client([top]), 'git_status');
  expect(failed).toBe(false);
  expect(facts.problem).toBeUndefined();
  expect(facts).toMatchObject({ entries: [{ path: 'in', worktree: 'M', submodule: 'untracked' }] });
});

test.each([
  ['[broken', /bad config line \d in file \.gitmodules/],
  ['[submodule "in"]\n\tpath = in\n\tupdate = !touch x', /invalid value for 'submodule\.in\.update'/],
])(
  'the .gitmodules %j that git refuses is told, with all that does not hang on it',
  async (text, problem) => {
    const top = withSubmodule();
    writeFileSync(join(top, '.gitmodules'), text);
    const client = await served.client([top]);
    const { text: printed, facts } = await call<{ problem: string }>(client, 'git_status');
    expect(facts).toMatchObject({
      branch: 'main',
      problem: expect.stringMatching(problem),
      entries: expect.arrayContaining([
        { path: 'in', kind: 'changed', worktree: 'M', submodule: 'untracked' },
      ]),
    });
    expect(printed.split('\n')).toContain(facts.problem);
    const overview = await call(client, 'git_overview');
    expect(overview.facts).toMatchObject({
      branch: 'main',
      problem: facts.problem,
      submodules: [{ path: 'in', untracked: true }],
    });
    expect(overview.text.split('\n')).toContain(facts.problem);
  },
);

test('a status that is longer than the budget continues where it stopped, and names everything once', async () => {
  const { folder, git } = scratch();
  git(folder, 'init', '-q');
  const names = Array.from({ length: 300 }, (_, index) => `file-${String(index).padStart(3, '0')}`);
  for (const name of names) writeFileSync(join(folder, name), '');
  const client = await served.client([folder], { maxOutput: 4096 });
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const { facts } = await call<{ entries: { path: string }[]; next_cursor?: string; total: number }>(
      client,
      'git_status',
      { ...(cursor !== undefined && { cursor }) },
    );
    expect([Buffer.byteLength(JSON.stringify(facts)) <= 4096, facts.total]).toEqual([true, 300]);
    seen.push(...facts.entries.map(({ path }) => path));
    cursor = facts.next_cursor;
  } while (cursor !== undefined);
  expect(seen).toEqual(names);
});
