import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { defaultDeny } from '../../src/boundary/deny/denied-names.ts';
import { Boundary, etagOf, moveEntry } from '../../src/boundary.ts';
import { atOnce, codeOf, containments, denying, failure, useTree } from './tree.ts';

describe.each(containments)('moving, %s', (containment) => {
  const tree = useTree();
  const scope = () => tree.scope(containment);
  const content = (path: string) => readFileSync(join(tree.top, path), 'utf8');
  const everything = () => readdirSync(tree.top, { recursive: true, encoding: 'utf8' }).sort();

  test('a file moves with its inode', () => {
    const { ino } = statSync(tree.write('root/a', 'x'));
    mkdirSync(join(tree.root, 'sub'));
    expect(moveEntry(scope(), 'a', 'sub/b')).toEqual({
      from: join(tree.root, 'a'),
      to: join(tree.root, 'sub/b'),
      kind: 'file',
      etag: etagOf(statSync(join(tree.root, 'sub/b'))),
    });
    expect([statSync(join(tree.root, 'sub/b')).ino, existsSync(join(tree.root, 'a'))]).toEqual([ino, false]);
  });

  test('a folder moves with all that is in it', () => {
    tree.write('root/a/b/f', 'x');
    expect(atOnce(() => moveEntry(scope(), 'a', 'c')).kind).toBe('directory');
    expect([content('root/c/b/f'), readdirSync(tree.root)]).toEqual(['x', ['c']]);
  });

  test('of a link the link moves, its target stays', () => {
    tree.write('root/f', 'x');
    symlinkSync('f', join(tree.root, 'inner'));
    symlinkSync('../outside', join(tree.root, 'outer'));
    expect(atOnce(() => moveEntry(scope(), 'inner', 'inner2')).kind).toBe('symlink');
    expect(atOnce(() => moveEntry(scope(), 'outer', 'outer2')).kind).toBe('symlink');
    expect([
      readlinkSync(join(tree.root, 'inner2')),
      readlinkSync(join(tree.root, 'outer2')),
      readdirSync(tree.root).sort(),
    ]).toEqual(['f', '../outside', ['f', 'inner2', 'outer2']]);
  });

  test('a FIFO moves without being opened', () => {
    execFileSync('mkfifo', [join(tree.root, 'fifo')]);
    expect(atOnce(() => moveEntry(scope(), 'fifo', 'pipe')).kind).toBe('other');
    expect(lstatSync(join(tree.root, 'pipe')).isFIFO()).toBe(true);
  });

  test('nothing is ever overwritten: file, folder, empty folder, link, dangling link', () => {
    for (const name of ['f', 'g', 'full/x', 'd/x']) tree.write(`root/${name}`, name);
    mkdirSync(join(tree.root, 'empty'));
    symlinkSync('nowhere', join(tree.root, 'dangling'));
    const before = everything();
    for (const from of ['f', 'd', 'dangling'])
      for (const to of ['f', 'g', 'full', 'empty', 'dangling', 'd'])
        expect([from, to, codeOf(() => moveEntry(scope(), from, to))]).toEqual([from, to, 'exists']);
    expect(failure(() => moveEntry(scope(), 'f', 'g')).message).toBe('already exists: g');
    expect(everything()).toEqual(before);
  });

  test('a file does not move to the name of a folder', () => {
    tree.write('root/f', 'x');
    for (const [from, to] of [
      ['f', 'd/'],
      ['f/', 'd'],
    ] as const)
      expect(codeOf(() => moveEntry(scope(), from, to))).toBe('not-a-directory');
    expect(readdirSync(tree.root)).toEqual(['f']);
  });

  test('a folder does not move from where a pattern denies what it holds', () => {
    for (const name of ['a/secret', 'a/.env', 'c/.env']) tree.write(`root/${name}`, 'x');
    const deny = denying(scope(), 'a/secret', '.env');
    expect(codeOf(() => moveEntry(deny, 'a', 'b'))).toBe('permission');
    expect(codeOf(() => moveEntry(deny, 'c/.env', 'd'))).toBe('permission');
    expect(codeOf(() => moveEntry(deny, 'c', 'a/secret'))).toBe('permission');
    expect(readdirSync(tree.root).sort()).toEqual(['a', 'c']);
  });

  test.each([
    ['a file', 'top/.env'],
    ['a folder', 'top/.git/config'],
    ['something deep', 'top/a/b/c/d/e/server.key'],
    ['something among many', 'top/many/zz.pem'],
    ['another spelling', 'top/.ENV'],
  ])('a folder that holds %s with a denied name stays, with all that it holds', async (_what, path) => {
    for (let index = 0; index < 300; index++) tree.write(`root/top/many/${index}`, 'x');
    tree.write(`root/${path}`, 'x');
    symlinkSync('top', join(tree.root, 'link'));
    const before = everything();
    const deny = denying(scope(), ...defaultDeny);
    const move = (from: string, to: string) =>
      Promise.resolve()
        .then(() => moveEntry(deny, from, to))
        .then(
          () => 'moved',
          (error: unknown) => error,
        );
    expect(await move('top', 'other')).toMatchObject({
      code: 'permission',
      message: 'has to stay where it is: top',
      hint: "it holds something that the operator's policy keeps; move the rest by name",
    });
    expect(await move('link/', 'other')).not.toBe('moved');
    expect(everything()).toEqual(before);
  });

  test('a folder without denied names moves, also one with a link to a denied file', async () => {
    tree.write('root/.env', 'x');
    tree.write('root/top/a/file', 'x');
    symlinkSync('../.env', join(tree.root, 'top/link'));
    const deny = denying(scope(), ...defaultDeny);
    expect((await moveEntry(deny, 'top', 'other')).kind).toBe('directory');
    expect(readdirSync(join(tree.root, 'other')).sort()).toEqual(['a', 'link']);
  });

  test('others have their turn while a large folder is looked through, and a cancel leaves it where it is', async () => {
    for (let index = 0; index < 5000; index++) tree.write(`root/top/${index % 50}/${index}`, 'x');
    const deny = denying(scope(), ...defaultDeny);
    const ending = new AbortController();
    const moving = moveEntry(deny, 'top', 'other', { signal: ending.signal });
    expect(moving).toBeInstanceOf(Promise);
    ending.abort();
    await expect(moving).rejects.toThrow();
    expect(readdirSync(tree.root)).toEqual(['top']);
    expect((await moveEntry(deny, 'top', 'other')).kind).toBe('directory');
    expect(readdirSync(tree.root)).toEqual(['other']);
  });

  test('nothing moves out or in', () => {
    tree.write('root/f', 'x');
    symlinkSync('../outside', join(tree.root, 'out'));
    const before = everything();
    for (const to of ['../f', '../outside/f', 'out/f', join(tree.outside, 'f'), 'no/f', `${tree.root}2`])
      expect(failure(() => moveEntry(scope(), 'f', to))).toMatchObject({
        code: 'not-found',
        message: `no such file or folder: ${to}`,
      });
    for (const from of ['../outside/secret.txt', 'out/secret.txt', 'no'])
      expect(failure(() => moveEntry(scope(), from, 'new'))).toMatchObject({
        code: 'not-found',
        message: `no such file or folder: ${from}`,
      });
    expect(everything()).toEqual(before);
  });

  test('roots stay, and what holds one; a folder does not move into itself', () => {
    tree.write('root/a/b/f', 'x');
    const nested = tree.scope(containment, 'root', 'root/a/b:ro');
    for (const from of ['.', 'a', 'a/b'])
      expect(codeOf(() => moveEntry(nested, from, 'c'))).toMatch(/permission|read-only/);
    expect(codeOf(() => moveEntry(scope(), 'a', 'a/b/c'))).toBe('invalid-path');
    expect(codeOf(() => moveEntry(nested, 'a/b/f', 'f'))).toBe('read-only');
    expect(everything()).toEqual([
      'outside',
      'outside/secret.txt',
      'root',
      'root/a',
      'root/a/b',
      'root/a/b/f',
    ]);
  });

  test('both roots must be writable', () => {
    tree.write('root/f', 'x');
    tree.write('other/g', 'x');
    const both = tree.scope(containment, 'root', 'other:ro');
    expect(codeOf(() => moveEntry(both, 'f', join(tree.top, 'other/f')))).toBe('read-only');
    expect(codeOf(() => moveEntry(both, join(tree.top, 'other/g'), 'g'))).toBe('read-only');
  });

  test.runIf(existsSync('/dev/shm'))(
    'across devices a file is copied whole, and a folder says that it cannot',
    async () => {
      const away = mkdtempSync('/dev/shm/boundary-');
      try {
        const full = tree.write('root/f', 'content');
        utimesSync(full, 1, 1);
        tree.write('root/d/f', 'x');
        symlinkSync('f', join(tree.root, 'link'));
        const specs = [tree.root, away].map((path) => ({ path, readOnly: false }));
        const both = new Boundary({ roots: specs, policy: 'narrow', containment })
          .narrowing()
          .scope(undefined);
        await moveEntry(both, 'f', join(away, 'f'));
        await moveEntry(both, 'link', join(away, 'link'));
        expect(codeOf(() => moveEntry(both, 'd', join(away, 'd')))).toBe('unsupported');
        expect([readFileSync(join(away, 'f'), 'utf8'), readlinkSync(join(away, 'link'))]).toEqual([
          'content',
          'f',
        ]);
        expect([readdirSync(away).sort(), readdirSync(tree.root)]).toEqual([['f', 'link'], ['d']]);
      } finally {
        rmSync(away, { recursive: true });
      }
    },
  );
});
