import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { type Scratch, scratch } from '../scratch.ts';

const served = new Served();

interface Clone extends Scratch {
  /** a clone of the last three commits */
  readonly clone: string;
  oid(revision: string): string;
}

/** A history of eight commits, the seventh of which merges another, and a shallow clone of it. */
function shallow(depth = 3): Clone {
  const made = scratch();
  const { folder, git, write } = made;
  const far = join(folder, 'far');
  git(folder, 'init', '-q', far);
  for (let at = 1; at <= 6; at++) {
    write('far/file', `${at}\n`);
    git(far, 'add', '.');
    git(far, 'commit', '-qm', `commit ${at}`);
  }
  git(far, 'switch', '-q', '-c', 'side', 'HEAD~2');
  git(far, 'commit', '-q', '--allow-empty', '-m', 'side');
  git(far, 'switch', '-q', 'main');
  git(far, 'merge', '-q', '--no-ff', '-m', 'merge', 'side');
  git(far, 'commit', '-q', '--allow-empty', '-m', 'last');
  const clone = join(folder, 'clone');
  git(folder, 'clone', '-q', `--depth=${depth}`, `file://${far}`, clone);
  git(clone, 'config', 'user.name', 'Ann');
  git(clone, 'config', 'user.email', 'ann@example.org');
  return { ...made, clone, oid: (revision) => git(clone, 'rev-parse', revision).toString().trim() };
}

const beyond = (revision: string, end: string) =>
  `${revision} is not here: this clone is shallow, and its history ends at ${end}\ngit_fetch with deepen: <number> or unshallow: true gets older commits`;

test('a revision beyond the end of a shallow history names that end and the call that gets more', async () => {
  const { clone, oid } = shallow();
  const client = await served.client([clone]);
  const end = oid('HEAD~2').slice(0, 12);
  const side = oid('HEAD~1^2').slice(0, 12);
  for (const [revision, ends] of [
    ...['HEAD~3', 'HEAD~5', 'main~3', '@~4', 'HEAD^^^', 'HEAD~2^', 'HEAD~1~2', 'HEAD~999999999'].map(
      (name) => [name, end],
    ),
    ...['HEAD~1^2~1', 'HEAD^^2^'].map((name) => [name, side]),
    [`${oid('HEAD')}~7`, end],
  ] as const) {
    const { text, code } = await call(client, 'git_log', { revision: revision! });
    expect([code, text]).toEqual(['unknown-revision', beyond(revision!, ends!)]);
  }
});

test.each([
  ['git_log', { revision: 'HEAD~5..HEAD' }],
  ['git_show', { revision: 'HEAD~5' }],
  ['git_show', { revision: 'HEAD~5:file' }],
  ['git_diff', { target: 'HEAD~5' }],
  ['git_diff', { target: 'HEAD~5...HEAD' }],
  ['git_blame', { path: 'file', revision: 'HEAD~5' }],
  ['git_list_files', { revision: 'HEAD~5' }],
  ['git_read_file', { path: 'file', revision: 'HEAD~5' }],
  ['git_search', { pattern: 'x', revision: 'HEAD~5' }],
  ['git_branch', { contains: 'HEAD~5' }],
  ['git_reset', { revision: 'HEAD~5' }],
  ['git_restore', { paths: ['file'], source: 'HEAD~5' }],
  ['git_checkout', { branch_name: 'HEAD~5', detach: true }],
  ['git_create_branch', { branch_name: 'b', base_branch: 'HEAD~5' }],
  ['git_tag', { tag_name: 't', revision: 'HEAD~5' }],
  ['git_revert', { commits: ['HEAD~5'] }],
  ['git_cherry_pick', { commits: ['HEAD~5..HEAD'] }],
  ['git_rebase', { upstream: 'HEAD~5' }],
  ['git_bisect', { action: 'start', good: ['HEAD~5'] }],
] as const)('%s %j says that the history is shallow', async (tool, args) => {
  const { clone, oid } = shallow();
  const client = await served.client([clone]);
  const { text } = await call(client, tool, args);
  expect(text).toBe(beyond('HEAD~5', oid('HEAD~2').slice(0, 12)));
});

test('what is missing for another reason is not reported as shallow', async () => {
  const { clone, git } = shallow();
  git(clone, 'switch', '-q', '--orphan', 'alone');
  git(clone, 'commit', '-q', '--allow-empty', '-m', 'first of all');
  const client = await served.client([clone]);
  for (const revision of ['alone~1', 'HEAD^2', 'main^2', 'ghost~3', 'main~0^3'])
    expect((await call(client, 'git_log', { revision })).text, revision).toMatch(/^unknown revision /);
});

test('an id that a shallow clone does not have may be older than it', async () => {
  const { clone, folder, git } = shallow();
  const client = await served.client([clone]);
  const old = git(join(folder, 'far'), 'rev-parse', 'HEAD~5').toString().trim();
  for (const revision of [old, old.slice(0, 10), `${old}^`])
    expect((await call(client, 'git_log', { revision })).text).toBe(
      `unknown revision ${revision}\nthe history is shallow, and the commit may be older: git_fetch with deepen: <number> or unshallow: true gets older commits`,
    );
});

test('sides whose common commit is beyond the end are reported as shallow', async () => {
  const { clone, folder, git } = shallow(1);
  git(clone, 'fetch', '-q', '--depth=1', `file://${join(folder, 'far')}`, 'side:side');
  const client = await served.client([clone]);
  const diff = await call(client, 'git_diff', { target: 'side...HEAD' });
  expect([diff.code, diff.text]).toEqual([
    'no-merge-base',
    'the two revisions have no commit in common here: this clone is shallow\ngit_fetch with deepen: <number> or unshallow: true gets older commits; two dots compare the files alone',
  ]);
  const merged = await call(client, 'git_merge', { revisions: ['side'] });
  expect(merged.failed).toBe(true);
  expect(merged.text).toMatch(/in a shallow clone git_fetch with deepen/);
});

test('the commit where a shallow clone ends differs from a first commit', async () => {
  const { clone, folder } = shallow();
  const client = await served.client([folder]);
  const end = await call(client, 'git_show', { repo_path: clone, revision: 'HEAD~2' });
  expect(end.text).toMatch(/^Shallow: the clone ends here, so all files are added; git_fetch with deepen/m);
  expect(end.facts).toMatchObject({ shallow: true, parents: [] });
  const first = await call(client, 'git_show', { repo_path: 'far', revision: 'main~6' });
  expect([first.text, first.facts]).toEqual([
    expect.not.stringContaining('Shallow'),
    expect.not.objectContaining({ shallow: true }),
  ]);
});

test('a log and a blame that end where the clone is cut off say so', async () => {
  const { clone, oid } = shallow();
  const client = await served.client([clone]);
  const end = oid('HEAD~2').slice(0, 12);
  const note = `[this clone is shallow: its history ends at ${end}; git_fetch with deepen: <number> or unshallow: true gets older commits]`;
  const log = await call(client, 'git_log', { first_parent: true });
  expect(log.text.split('\n').at(-1)).toBe(note);
  expect(log.facts).toMatchObject({ shallow: [oid('HEAD~2')] });
  expect((await call(client, 'git_log', { max_count: 2 })).text).not.toContain('shallow');
  const blame = await call(client, 'git_blame', { path: 'file' });
  expect(blame.text.split('\n').at(-1)).toBe(note);
});
