import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { full } from '../../../../test/extent.ts';
import { halves, pages, type Result, servedTests } from '../listing/served.ts';

const tests = servedTests();

function paths(results: Result[]): string[] {
  return results.flatMap(({ structuredContent }) => structuredContent.entries.map((entry) => entry.path));
}

test('a tree is indented text and flat entries, depth first, without .git and node_modules', async () => {
  for (const path of ['src/a.ts', 'src/deep/b.ts', 'z.md', '.git/config', 'node_modules/x/y.js'])
    tests.put(path);
  const served = await tests.session();
  const { content, structuredContent } = await served.call('directory_tree', { path: '.' });
  expect(content[0]!.text).toBe('src/\n  a.ts\n  deep/\n    b.ts\nz.md');
  expect(structuredContent).toEqual({
    path: '.',
    entries: [
      { path: 'src', type: 'directory' },
      { path: 'src/a.ts', type: 'file' },
      { path: 'src/deep', type: 'directory' },
      { path: 'src/deep/b.ts', type: 'file' },
      { path: 'z.md', type: 'file' },
    ],
    depth: 3,
    truncated: false,
  });
});

test('excludePatterns replace the default and exclude at any depth', async () => {
  for (const path of ['node_modules/x', 'a/debug.log', 'a/keep.txt', 'b/tmp/x', 'debug.log']) tests.put(path);
  const served = await tests.session();
  const { structuredContent } = await served.call('directory_tree', {
    path: '.',
    excludePatterns: ['*.log', 'tmp'],
  });
  expect(structuredContent.entries.map((entry) => entry.path)).toEqual([
    'a',
    'a/keep.txt',
    'b',
    'node_modules',
    'node_modules/x',
  ]);
});

test('depth counts levels, directories at the last level have counts, and 0 is all levels', async () => {
  tests.put('1/2/3/4/5.txt');
  const served = await tests.session();
  const two = await served.call('directory_tree', { path: '.', depth: 2 });
  expect(paths([two])).toEqual(['1', '1/2']);
  expect(two.content[0]!.text).toBe(
    '1/\n  2/ [1 entry]\n[1 entry below level 2 not listed; set depth to list more levels]',
  );
  const all = await served.call('directory_tree', { path: '.', depth: 0 });
  expect(paths([all])).toEqual(['1', '1/2', '1/2/3', '1/2/3/4', '1/2/3/4/5.txt']);
});

test('links are listed and not followed, inside or outside the roots', async () => {
  writeFileSync(join(tests.outside, 'secret.txt'), '');
  tests.put('inner/file');
  symlinkSync(tests.outside, join(tests.root, 'out'));
  symlinkSync('inner', join(tests.root, 'in'));
  symlinkSync('.', join(tests.root, 'loop'));
  const served = await tests.session();
  const { content } = await served.call('directory_tree', { path: '.' });
  expect(content[0]!.text).toBe('in [link]\ninner/\n  file\nloop [link]\nout [link]');
});

const LEVELS = full ? 900 : 400;
test(`a tree ${LEVELS} levels deep is complete, in pages within the size limit`, async () => {
  const levels = Array.from({ length: LEVELS }, (_, index) => `d${index % 10}`);
  mkdirSync(join(tests.root, ...levels), { recursive: true });
  const served = await tests.session();
  const all = await pages(served, 'directory_tree', { path: '.', depth: 0 });
  for (const page of all) expect(Math.max(...halves(page))).toBeLessThanOrEqual(102_400);
  expect(paths(all)).toEqual(levels.map((_, index) => levels.slice(0, index + 1).join('/')));
});

test('pages by limit and by size are complete, and one that begins inside a directory names it', async () => {
  const names = Array.from(
    { length: 400 },
    (_, index) => `sub/dir${index % 4}/${'n'.repeat(index % 60)}${index}\u0007"\n`,
  );
  for (const name of names) tests.put(name);
  const served = await tests.session(3000);
  const all = await pages(served, 'directory_tree', { path: '.', depth: 0, limit: 35 });
  for (const page of all) expect(Math.max(...halves(page))).toBeLessThanOrEqual(3000);
  const whole = await (await tests.session(10_000_000)).call('directory_tree', {
    path: '.',
    depth: 0,
    limit: 10_000,
  });
  expect(paths([whole])).toHaveLength(405);
  expect(paths(all)).toEqual(paths([whole]));
  expect(all[1]!.content[0]!.text).toMatch(/^\[inside sub\/dir\d\/\]\n {4}/);
  expect(all[0]!.content[0]!.text.split('\n')).toHaveLength(all[0]!.structuredContent.entries.length + 1);
});

test('entries that are created and deleted between pages do not affect others', async () => {
  for (let index = 0; index < 300; index++) tests.put(`d/${1000 + index}`);
  const served = await tests.session();
  const first = await served.call('directory_tree', { path: '.', limit: 100 });
  for (let index = 0; index < 50; index++) tests.put(`d/0-${index}`);
  const rest = await pages(served, 'directory_tree', { path: '.', limit: 100 });
  const { nextCursor: cursor } = first.structuredContent;
  const second = await served.call('directory_tree', { path: '.', limit: 1000, cursor });
  expect(paths([first, second])).toEqual([
    'd',
    ...Array.from({ length: 300 }, (_, index) => `d/${1000 + index}`),
  ]);
  expect(paths(rest)).toHaveLength(351);
});

test('a cursor with other arguments is refused', async () => {
  for (let index = 0; index < 10; index++) tests.put(`${index}`);
  const served = await tests.session();
  const { structuredContent } = await served.call('directory_tree', { path: '.', limit: 3 });
  const other = { path: '.', depth: 1, cursor: structuredContent.nextCursor };
  const { isError, content } = await served.call('directory_tree', other);
  expect([isError, content[0]!.text.split('\n')[0]]).toEqual([
    true,
    'cursor continues a call with other arguments',
  ]);
});

test('an empty directory is reported as empty', async () => {
  const served = await tests.session();
  const { content } = await served.call('directory_tree', { path: '.' });
  expect(content[0]!.text).toBe('[no entries]');
});
