import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseGitUri, toGitUri } from '../../src/call/git-uri.ts';
import { Served } from '../harness.ts';
import { scratch } from '../scratch.ts';

const served = new Served();

/** The refs that are listed, each with its repository. */
async function listedRefs(folder: string): Promise<readonly (readonly [string, string])[]> {
  const client = await served.client([folder]);
  const found = (await client.listResources()).map(({ uri }) => parseGitUri(uri)!);
  return found.flatMap(({ repository, target }) =>
    target.kind === 'ref' ? [[repository, target.name] as const] : [],
  );
}

function made(...options: string[]) {
  const own = scratch();
  const top = join(own.folder, 'repo');
  own.git(own.folder, 'init', '-q', 'repo', ...options);
  own.git(top, 'commit', '-q', '--allow-empty', '-m', 'one');
  return { ...own, top, run: (...args: string[]) => own.git(top, ...args) };
}

test('branches and tags are listed by name after the repository, loose or packed, each to be read', async () => {
  const { folder, top, run } = made();
  for (const name of ['a/b', 'a-b', 'a0', 'caf\u00e9']) run('branch', name);
  run('tag', 'v1');
  run('pack-refs', '--all');
  run('branch', 'later');
  run('tag', '-m', 'two', 'v2');
  run('update-ref', 'refs/remotes/origin/main', 'HEAD');
  run('symbolic-ref', 'refs/heads/dangling', 'refs/heads/none');
  run('symbolic-ref', 'refs/heads/alias', 'refs/heads/main');
  const client = await served.client([folder]);
  const listed = await client.listResources();
  const refs = listed.filter(({ uri }) => uri.includes('?ref='));
  const reported = run('for-each-ref', '--format=%(refname)', 'refs/heads', 'refs/tags').toString().trim();
  expect(refs.map(({ uri }) => (parseGitUri(uri)!.target as { name: string }).name)).toEqual(
    reported.split('\n'),
  );
  expect(listed.slice(0, -refs.length).map(({ uri }) => uri)).toEqual(
    ['', '?status', '?refs'].map((query) => toGitUri(top) + query),
  );
  expect(refs.find(({ uri }) => uri.endsWith('v2'))).toEqual({
    uri: `${toGitUri(top)}?ref=refs/tags/v2`,
    name: 'repo refs/tags/v2',
    title: 'tag v2 of repo',
    mimeType: 'application/json',
  });
  for (const { uri } of refs) expect((await client.readResource(uri)).contents).toHaveLength(1);
});

test('of one repository 100 are listed, the branch of HEAD among them, and 1000 of all', async () => {
  const { folder, top, git } = made();
  const lines = Array.from({ length: 120 }, (_, index) => `create refs/heads/a${1000 + index} HEAD\n`);
  git(top, 'update-ref', '--stdin', { input: lines.join('') });
  git(top, 'pack-refs', '--all');
  const names = (await listedRefs(folder)).map(([, name]) => name);
  expect([names.length, names[0], names[98], names[99]]).toEqual([
    100,
    'refs/heads/a1000',
    'refs/heads/a1098',
    'refs/heads/main',
  ]);
  for (let index = 0; index < 11; index++) git(folder, 'clone', '-q', '--mirror', 'repo', `mirror${index}`);
  expect(await listedRefs(folder)).toHaveLength(1000);
});

test('what linked worktrees share is listed once, and of each the branch of its HEAD', async () => {
  const { folder, top, run } = made();
  run('tag', 'v1');
  run('worktree', 'add', '-q', '-b', 'side', '../worktree');
  run('worktree', 'add', '-q', '--detach', '../detached');
  const seen = (await listedRefs(folder)).map(([path, name]) => `${path.slice(folder.length + 1)} ${name}`);
  const shared = ['refs/heads/main', 'refs/heads/side', 'refs/tags/v1'];
  // the first in the order of names has them all
  expect(seen).toEqual([
    ...shared.map((name) => `detached ${name}`),
    'repo refs/heads/main',
    'worktree refs/heads/side',
  ]);
  expect(top).toBe(join(folder, 'repo'));
});

test('refs of a repository that has reftables are not listed one by one', async () => {
  const { folder, write } = made();
  write('repo/.git/reftable/tables.list', '');
  expect(await listedRefs(folder)).toEqual([]);
});

test('of an unborn branch nothing is listed', async () => {
  const { folder, git } = scratch();
  git(folder, 'init', '-q', 'repo');
  expect(await listedRefs(folder)).toEqual([]);
});
