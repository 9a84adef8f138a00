import { mkdirSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findRepositories } from '../../src/repository/find.ts';
import { bounded, containments } from './boundary.ts';

const none = { commonDirs: [] };

describe.each(containments)('%s', (containment) => {
  test('repositories are found below the roots, in others too, and not in what other programs fill', async () => {
    const { root, git, scope } = bounded();
    for (const path of ['one', 'one/nested', 'deep/down/two', 'one/node_modules/dependency'])
      git(root, 'init', join(root, path));
    git(join(root, 'one'), 'commit', '--allow-empty', '-m', 'one');
    git(join(root, 'one'), 'worktree', 'add', join(root, 'linked'));
    git(root, 'init', '--bare', join(root, 'bare.git'));
    // it came with the files of a repository
    git(root, 'init', '--bare', join(root, 'one', 'fixtures', 'bare.git'));
    const { repositories, refused, truncated } = await findRepositories(scope(containment), none);
    const found = repositories.map(({ place, kind }) => [
      relative(root, place.workTree ?? place.gitDir),
      kind,
    ]);
    expect(found).toEqual([
      ['bare.git', 'bare'],
      ['linked', 'linked-worktree'],
      ['one', 'normal'],
      ['one/nested', 'normal'],
      ['deep/down/two', 'normal'],
    ]);
    expect([refused, truncated]).toEqual([[], false]);
  });

  test('submodules are found, and what leads outside is told with the reason', async () => {
    const { folder, root, outside, git, write, scope } = bounded();
    git(folder, 'init', outside);
    git(outside, 'commit', '--allow-empty', '-m', 'one');
    git(root, 'init', 'super');
    git(join(root, 'super'), 'submodule', 'add', outside, 'part');
    write('root/thief/.git', `gitdir: ${outside}/.git\n`);
    symlinkSync(outside, join(root, 'link'));
    const { repositories, refused } = await findRepositories(scope(containment), none);
    expect(repositories.map(({ kind }) => kind)).toEqual(['normal', 'submodule']);
    expect(refused.map(({ path, error }) => [path, error.code])).toEqual([
      [join(root, 'thief'), 'not-found'],
    ]);
  });

  test('each limit ends the search and says so', async () => {
    const { root, git, scope } = bounded();
    for (const name of ['a', 'b', 'c/d/e']) git(root, 'init', join(root, name));
    for (let count = 0; count < 200; count++) mkdirSync(join(root, 'many', `${count}`), { recursive: true });
    const roots = scope(containment);
    const all = await findRepositories(roots, none);
    expect([all.repositories.length, all.truncated]).toEqual([3, false]);
    const one = await findRepositories(roots, none, { count: 1 });
    expect([one.repositories.length, one.truncated]).toEqual([1, true]);
    const flat = await findRepositories(roots, none, { depth: 2 });
    expect(flat.repositories.length).toBe(2);
    expect((await findRepositories(roots, none, { folders: 50 })).truncated).toBe(true);
  });

  test('others have turns during a long search, and one ends it', async () => {
    const { root, scope } = bounded();
    for (let count = 0; count < 300; count++) mkdirSync(join(root, `${count}`));
    const cancelled = new AbortController();
    const search = findRepositories(scope(containment), none, { signal: cancelled.signal });
    setImmediate(() => cancelled.abort(new Error('enough')));
    await expect(search).rejects.toThrow('enough');
  });
});
