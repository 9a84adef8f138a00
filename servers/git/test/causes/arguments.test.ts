import { join } from 'node:path';
import { expect, test } from 'vitest';
import { aliasesOf } from '../../src/call/aliases.ts';
import { call, Served } from '../harness.ts';
import { type Made, made } from '../writing/repository.ts';

const served = new Served();

/** Three commits, of which the second changes `b`, and a branch. */
function repository(): Made {
  const one = made();
  const { folder, git, write } = one;
  write('b', 'other\n');
  git(folder, 'commit', '-qam', 'second');
  write('a', 'three\n');
  git(folder, 'commit', '-qam', 'third');
  git(folder, 'branch', 'side', 'HEAD~1');
  return one;
}

type Args = Record<string, unknown>;

/** Calls by names that models guess, with the same calls by the names of the schema. */
const guessed: readonly (readonly [tool: string, args: Args, own: Args])[] = [
  ['git_log', { path: 'b' }, { paths: ['b'] }],
  ['git_log', { file: 'b', follow: true }, { paths: ['b'], follow: true }],
  ['git_log', { file_path: 'b' }, { paths: ['b'] }],
  ['git_log', { path: ['a', 'b'] }, { paths: ['a', 'b'] }],
  ['git_log', { limit: 1 }, { max_count: 1 }],
  ['git_log', { n: 2 }, { max_count: 2 }],
  ['git_log', { count: 2, branch: 'side' }, { max_count: 2, revision: 'side' }],
  ['git_log', { ref: 'side' }, { revision: 'side' }],
  ['git_log', { commit: 'HEAD~1' }, { revision: 'HEAD~1' }],
  ['git_log', { range: 'side..main' }, { revision: 'side..main' }],
  ['git_log', { since: '2026-01-01' }, { start_timestamp: '2026-01-01' }],
  ['git_log', { until: '2025-01-01' }, { end_timestamp: '2025-01-01' }],
  ['git_log', { message: 'second' }, { grep: 'second' }],
  ['git_log', { pickaxe: 'other' }, { occurs: 'other' }],
  ['git_show', { commit: 'HEAD~1' }, { revision: 'HEAD~1' }],
  ['git_show', { ref: 'HEAD', path: 'a' }, { revision: 'HEAD', paths: ['a'] }],
  ['git_diff', { revision: 'HEAD~1' }, { target: 'HEAD~1' }],
  ['git_diff', { range: 'side..main', path: 'a' }, { target: 'side..main', paths: ['a'] }],
  ['git_diff', { cached: true }, { staged: true }],
  ['git_status', { path: 'a' }, { paths: ['a'] }],
  ['git_blame', { file: 'b' }, { path: 'b' }],
  [
    'git_blame',
    { file_path: 'b', ref: 'side', line_start: 1 },
    { path: 'b', revision: 'side', start_line: 1 },
  ],
  ['git_read_file', { file: 'b', ref: 'HEAD' }, { path: 'b', revision: 'HEAD' }],
  ['git_read_file', { paths: ['b'] }, { path: 'b' }],
  ['git_list_files', { ref: 'side', max_count: 1 }, { revision: 'side', limit: 1 }],
  ['git_search', { query: 'other', path: 'b' }, { pattern: 'other', paths: ['b'] }],
  ['git_list', { kind: 'reflog', branch: 'main', limit: 1 }, { kind: 'reflog', ref: 'main', max_count: 1 }],
  ['git_branch', { commit: 'HEAD~1' }, { contains: 'HEAD~1' }],
  ['git_add', { paths: ['a'], dry_run: true }, { files: ['a'], dry_run: true }],
  ['git_add', { path: 'a', dry_run: true }, { files: ['a'], dry_run: true }],
  ['git_reset', { commit: 'HEAD~1', dry_run: true }, { revision: 'HEAD~1', dry_run: true }],
  [
    'git_restore',
    { path: 'a', commit: 'HEAD~1', dry_run: true },
    { paths: ['a'], source: 'HEAD~1', dry_run: true },
  ],
  ['git_checkout', { branch: 'side', dry_run: true }, { branch_name: 'side', dry_run: true }],
  ['git_clean', { path: 'a' }, { paths: ['a'] }],
];

test.each(guessed)('%s %j is the call by the names of its schema', async (tool, args, own) => {
  const { folder } = repository();
  const client = await served.client([folder]);
  const [by, expected] = [await call(client, tool, args), await call(client, tool, own)];
  expect(expected.failed).toBe(false);
  expect([by.failed, by.text, by.facts]).toEqual([false, expected.text, expected.facts]);
});

test.each([
  ['git_create_branch', { name: 'x', start_point: 'HEAD~1' }, 'x'],
  ['git_tag', { tag: 'v1', commit: 'HEAD~1' }, 'v1'],
] as const)('%s %j makes what it names at the commit that it names', async (tool, args, ref) => {
  const { folder, oid } = repository();
  const client = await served.client([folder]);
  expect((await call(client, tool, args)).failed).toBe(false);
  expect(oid(ref)).toBe(oid('HEAD~1'));
});

test('the folder of a repository has other names', async () => {
  const { folder } = repository();
  const client = await served.client([join(folder, '..')]);
  for (const name of ['repo', 'repository', 'cwd'])
    expect((await call(client, 'git_overview', { [name]: folder })).facts).toMatchObject({
      repository: folder,
    });
});

test('two names of one argument, and a name that no argument has, are refused with the names of the schema', async () => {
  const { folder } = repository();
  const client = await served.client([folder]);
  for (const args of [
    { path: 'a', paths: ['b'] },
    { path: 'a', file: 'b' },
    { oneline: true },
    { path: 'a', toString: 1 },
    JSON.parse('{"path":"a","__proto__":1}') as Args,
  ]) {
    const { code, text } = await call(client, 'git_log', args);
    expect(code).toBe('invalid-arguments');
    expect(text).toMatch(/^unknown argument .*; this tool takes repo_path, revision, .*max_count.*paths/);
  }
});

test('what agrees to a loss or forces it has no other name', () => {
  const guarded = [
    'confirm',
    'force',
    'dry_run',
    'discard_changes',
    'force_with_lease',
    'no_verify',
    'delete',
  ];
  expect(aliasesOf(guarded).size).toBe(0);
});
