import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { toolsets } from '../../src/spec.ts';
import { call, Served } from '../harness.ts';
import { type Scratch, scratch } from '../scratch.ts';

const served = new Served();

/** Calls of each reading tool, by the tool and what they ask it, in a repository that has everything. */
const asked: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  git_overview: {},
  git_status: {},
  git_diff: { target: 'HEAD~..HEAD' },
  git_log: { files: true },
  git_show: { revision: 'HEAD' },
  git_blame: { path: 'a' },
  git_branch: { contains: 'HEAD' },
  'git_list tags': { kind: 'tags', messages: true },
  'git_list stashes': { kind: 'stashes' },
  'git_list worktrees': { kind: 'worktrees' },
  'git_list submodules': { kind: 'submodules' },
  'git_list reflog': { kind: 'reflog' },
  git_list_files: { sizes: true },
  git_read_file: { path: 'a' },
  git_search: { pattern: 'one', revision: 'HEAD' },
  git_conflicts: { merge: 'side' },
  git_repositories: {},
};

/** Those that have no id to tell here. */
const without = new Set(['git_list submodules', 'git_repositories']);
/** Those that fail where a blob is missing, and those that tell so. */
const needsBlob = new Set(['git_diff', 'git_show', 'git_read_file']);
const tellsBlob = new Set(['git_list_files', 'git_search']);
/** Those that a bare repository has nothing for. */
const ofWorkTree = new Map(
  ['git_status', 'git_list stashes', 'git_list submodules'].map((name) => [name, 'unsupported']),
);

const toolOf = (name: string): string => name.split(' ')[0]!;

test('each reading tool is asked', () => {
  expect(new Set(Object.keys(asked).map(toolOf))).toEqual(new Set([...toolsets.read, ...toolsets.browse]));
});

function filled(...init: string[]): Scratch {
  const made = scratch();
  const { folder, git, write } = made;
  git(folder, 'init', '-q', ...init);
  for (const content of ['one\n', 'one\ntwo\n']) {
    write('a', content);
    git(folder, 'add', 'a');
    git(folder, 'commit', '-qm', content.trim());
  }
  git(folder, 'branch', 'side', 'HEAD~');
  git(folder, 'tag', '-am', 'first', 'v1');
  write('a', 'three\n');
  git(folder, 'stash', '-q');
  return made;
}

describe('in a repository of sha256', () => {
  const { folder, git } = filled('--object-format=sha256');
  const head = git(folder, 'rev-parse', 'HEAD').toString().trim();

  test.each(Object.entries(asked))('%s tells what it tells of any other', async (name, args) => {
    const { failed, text, facts } = await call(await served.client([folder]), toolOf(name), args);
    expect([failed, text.length > 0]).toEqual([false, true]);
    // no id is told that is shorter, or of another kind
    const ids = JSON.stringify(facts).match(/\b[0-9a-f]{40,}\b/g) ?? [];
    expect(ids.filter((id) => !/^[0-9a-f]{64}$/.test(id))).toEqual([]);
    if (!without.has(name)) expect(ids).not.toEqual([]);
  });

  test('the overview names the format, and the log goes on from page to page', async () => {
    const client = await served.client([folder]);
    expect((await call(client, 'git_overview')).facts).toMatchObject({ facts: ['sha256'], commit: head });
    const first = await call(client, 'git_log', { max_count: 1 });
    const second = await call(client, 'git_log', { cursor: first.facts.next_cursor });
    expect(second.facts).toMatchObject({ commits: [{ message: 'one' }], truncated: false });
  });
});

/** The first that reads reftable is 2.45. */
const minor = Number(/ 2\.(\d+)/.exec(scratch().git('.', 'version').toString())?.[1]);

test.runIf(minor < 45)('a git that cannot read reftable says so, whichever tool is asked', async () => {
  const { folder, git } = filled();
  git(folder, 'config', 'core.repositoryFormatVersion', '1');
  git(folder, 'config', 'extensions.refStorage', 'reftable');
  const client = await served.client([folder]);
  for (const [name, args] of Object.entries(asked)) {
    if (name === 'git_repositories') continue;
    const { code, text } = await call(client, toolOf(name), args);
    expect([name, code, text]).toEqual([name, 'unsupported', expect.stringMatching(/reftable.*\n.*2\.45/)]);
  }
});

test('a blob that a partial clone has not fetched is named as such, and the rest is told', async () => {
  const { folder, git } = filled();
  const blob = git(folder, 'rev-parse', 'HEAD:a').toString().trim();
  rmSync(join(folder, '.git/objects', blob.slice(0, 2), blob.slice(2)));
  git(folder, 'config', 'remote.origin.promisor', 'true');
  const client = await served.client([folder]);
  for (const [name, args] of Object.entries(asked)) {
    const { failed, text } = await call(client, toolOf(name), args);
    const named = /not stored here/.test(text);
    expect([name, failed, named]).toEqual([
      name,
      needsBlob.has(name),
      needsBlob.has(name) || tellsBlob.has(name),
    ]);
  }
});

test('a bare repository and one without a commit are told as such by what needs more', async () => {
  const made = filled();
  made.git(made.folder, 'clone', '-q', '--bare', made.folder, 'bare.git');
  const empty = scratch();
  empty.git(empty.folder, 'init', '-q');
  const bare = await served.client([join(made.folder, 'bare.git')]);
  const unborn = await served.client([empty.folder]);
  for (const [name, args] of Object.entries(asked)) {
    expect([name, (await call(bare, toolOf(name), args)).code]).toEqual([name, ofWorkTree.get(name)]);
    const { code } = await call(unborn, toolOf(name), args);
    expect([name, [undefined, 'unknown-revision', 'not-found'].includes(code)]).toEqual([name, true]);
  }
});
