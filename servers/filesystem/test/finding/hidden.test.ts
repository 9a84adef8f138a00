import { expect, test } from 'vitest';
import { type Served, servedTests } from '../listing/served.ts';

const tests = servedTests();

async function everything(served: Served): Promise<string[][]> {
  const names = await served.call('search_files', { path: '.', pattern: '**', excludePatterns: [] });
  const lines = await served.call('search_content', { path: '.', pattern: 'hit', excludePatterns: [] });
  const tree = await served.call('directory_tree', { path: '.', depth: 0, excludePatterns: [] });
  return [
    names.structuredContent.matches.map(({ path }) => path),
    lines.structuredContent.files.map(({ path }) => path),
    tree.structuredContent.entries.map(({ path }) => path),
  ];
}

test.each(['kernel', 'best-effort'] as const)(
  'denied entries are neither found, searched, listed in trees nor counted (%s)',
  async (containment) => {
    for (const path of ['.env', 'sub/.env', '.git/config', '.ssh/known', 'sub/id_rsa', 'sub/a', 'b'])
      tests.put(path, 'hit');
    const served =
      containment === 'kernel'
        ? await tests.session()
        : await tests.bestEffort(['.env', '.git', '.ssh', 'id_rsa']);
    expect(await everything(served)).toEqual([
      ['b', 'sub', 'sub/a'],
      ['b', 'sub/a'],
      ['b', 'sub', 'sub/a'],
    ]);
    const { structuredContent } = await served.call('search_content', { path: '.', pattern: 'hit' });
    expect(structuredContent).toMatchObject({ searched: 2 });
    const shallow = await served.call('directory_tree', { path: '.', depth: 1 });
    expect(shallow.structuredContent.entries).toEqual([
      { path: 'b', type: 'file' },
      { path: 'sub', type: 'directory', entries: 1 },
    ]);
  },
);

test('a denied path is denied wherever the search starts', async () => {
  for (const path of ['a/.git/hooks/x', 'a/c']) tests.put(path, 'hit');
  const served = await tests.session();
  for (const path of ['.', 'a']) {
    const { structuredContent } = await served.call('search_files', {
      path,
      pattern: '**/{x,c}',
      excludePatterns: [],
    });
    expect(structuredContent.matches.map((match) => match.path)).toEqual(['a/c']);
  }
  const inside = await served.call('search_files', { path: 'a/.git/hooks', pattern: 'x' });
  expect(inside._meta?.failure.code).toBe('not-found');
});
