import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readEntriesByName } from '../../src/boundary/opening/entries.ts';
import {
  completePath,
  locate,
  openDirectory,
  readEntries,
  showName,
  statChild,
  statEntry,
} from '../../src/boundary.ts';
import { codeOf, containments, useTree } from './tree.ts';

describe.each(containments)('listing, %s', (containment) => {
  const tree = useTree();
  const scope = () => tree.scope(containment);

  test.each([
    ['with the types that the folder knows', readEntries],
    ['with a look at each entry', readEntriesByName],
  ])('every name comes once with its kind, %s', (_, list) => {
    tree.write('root/file', 'x');
    tree.write('root/nl\nname', 'x');
    tree.write('root/äöü 🙂', 'x');
    mkdirSync(join(tree.root, 'folder'));
    symlinkSync('../outside', join(tree.root, 'link'));
    symlinkSync('nowhere', join(tree.root, 'dangling'));
    const odd = Buffer.from('bad\xff\xfe.txt', 'latin1');
    writeFileSync(Buffer.concat([Buffer.from(`${tree.root}/`), odd]), 'odd');
    const folder = openDirectory(scope(), '.');
    const entries = [...list(folder, '.')].sort((a, b) => (a.name < b.name ? -1 : 1));
    expect(entries).toEqual([
      { name: String.raw`bad\xff\xfe.txt`, kind: 'file', bytes: odd },
      { name: 'dangling', kind: 'symlink' },
      { name: 'file', kind: 'file' },
      { name: 'folder', kind: 'directory' },
      { name: 'link', kind: 'symlink' },
      { name: 'nl\nname', kind: 'file' },
      { name: 'äöü 🙂', kind: 'file' },
    ]);
    expect(statChild(folder, odd)?.size).toBe(3);
    expect(statChild(folder, 'gone')).toBeUndefined();
    folder.close();
  });

  test('a listing stops where it is left and can be long', () => {
    for (let index = 0; index < 500; index++) tree.write(`root/f${index}`, '');
    const folder = openDirectory(scope(), '.');
    const some: string[] = [];
    for (const { name } of readEntries(folder, '.')) if (some.push(name) === 10) break;
    expect(some).toHaveLength(10);
    expect(new Set([...readEntries(folder, '.')].map((entry) => entry.name)).size).toBe(500);
    folder.close();
  });

  test('a link shows its own facts, and those of its target only when that is inside', () => {
    tree.write('root/f', 'inside');
    symlinkSync('f', join(tree.root, 'inner'));
    symlinkSync('../outside/secret.txt', join(tree.root, 'outer'));
    symlinkSync('../outside/nothing', join(tree.root, 'dangling'));
    const inner = statEntry(scope(), 'inner');
    expect([inner.stat.isSymbolicLink(), inner.path, inner.target?.stat.size]).toEqual([
      true,
      join(tree.root, 'inner'),
      6,
    ]);
    for (const name of ['outer', 'dangling']) {
      const facts = statEntry(scope(), name);
      expect([facts.stat.isSymbolicLink(), facts.target]).toEqual([true, undefined]);
    }
    const folder = openDirectory(scope(), '.');
    expect(statChild(folder, 'outer')?.size).toBe('../outside/secret.txt'.length);
    folder.close();
    expect(codeOf(() => statEntry(scope(), 'missing'))).toBe('not-found');
    expect(codeOf(() => statEntry(scope(), '../outside'))).toBe('not-found');
  });

  test('a file is no folder', () => {
    tree.write('root/f', 'x');
    expect(codeOf(() => openDirectory(scope(), 'f'))).toBe('not-a-directory');
  });

  test('completion continues a path inside, names the roots above, and is empty elsewhere', () => {
    for (const name of ['alpha', 'alpine', 'beta']) tree.write(`root/${name}`, '');
    mkdirSync(join(tree.root, 'album'));
    const at = (path: string) => join(tree.root, path);
    expect(completePath(scope(), at('al'), 10)).toEqual({
      values: [`${at('album')}/`, at('alpha'), at('alpine')],
      more: false,
    });
    expect(completePath(scope(), at('al'), 2).more).toBe(true);
    expect(completePath(scope(), tree.top, 10).values).toEqual([`${tree.root}/`]);
    expect(completePath(scope(), '', 10).values).toEqual([`${tree.root}/`]);
    for (const prefix of [`${tree.outside}/`, `${tree.root}/../outside/`, '/etc/pas', 'a\0/b'])
      expect(completePath(scope(), prefix, 10)).toEqual({ values: [], more: false });
  });

  test('a path to watch is real, also for what is missing, and refused outside', () => {
    tree.write('root/a/f', '');
    symlinkSync('a', join(tree.root, 'b'));
    symlinkSync('../outside', join(tree.root, 'out'));
    expect(locate(scope(), 'b/f')).toEqual({ path: join(tree.root, 'a/f'), exists: true });
    expect(locate(scope(), 'b/x/y')).toEqual({ path: join(tree.root, 'a/x/y'), exists: false });
    expect(locate(scope(), 'x')).toEqual({ path: join(tree.root, 'x'), exists: false });
    expect(codeOf(() => locate(scope(), '../outside/secret.txt'))).toBe('not-found');
    for (const path of ['out/secret.txt', 'out/missing'])
      expect([path, codeOf(() => locate(scope(), path))]).toEqual([path, 'not-found']);
  });
});

test('a name is shown on one line', () => {
  expect(showName('a\nb\r\t\u0007\u2029ü\u202ex')).toBe(String.raw`a\nb\r\t\u0007\u2029ü\u202ex`);
});
