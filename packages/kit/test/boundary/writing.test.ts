import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { full } from '../../../../test/extent.ts';
import {
  etagOf,
  makeDirectory,
  openDirectory,
  readEntries,
  readSmall,
  replaceFile,
  updateFile,
} from '../../src/boundary.ts';
import { atOnce, codeOf, containments, failure, useTree } from './tree.ts';

describe.each(containments)('writing, %s', (containment) => {
  const tree = useTree();
  const scope = () => tree.scope(containment);
  const content = (path: string) => readFileSync(join(tree.top, path), 'utf8');
  const everything = () => readdirSync(tree.top, { recursive: true, encoding: 'utf8' }).sort();

  test('a new file has the bytes of all parts, and nothing else appears', () => {
    const written = replaceFile(scope(), 'f.txt', ['a', Buffer.from([0xc3, 0xa9]), '', 'é']);
    expect(written).toEqual({
      created: true,
      bytes: 5,
      etag: etagOf(statSync(join(tree.root, 'f.txt'))),
      path: join(tree.root, 'f.txt'),
    });
    expect(content('root/f.txt')).toBe('aéé');
    expect(everything()).toEqual(['outside', 'outside/secret.txt', 'root', 'root/f.txt']);
  });

  test('a new file has the mode that any program would give it', () => {
    atOnce(() => replaceFile(scope(), 'ours', 'x'));
    writeFileSync(join(tree.root, 'theirs'), 'x');
    expect(statSync(join(tree.root, 'ours')).mode).toBe(statSync(join(tree.root, 'theirs')).mode);
  });

  test.skipIf(process.platform === 'win32')(
    'a new file has the mode that is asked for, and a replaced one keeps its own',
    () => {
      atOnce(() => replaceFile(scope(), 'f.txt', 'x', { mode: 0o600 }));
      atOnce(() => replaceFile(scope(), 'f.txt', 'y', { mode: 0o644 }));
      expect(statSync(join(tree.root, 'f.txt')).mode & 0o777).toBe(0o600);
    },
  );

  test('a replaced file keeps its mode without set-user-id, and is another inode', () => {
    const full = tree.write('root/f.txt', 'old');
    chmodSync(full, 0o4751);
    const before = statSync(full);
    expect(atOnce(() => replaceFile(scope(), 'f.txt', 'new')).created).toBe(false);
    expect([statSync(full).mode & 0o7777, content('root/f.txt'), statSync(full).ino === before.ino]).toEqual([
      0o751,
      'new',
      false,
    ]);
  });

  test.runIf(process.getuid?.() === 0)('a replaced file keeps its owner', () => {
    const full = tree.write('root/f.txt', 'old');
    chownSync(full, 1234, 2345);
    atOnce(() => replaceFile(scope(), 'f.txt', 'new'));
    expect([statSync(full).uid, statSync(full).gid]).toEqual([1234, 2345]);
  });

  test('another hard link keeps the old content, so nothing outside changes', () => {
    linkSync(join(tree.outside, 'secret.txt'), join(tree.root, 'hard'));
    atOnce(() => replaceFile(scope(), 'hard', 'new'));
    expect([content('root/hard'), content('outside/secret.txt')]).toEqual(['new', 'the secret']);
  });

  test('a link inside the boundary stays, and its target is replaced', () => {
    tree.write('root/a/f.txt', 'old');
    symlinkSync('a/f.txt', join(tree.root, 'link'));
    expect(atOnce(() => replaceFile(scope(), 'link', 'new')).path).toBe(join(tree.root, 'a/f.txt'));
    expect([content('root/a/f.txt'), lstatSync(join(tree.root, 'link')).isSymbolicLink()]).toEqual([
      'new',
      true,
    ]);
  });

  test('nothing is written through links that lead outside or nowhere, nor by any path out', () => {
    symlinkSync('../outside/secret.txt', join(tree.root, 'file'));
    symlinkSync('../outside', join(tree.root, 'folder'));
    symlinkSync('../outside/new', join(tree.root, 'dangling'));
    symlinkSync('nowhere', join(tree.root, 'nowhere-link'));
    const before = everything();
    const paths = [
      'file',
      'folder/secret.txt',
      'folder/new',
      'dangling',
      'nowhere-link',
      'dangling/x',
      '../x',
      '../outside/x',
      'no/../../x',
    ];
    for (const path of [...paths, `${tree.root}2`, tree.outside, '/tmp/x', `${tree.root}/../outside/x`])
      for (const options of [{}, { exclusive: true }, { createParents: true }, { ifMatch: 'x' }])
        expect([path, codeOf(() => replaceFile(scope(), path, 'x', options))]).toEqual([path, 'not-found']);
    for (const path of [...paths, 'folder', 'folder/a/b'])
      expect([path, codeOf(() => makeDirectory(scope(), path))]).toEqual([path, 'not-found']);
    expect(everything()).toEqual(before);
    expect(content('outside/secret.txt')).toBe('the secret');
  });

  test('the root itself is not written to, and nothing appears beside it', () => {
    const before = everything();
    for (const path of ['.', tree.root, `${tree.root}/x/..`])
      expect(codeOf(() => replaceFile(scope(), path, 'x'))).toBe('permission');
    for (const path of [`${tree.root}/`, './'])
      expect(codeOf(() => replaceFile(scope(), path, 'x'))).toBe('not-a-file');
    expect(everything()).toEqual(before);
  });

  test('a root that is one file is replaced by nobody, and read by all', () => {
    const full = tree.write('single', 'content');
    const single = tree.scope(containment, 'single');
    expect(readSmall(single, full, 100)?.bytes.toString()).toBe('content');
    expect(codeOf(() => replaceFile(single, full, 'x'))).toBe('permission');
    expect(codeOf(() => replaceFile(single, `${full}-journal`, 'x'))).toBe('not-found');
  });

  test('folders, FIFOs and names that mean a folder are not replaced', () => {
    mkdirSync(join(tree.root, 'a'));
    expect(codeOf(() => replaceFile(scope(), 'a', 'x'))).toBe('not-a-file');
    expect(codeOf(() => replaceFile(scope(), 'new/', 'x'))).toBe('not-a-file');
    expect(codeOf(() => replaceFile(scope(), 'a/f/g', 'x'))).toBe('not-found');
    tree.write('root/file', 'x');
    expect(codeOf(() => replaceFile(scope(), 'file/g', 'x'))).toMatch(/not-found|not-a-directory/);
  });

  test('nobody makes a folder where content waits for its place', () => {
    const temporary = `.rootbound-x-1-${'a'.repeat(24)}.tmp`;
    for (const path of ['.rootbound-staging/a', temporary, `a/${temporary}/b`])
      expect([path, codeOf(() => makeDirectory(scope(), path))]).toEqual([path, 'permission']);
    const createParents = true;
    expect(codeOf(() => replaceFile(scope(), '.rootbound-staging/f', 'x', { createParents }))).toBe(
      'permission',
    );
    expect(readdirSync(tree.root).filter((name) => name !== 'a')).toEqual([]);
  });

  test('missing folders are made when asked', () => {
    expect(atOnce(() => replaceFile(scope(), 'a/b/c.txt', 'x', { createParents: true })).created).toBe(true);
    expect(content('root/a/b/c.txt')).toBe('x');
  });

  test('exclusive writes only where nothing is', async () => {
    expect((await replaceFile(scope(), 'f', 'first', { exclusive: true, fsync: true })).created).toBe(true);
    expect(failure(() => replaceFile(scope(), 'f', 'second', { exclusive: true }))).toMatchObject({
      code: 'exists',
      message: 'already exists: f',
    });
    expect([content('root/f'), readdirSync(tree.root)]).toEqual(['first', ['f']]);
  });

  test('an etag that no longer holds stops the write', () => {
    const { etag } = atOnce(() => replaceFile(scope(), 'f', 'first'));
    const next = atOnce(() => replaceFile(scope(), 'f', 'second', { ifMatch: etag }));
    expect(codeOf(() => replaceFile(scope(), 'f', 'third', { ifMatch: etag }))).toBe('changed');
    expect(codeOf(() => updateFile(scope(), 'f', () => 'third', { ifMatch: etag }))).toBe('changed');
    expect([content('root/f'), next.etag]).toEqual(['second', etagOf(statSync(join(tree.root, 'f')))]);
  });

  test('a read-only root refuses every change, also inside a writable one', () => {
    tree.write('root/ro/f', 'x');
    const both = tree.scope(containment, 'root', 'root/ro:ro');
    const only = tree.scope(containment, 'root:ro');
    for (const attempt of [
      () => replaceFile(both, 'ro/f', 'y'),
      () => replaceFile(both, 'ro/g', 'y'),
      () => updateFile(both, 'ro/f', () => 'y'),
      () => makeDirectory(both, 'ro/a/b'),
      () => replaceFile(only, 'g', 'y'),
      () => replaceFile(only, 'a/g', 'y', { createParents: true }),
      () => makeDirectory(only, 'a'),
    ])
      expect(codeOf(attempt)).toBe('read-only');
    expect(atOnce(() => replaceFile(both, join(tree.root, 'f'), 'y')).created).toBe(true);
    expect(everything()).toEqual(['outside', 'outside/secret.txt', 'root', 'root/f', 'root/ro', 'root/ro/f']);
  });

  test('a change sees the bytes and replaces them; undefined leaves the file alone', () => {
    const full = tree.write('root/f', Buffer.from([0xff, 0, 0x0a]));
    const { ino } = statSync(full);
    expect(atOnce(() => updateFile(scope(), 'f', () => undefined)).changed).toBe(false);
    expect(statSync(full).ino).toBe(ino);
    const updated = atOnce(() =>
      updateFile(scope(), 'f', (bytes, stat) => [bytes.subarray(0, 1), String(stat.size)]),
    );
    expect([updated.changed, updated.bytes, readFileSync(full)]).toEqual([
      true,
      2,
      Buffer.from([0xff, 0x33]),
    ]);
    expect(codeOf(() => updateFile(scope(), 'g', () => 'x'))).toBe('not-found');
    expect(codeOf(() => updateFile(scope(), 'f', () => 'x', { maxBytes: 1 }))).toBe('too-large');
  });

  test('a file that someone else changes during a change is left to them', () => {
    const full = tree.write('root/f', 'old');
    const change = () => {
      writeFileSync(full, 'their');
      return 'mine';
    };
    expect(codeOf(() => updateFile(scope(), 'f', change))).toBe('changed');
    expect([content('root/f'), readdirSync(tree.root)]).toEqual(['their', ['f']]);
  });

  test('a change that fails leaves file and folder as they were', () => {
    tree.write('root/f', 'old');
    const thrown = () =>
      updateFile(scope(), 'f', () => {
        throw new RangeError('no');
      });
    expect(thrown).toThrow(RangeError);
    expect([content('root/f'), readdirSync(tree.root)]).toEqual(['old', ['f']]);
  });

  const LEVELS = full ? 900 : 400;
  test(`a tree ${LEVELS} folders deep is made, written, read and listed`, () => {
    const deep = Array(LEVELS).fill('d').join('/');
    // one by one, each resolved from the top three times, takes the portable way too long for a test
    if (containment === 'kernel') expect(atOnce(() => makeDirectory(scope(), deep)).created).toBe(true);
    else mkdirSync(join(tree.root, deep), { recursive: true });
    expect(atOnce(() => makeDirectory(scope(), deep)).created).toBe(false);
    atOnce(() => replaceFile(scope(), `${deep}/f`, 'deep'));
    expect(readSmall(scope(), `${deep}/f`, 10)?.bytes.toString()).toBe('deep');
    const folder = openDirectory(scope(), deep);
    expect([...readEntries(folder, deep)]).toEqual([{ name: 'f', kind: 'file' }]);
    folder.close();
  });

  test('a path longer than the system takes is refused', () => {
    expect(codeOf(() => makeDirectory(scope(), Array(3000).fill('d').join('/')))).toBe('invalid-path');
    expect(readdirSync(tree.root).length).toBeLessThan(2);
  });

  test('a file in the way of a folder says so', () => {
    tree.write('root/f', 'x');
    expect(codeOf(() => makeDirectory(scope(), 'f'))).toBe('not-a-directory');
    expect(codeOf(() => makeDirectory(scope(), 'f/a'))).toBe('not-a-directory');
  });
});
