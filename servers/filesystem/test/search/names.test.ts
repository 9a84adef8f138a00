import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { full, sampled } from '../../../../test/extent.ts';
import { DEFAULT_EXCLUDE } from '../../src/search/index.ts';
import { names, put, searchTests } from './harness.ts';

const { start, tree, open } = searchTests();
const FILES = {
  'a.ts': '',
  'b.js': '',
  '.env': '',
  'Readme.md': '',
  'résumé.txt': '',
  'src/a.ts': '',
  'src/a.test.ts': '',
  'src/deep/er/z.tsx': '',
  'src/.hidden/x.ts': '',
  'lib/x/readme': '',
  '.git/config': '',
  'node_modules/p/index.js': '',
  'lib/node_modules/q/index.js': '',
  'x{1}.ts': '',
  'b(1).js': '',
};

describe.each(sampled(['kernel', 'best-effort'] as const, 2))('names, %s access', (access) => {
  test.each<[string[], string[]]>([
    [['*.ts'], ['a.ts', 'x{1}.ts']],
    [['**/*.ts'], ['a.ts', 'src/.hidden/x.ts', 'src/a.test.ts', 'src/a.ts', 'x{1}.ts']],
    [['src/*.ts'], ['src/a.test.ts', 'src/a.ts']],
    [
      ['src/**'],
      [
        'src/.hidden',
        'src/.hidden/x.ts',
        'src/a.test.ts',
        'src/a.ts',
        'src/deep',
        'src/deep/er',
        'src/deep/er/z.tsx',
      ],
    ],
    [['./src/a.ts'], ['src/a.ts']],
    [['**/er/*'], ['src/deep/er/z.tsx']],
    [['s*/**/*er/*.tsx'], ['src/deep/er/z.tsx']],
    [['**/{a,z}.{ts,tsx}'], ['a.ts', 'src/a.ts', 'src/deep/er/z.tsx']],
    [['{src,lib}/*/*'], ['lib/node_modules/q', 'lib/x/readme', 'src/.hidden/x.ts', 'src/deep/er']],
    [['[ab].?s'], ['a.ts', 'b.js']],
    [['[!a].?s'], ['b.js']],
    [['r?sum?.txt'], ['résumé.txt']],
    [['résu*'], ['résumé.txt']],
    [['@(a|b).@(ts|js)'], ['a.ts', 'b.js']],
    [
      ['b(1).js', '.env'],
      ['.env', 'b(1).js'],
    ],
    [['x\\{1\\}.ts'], ['x{1}.ts']],
    [['README'], ['Readme.md', 'lib/x/readme']],
    [['RÉSUMÉ'], ['résumé.txt']],
    [['re\u0301sum'], ['résumé.txt']],
    [['**/no-such*'], []],
  ])('%j selects %j', async (include, expected) => {
    const { search } = start({ access, workers: 2 });
    const outcome = await search(names(open(tree(FILES)), { include }));
    expect(outcome.names.map(({ path }) => path)).toEqual(expected);
    expect([outcome.truncated, outcome.next, outcome.counts.errors]).toEqual([false, undefined, 0]);
  });

  test('an excluded name is omitted at any depth, with everything below it', async () => {
    const { search } = start({ access, workers: 2 });
    const root = open(tree(FILES));
    const pathsOf = async (exclude: readonly string[], include = ['**/*.js', '**/config', '**/index.js']) =>
      (await search(names(root, { include, exclude: [...exclude] }))).names.map(({ path }) => path);
    expect(await pathsOf(DEFAULT_EXCLUDE)).toEqual(['b(1).js', 'b.js']);
    expect(await pathsOf(['node_modules/**'])).toEqual([
      '.git/config',
      'b(1).js',
      'b.js',
      'lib/node_modules/q/index.js',
    ]);
    expect(await pathsOf(['**/node_modules/**', '.git/', '*.js'])).toEqual([]);
  });

  test('hidden names are omitted only on request', async () => {
    const { search } = start({ access, workers: 2 });
    const outcome = await search(
      names(open(tree(FILES)), { hidden: false, exclude: ['node_modules', 'src/deep'] }),
    );
    expect(outcome.names.map(({ path }) => path).filter((path) => /(^|\/)\./.test(path))).toEqual([]);
    expect(outcome.names).toContainEqual({ path: 'src/a.ts', type: 'file' });
  });

  test('types select entries, and a link is listed but never entered', async () => {
    const { search } = start({ access, workers: 2 });
    const outside = tree({ 'secret.txt': '' });
    const path = tree({ 'dir/file.txt': '' });
    symlinkSync(outside, join(path, 'dir/out'));
    symlinkSync('.', join(path, 'dir/loop'));
    const root = open(path);
    expect((await search(names(root))).names).toEqual([
      { path: 'dir', type: 'directory' },
      { path: 'dir/file.txt', type: 'file' },
      { path: 'dir/loop', type: 'symlink' },
      { path: 'dir/out', type: 'symlink' },
    ]);
    const links = await search(names(root, { types: ['symlink', 'directory'] }));
    expect(links.names.map(({ path }) => path)).toEqual(['dir', 'dir/loop', 'dir/out']);
  });
});

test('a root that was removed fails or is empty, and names no system path', async () => {
  const path = tree();
  const root = open(path);
  rmSync(path, { recursive: true });
  const { search } = start();
  expect((await search(names(root))).names).toEqual([]);
  const failure = start({ access: 'best-effort' }).search(names(root));
  await expect(failure).rejects.toMatchObject({ code: 'root', message: 'the root cannot be read (ENOENT)' });
});

test('no glob backtracks, and one whose groups are too deep is refused', async () => {
  const { search } = start();
  const root = open(tree({ [`${'a'.repeat(200)}.txt`]: '' }));
  const stars = await search(names(root, { include: [`${'*a'.repeat(60)}*b`, `${'?*'.repeat(60)}b`] }));
  expect(stars.names).toEqual([]);
  const groups = await search(
    names(root, { include: ['+([ab]|a)c', '+(a|+(a))b', `${'{a,aa}'.repeat(60)}b`] }),
  );
  expect(groups.names).toEqual([]);
  const deep = search(names(root, { include: [`${'@('.repeat(9)}a${')'.repeat(9)}`] }));
  await expect(deep).rejects.toMatchObject({ code: 'pattern' });
});

describe('order and pages', () => {
  function wideTree(): string {
    const path = tree();
    for (let dir = 0; dir < 40; dir++) {
      const parent = `d${dir % 7}/e-${dir}${dir % 3 ? '' : '/sub'}`;
      for (let file = 0; file < 9; file++) put(path, `${parent}/f${file}${'.-! '[file % 4]}x`, '');
    }
    for (const name of ['d1-', 'd1!', 'd1.', 'D1', 'd1 ', 'd10/x', 'é', '\u{1f600}', '\uffee'])
      put(path, `${name}`, '');
    return path;
  }
  const bytewise = (a: string, b: string) => {
    const [left, right] = [a, b].map((path) => path.split('/').map((segment) => Buffer.from(segment)));
    for (let index = 0; ; index++) {
      const [one, two] = [left![index], right![index]];
      if (one === undefined || two === undefined) return left!.length - right!.length;
      const order = Buffer.compare(one, two);
      if (order !== 0) return order;
    }
  };

  test('results are sorted bytewise by segment, a directory before its entries, for any number of workers', async () => {
    const root = open(wideTree());
    const one = await start({ workers: 1 }).search(names(root));
    const paths = one.names.map(({ path }) => path);
    expect(paths.length).toBeGreaterThan(400);
    expect(paths).toEqual([...paths].sort(bytewise));
    for (const workers of [2, 4])
      expect((await start({ workers }).search(names(root))).names).toEqual(one.names);
  });

  test.each(full ? [1, 7, 50, 1000] : [7, 50])('pages of %i are consecutive and complete', async (limit) => {
    const root = open(wideTree());
    const { search } = start({ workers: 4 });
    const whole = (await search(names(root))).names;
    const pages: typeof whole = [];
    for (let after: { path: string } | undefined; ; ) {
      const page = await search(names(root, { limit, ...(after !== undefined && { after }) }));
      expect(page.names).toEqual(whole.slice(pages.length, pages.length + limit));
      pages.push(...page.names);
      expect(page.truncated).toBe(pages.length < whole.length);
      expect(page.next === undefined).toBe(!page.truncated);
      if (page.next === undefined) break;
      after = page.next;
    }
    expect(pages).toEqual(whole);
  });

  test('a cursor stays valid while entries before and after it are created and deleted', async () => {
    const path = tree({ 'b/1': '', 'b/3': '', 'c/1': '' });
    const root = open(path);
    const { search } = start();
    const first = await search(names(root, { limit: 3, types: ['file', 'directory'] }));
    expect(first.names.map((name) => name.path)).toEqual(['b', 'b/1', 'b/3']);
    mkdirSync(join(path, 'a'));
    writeFileSync(join(path, 'a/0'), '');
    writeFileSync(join(path, 'b/2'), '');
    writeFileSync(join(path, 'b/4'), '');
    rmSync(join(path, 'b/3'));
    const second = await search(names(root, { after: first.next! }));
    expect(second.names.map((name) => name.path)).toEqual(['b/4', 'c', 'c/1']);
  });
});
