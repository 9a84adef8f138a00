import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  Boundary,
  fromFileUri,
  moveEntry,
  parseRootSpec,
  readSmall,
  replaceFile,
  toFileUri,
} from '../../src/boundary.ts';
import { atOnce, codeOf, containments, failure, useTree } from './tree.ts';

test('a root on the command line is a path, with :ro for read-only', () => {
  expect(parseRootSpec('/srv/data')).toEqual({ path: '/srv/data', readOnly: false });
  expect(parseRootSpec('/srv/data:ro')).toEqual({ path: '/srv/data', readOnly: true });
  expect(parseRootSpec('/srv/odd:ro:rw')).toEqual({ path: '/srv/odd:ro', readOnly: false });
  expect(parseRootSpec('data/:ro')).toEqual({ path: resolve('data'), readOnly: true });
  expect(parseRootSpec('~/x')).toEqual({ path: join(homedir(), 'x'), readOnly: false });
  expect(parseRootSpec('~x').path).toBe(resolve('~x'));
  expect(parseRootSpec('file:///srv/a%20b').path).toBe('/srv/a b');
  for (const text of ['', ':ro', 'a\0b', 'file://host/x'])
    expect(() => parseRootSpec(text)).toThrow(TypeError);
});

test('paths and file URIs turn into each other', () => {
  for (const path of ['/', '/a b', '/ü/é', '/100%', '/a?b#c', '/a\nb', '/a%20b', "/it's"])
    expect(fromFileUri(toFileUri(path))).toBe(path);
  expect(toFileUri('/a b?#%')).toBe('file:///a%20b%3F%23%25');
  expect(fromFileUri('FILE://LocalHost/a/../b')).toBe('/b');
  for (const uri of [
    'http://x/y',
    'file:relative',
    'file://host/x',
    'file:///%zz',
    'file:///a%2fb',
    'file:///%00',
  ])
    expect([uri, fromFileUri(uri)]).toEqual([uri, undefined]);
});

test('kernel containment where the system has none is refused at the start', () => {
  const make = () => new Boundary({ roots: [], policy: 'narrow', containment: 'kernel' });
  if (process.platform === 'linux') expect(make().containment).toBe('kernel');
  else expect(make).toThrow(/best-effort/);
});

describe.each(containments)('roots that come and go, %s', (containment) => {
  const tree = useTree();
  const read = (boundary: Boundary, path: string) =>
    readSmall(boundary.narrowing().scope(undefined), join(tree.top, path), 100)?.bytes.toString();
  const make = (...roots: string[]) =>
    new Boundary({
      roots: roots.map((root) => ({ path: join(tree.top, root), readOnly: false })),
      policy: 'narrow',
      containment,
    });

  test('a missing root is picked up when it appears, and dropped when it goes', () => {
    const boundary = make('late');
    expect([
      boundary.hasOperatorRoots,
      boundary.operatorRoots(),
      codeOf(() => read(boundary, 'late/f')),
    ]).toEqual([true, [], 'no-roots']);
    tree.write('late/f', 'there');
    expect(read(boundary, 'late/f')).toBe('there');
    expect(boundary.operatorRoots()).toBe(boundary.operatorRoots());
    rmSync(join(tree.top, 'late'), { recursive: true });
    expect(codeOf(() => read(boundary, 'late/f'))).toBe('no-roots');
  });

  test('a root replaced by another folder is that folder', () => {
    tree.write('root/f', 'first');
    const boundary = make('root');
    expect(read(boundary, 'root/f')).toBe('first');
    renameSync(tree.root, join(tree.top, 'away'));
    tree.write('root/f', 'second');
    expect(read(boundary, 'root/f')).toBe('second');
    expect(codeOf(() => read(boundary, 'away/f'))).toBe('not-found');
  });

  test('a root that is a link follows the operator to a new target', () => {
    tree.write('one/f', 'one');
    tree.write('two/f', 'two');
    symlinkSync('one', join(tree.top, 'current'));
    const boundary = make('current');
    expect(read(boundary, 'current/f')).toBe('one');
    symlinkSync('two', join(tree.top, 'next'));
    renameSync(join(tree.top, 'next'), join(tree.top, 'current'));
    expect(read(boundary, 'current/f')).toBe('two');
    expect(codeOf(() => read(boundary, 'one/f'))).toBe('not-found');
  });

  test('a link that callers move into the place of a missing root does not widen the boundary', () => {
    symlinkSync('../outside', join(tree.root, 'link'));
    const boundary = make('root', 'root/late');
    atOnce(() =>
      moveEntry(boundary.narrowing().scope(undefined), join(tree.root, 'link'), join(tree.root, 'late')),
    );
    expect(boundary.operatorRoots().map((root) => root.real)).toEqual([tree.root]);
    expect(codeOf(() => read(boundary, 'outside/secret.txt'))).toBe('not-found');
    expect(codeOf(() => read(boundary, 'root/late/secret.txt'))).toBe('not-found');
  });

  test('nor one that a root outside runs through', () => {
    mkdirSync(join(tree.root, 'a'));
    symlinkSync('root/a', join(tree.top, 'through'));
    symlinkSync('../outside', join(tree.root, 'link'));
    const boundary = make('root', 'through/x');
    mkdirSync(join(tree.root, 'b'));
    renameSync(join(tree.root, 'a'), join(tree.root, 'c'));
    symlinkSync('../outside', join(tree.root, 'a'));
    mkdirSync(join(tree.outside, 'x'));
    expect(boundary.operatorRoots().map((root) => root.real)).toEqual([tree.root]);
  });

  test('a root named twice is one root, and read-only wins', () => {
    symlinkSync('root', join(tree.top, 'again'));
    const boundary = new Boundary({
      roots: [
        { path: tree.root, readOnly: false },
        { path: join(tree.top, 'again'), readOnly: true },
      ],
      policy: 'narrow',
      containment,
    });
    expect(boundary.operatorRoots()).toMatchObject([{ path: tree.root, readOnly: true }]);
  });

  test('a root without a usable name is left out', () => {
    expect(make('outside/secret.txt/x').operatorRoots()).toEqual([]);
    symlinkSync('loop', join(tree.top, 'loop'));
    expect(make('loop').operatorRoots()).toEqual([]);
  });

  test('where Unix shows processes and devices as files is no root, by any name', () => {
    symlinkSync('/proc/self', join(tree.top, 'process'));
    for (const root of ['../../proc', '../../sys/kernel', '../../dev', '../../dev/null', 'process'])
      expect([root, make(root).operatorRoots()]).toEqual([root, []]);
  });
});

describe.each(containments)('what a caller may call a path, %s', (containment) => {
  const tree = useTree();

  test('quotes belong to a name that has them, and are left out where none has', () => {
    tree.write('root/a', 'bare');
    tree.write('root/b', 'bare');
    tree.write("root/'a'", 'quoted');
    const scope = tree.scope(containment);
    const read = (path: string) => readSmall(scope, path, 100)?.bytes.toString();
    expect([read("'a'"), read('a'), read("'b'"), codeOf(() => read("'c'"))]).toEqual([
      'quoted',
      'bare',
      'bare',
      'not-found',
    ]);
    atOnce(() => replaceFile(scope, '"c"', 'made'));
    expect(read('c')).toBe('made');
    expect(codeOf(() => replaceFile(scope, `"${join(tree.outside, 'x')}"`, 'out'))).toBe('not-found');
  });

  test('a path that needs other words gets them when nothing is there', () => {
    const scope = tree.scope(containment);
    const hint = (path: string) => failure(() => readSmall(scope, path, 1)).hint;
    expect(hint('~nobody/x')).toContain('only ~ alone is the home folder');
    expect(hint('bad\\xff.txt')).toContain('file:// URI');
    expect(hint('C:\\Users\\me')).toContain('/mnt/c/Users/me');
    expect(hint('a'.repeat(300))).toContain('255');
    expect(hint(`${'a/'.repeat(2100)}`)).toContain('4095');
    expect(hint('file:///%zz')).toContain('%XX');
    expect(hint('half \ud800')).toContain('half of a character');
    tree.write('root/~draft', 'a name');
    expect(readSmall(scope, '~draft', 100)?.bytes.toString()).toBe('a name');
  });

  test('absolute, relative, quoted, by URI, with odd separators and with a separator at the end', () => {
    const full = tree.write('root/a/f g.txt', 'x');
    const scope = tree.scope(containment);
    const forms = [
      full,
      'a/f g.txt',
      './a/../a//f g.txt',
      `"${full}"`,
      "'a/f g.txt'",
      '`a/f g.txt`',
      toFileUri(full),
      `${full}/`,
      `"file://${full}"`,
    ];
    for (const form of forms) expect([form, readSmall(scope, form, 10)?.path]).toEqual([form, full]);
  });

  test('~ is the home folder', () => {
    const home = mkdtempSync(join(homedir(), '.boundary-'));
    try {
      const scope = new Boundary({ roots: [{ path: home, readOnly: false }], policy: 'narrow', containment })
        .narrowing()
        .scope(undefined);
      expect(codeOf(() => readSmall(scope, `~/${home.slice(homedir().length + 1)}`, 1))).toBe('not-a-file');
      expect(codeOf(() => readSmall(scope, '~', 1))).toBe('not-found');
    } finally {
      rmSync(home, { recursive: true });
    }
  });

  test('a relative path means the first root in which it exists', () => {
    tree.write('root/both', 'first');
    tree.write('other/both', 'second');
    tree.write('other/only', 'second');
    const scope = tree.scope(containment, 'root', 'other');
    const read = (path: string) => readSmall(scope, path, 100)?.bytes.toString();
    expect([
      read('both'),
      read('only'),
      codeOf(() => read('neither')),
      codeOf(() => read('../outside/secret.txt')),
    ]).toEqual(['first', 'second', 'not-found', 'not-found']);
  });
});

test('temporary folders are reached by both of their names', () => {
  const folder = mkdtempSync(join(tmpdir(), 'boundary-'));
  expect(
    new Boundary({ roots: [{ path: folder, readOnly: false }], policy: 'narrow' }).operatorRoots()[0]?.path,
  ).toBe(folder);
  rmSync(folder, { recursive: true });
});
