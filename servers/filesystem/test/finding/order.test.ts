import { rmSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { halves, pages, type Result, servedTests } from '../listing/served.ts';

const tests = servedTests();

function put(path: string, seconds: number, text = ''): void {
  const file = tests.put(path, text);
  utimesSync(file, seconds, seconds);
}

function pathsOf(results: Result[]): string[] {
  return results.flatMap(({ structuredContent: { matches, files } }) =>
    (matches ?? files).map(({ path }) => path),
  );
}

test('names are sorted newest or largest first on request, with their sort key', async () => {
  put('old', 1000, 'x'.repeat(2000));
  put('d/new', 3000, 'xx');
  put('d/middle', 2000, 'x');
  const served = await tests.session();
  const args = { path: '.', pattern: '**', type: 'file' };
  const newest = await served.call('search_files', { ...args, sort: 'modified' });
  expect(newest.structuredContent.matches).toEqual([
    { path: 'd/new', type: 'file', size: 2, modified: '1970-01-01T00:50:00.000Z' },
    { path: 'd/middle', type: 'file', size: 1, modified: '1970-01-01T00:33:20.000Z' },
    { path: 'old', type: 'file', size: 2000, modified: '1970-01-01T00:16:40.000Z' },
  ]);
  expect(newest.content[0]!.text.split('\n')[0]).toBe('d/new  2 bytes  1970-01-01T00:50:00.000Z');
  const largest = await served.call('search_files', { ...args, sort: 'size' });
  expect(pathsOf([largest])).toEqual(['old', 'd/new', 'd/middle']);
});

test('type selects files, directories or links', async () => {
  tests.put('x/x');
  symlinkSync('x', join(tests.root, 'xl'));
  const served = await tests.session();
  for (const [type, paths] of [
    ['file', ['x/x']],
    ['directory', ['x']],
    ['symlink', ['xl']],
  ]) {
    expect(pathsOf([await served.call('search_files', { path: '.', pattern: 'x', type })])).toEqual(paths);
  }
});

test.each(['path', 'modified', 'size'])(
  'pages of names by %s stay within the size limit and are complete',
  async (sort) => {
    for (let index = 0; index < 200; index++)
      put(
        `d${index % 7}/${'n'.repeat(index % 40)}${index}${index % 5 ? '' : '\n'}`,
        1000 + (index % 11),
        'x'.repeat(index % 13),
      );
    const served = await tests.session(2000);
    const all = await pages(served, 'search_files', { path: '.', pattern: '**', sort, limit: 30 });
    for (const page of all) expect(Math.max(...halves(page))).toBeLessThanOrEqual(2000);
    const roomy = await tests.session(10_000_000);
    const whole = await roomy.call('search_files', { path: '.', pattern: '**', sort });
    expect(pathsOf([whole])).toHaveLength(207);
    expect(pathsOf(all)).toEqual(pathsOf([whole]));
  },
);

test.each(['matches', 'files', 'counts'])(
  'pages of %s with the newest files first are complete',
  async (output) => {
    for (let index = 0; index < 60; index++)
      put(`d${index % 5}/${index}`, 1000 + ((index * 7) % 13), 'hit\n-\n'.repeat(1 + (index % 4)));
    const served = await tests.session(3000);
    const args = { path: '.', pattern: 'hit', output, sort: 'modified' };
    const all = await pages(served, 'search_content', { ...args, limit: 7 });
    const whole = await (await tests.session(10_000_000)).call('search_content', { ...args, limit: 2000 });
    const lines = (results: Result[]): string[] =>
      results.flatMap(({ structuredContent: { files } }) =>
        files.flatMap(({ path, count, matches = [{ line: 0 }] }) =>
          matches.map(({ line }) => `${path} ${count} ${line}`),
        ),
      );
    expect(lines(all)).toEqual(lines([whole]));
    const times = whole.structuredContent.files.map((file) => (file as { modified?: string }).modified!);
    expect(times).toHaveLength(60);
    expect(times).toEqual([...times].sort().reverse());
  },
);

test.each(['path', 'modified', 'size'])(
  'what is made and removed between pages by %s repeats nothing and loses nothing that was there all along',
  async (sort) => {
    for (let index = 0; index < 120; index++)
      put(`d${index % 3}/${100 + index}`, 1000 + (index % 9), 'x'.repeat(index % 5));
    const served = await tests.session();
    const seen: string[] = [];
    const gone = new Set<string>();
    let cursor: string | undefined;
    for (let page = 0; page === 0 || cursor !== undefined; page++) {
      const result = await served.call('search_files', {
        path: '.',
        pattern: '**',
        type: 'file',
        sort,
        limit: 10,
        ...(cursor && { cursor }),
      });
      seen.push(...pathsOf([result]));
      cursor = result.structuredContent.nextCursor;
      // some after the cursor and some before it, in either order
      for (const path of [`d0/${100 + page * 3}`, `d2/${218 - page * 3}`]) {
        rmSync(join(tests.root, path), { force: true });
        gone.add(path);
      }
      put(`d1/1-${page}`, page % 2 === 0 ? 500 : 5000, 'x'.repeat(page % 7));
    }
    expect(new Set(seen).size).toBe(seen.length);
    const stayed = Array.from({ length: 120 }, (_, index) => `d${index % 3}/${100 + index}`).filter(
      (path) => !gone.has(path),
    );
    expect(stayed.filter((path) => !seen.includes(path))).toEqual([]);
  },
);

test('pages of lines continue after the last line while files are created and deleted, also within a file', async () => {
  for (let index = 0; index < 9; index++) put(`f${index}`, 1000, 'hit\n'.repeat(4));
  const served = await tests.session();
  const args = { path: '.', pattern: 'hit', limit: 6 };
  const first = await served.call('search_content', args);
  rmSync(join(tests.root, 'f0'));
  rmSync(join(tests.root, 'f5'));
  put('f00', 1000, 'hit\n');
  const { nextCursor: cursor } = first.structuredContent;
  const rest = await served.call('search_content', { ...args, limit: 100, cursor });
  const lines = [first, rest].flatMap(({ structuredContent: { files } }) =>
    files.flatMap(({ path, matches = [] }) => matches.map(({ line }) => `${path}:${line}`)),
  );
  const whole = ['f0', 'f1', 'f2', 'f3', 'f4', 'f6', 'f7', 'f8'].flatMap((path) =>
    [1, 2, 3, 4].map((line) => `${path}:${line}`),
  );
  expect(lines).toEqual(whole);
});
