import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Boundary, copyEntry, etagOf } from '../../src/boundary.ts';
import { atOnce, Cancelled, codeOf, containments, denying, failureOf, useTree } from './tree.ts';

const MiB = 1024 * 1024;

describe.each(containments)('copying, %s', (containment) => {
  const tree = useTree();
  const scope = () => tree.scope(containment);
  const content = (path: string) => readFileSync(join(tree.top, path), 'utf8');
  const everything = () => readdirSync(tree.top, { recursive: true, encoding: 'utf8' }).sort();

  test('a file is copied with its mode, without set-user-id, as a file of its own', () => {
    const full = tree.write('root/f', 'content');
    chmodSync(full, 0o4751);
    mkdirSync(join(tree.root, 'sub'));
    const to = join(tree.root, 'sub/g');
    const copied = atOnce(() => copyEntry(scope(), 'f', 'sub/g'));
    const stat = statSync(to);
    expect(copied).toEqual({
      from: full,
      to,
      kind: 'file',
      entries: 1,
      bytes: 7,
      skipped: 0,
      etag: etagOf(stat),
    });
    expect([stat.mode & 0o7777, stat.nlink, content('root/sub/g'), content('root/f')]).toEqual([
      0o751,
      1,
      'content',
      'content',
    ]);
    expect(readdirSync(tree.root).sort()).toEqual(['f', 'sub']);
  });

  test.runIf(process.getuid?.() === 0)('a copy belongs to who makes it', () => {
    chownSync(tree.write('root/f', 'x'), 1234, 1234);
    atOnce(() => copyEntry(scope(), 'f', 'g'));
    expect(statSync(join(tree.root, 'g')).uid).toBe(0);
  });

  test('a folder is copied with all that it holds: links by their text, empty folders, modes', async () => {
    tree.write('root/a/b/f', 'one');
    tree.write('root/a/g', 'three');
    mkdirSync(join(tree.root, 'a/empty'), { mode: 0o750 });
    symlinkSync('../g', join(tree.root, 'a/b/inner'));
    symlinkSync(join(tree.outside, 'secret.txt'), join(tree.root, 'a/outer'));
    chmodSync(join(tree.root, 'a/b'), 0o555);
    chmodSync(join(tree.root, 'a/g'), 0o600);
    const copied = await copyEntry(scope(), 'a', 'c');
    expect(copied).toMatchObject({ kind: 'directory', entries: 7, bytes: 8, skipped: 0 });
    const at = (path: string) => join(tree.root, 'c', path);
    expect([content('root/c/b/f'), content('root/c/g')]).toEqual(['one', 'three']);
    expect([readlinkSync(at('b/inner')), readlinkSync(at('outer'))]).toEqual([
      '../g',
      join(tree.outside, 'secret.txt'),
    ]);
    expect(['b', 'g', 'empty', '.'].map((path) => statSync(at(path)).mode & 0o777)).toEqual([
      0o555,
      0o600,
      0o750,
      statSync(join(tree.root, 'a')).mode & 0o777,
    ]);
    expect(readdirSync(tree.root).sort()).toEqual(['a', 'c']);
  });

  test('of a link the link is copied, not what it leads to', async () => {
    tree.write('root/f', 'x');
    symlinkSync('f', join(tree.root, 'inner'));
    symlinkSync('../outside/secret.txt', join(tree.root, 'outer'));
    expect(await copyEntry(scope(), 'inner', 'inner2')).toMatchObject({ kind: 'symlink', bytes: 0 });
    await copyEntry(scope(), 'outer', 'outer2');
    expect([readlinkSync(join(tree.root, 'inner2')), readlinkSync(join(tree.root, 'outer2'))]).toEqual([
      'f',
      '../outside/secret.txt',
    ]);
  });

  test('nothing is ever overwritten, and a folder does not go into itself', async () => {
    for (const name of ['f', 'g', 'full/x', 'd/x']) tree.write(`root/${name}`, name);
    mkdirSync(join(tree.root, 'empty'));
    symlinkSync('nowhere', join(tree.root, 'dangling'));
    const before = everything();
    for (const from of ['f', 'd', 'dangling'])
      for (const to of ['f', 'g', 'full', 'empty', 'dangling', 'd'])
        expect([from, to, codeOf(() => copyEntry(scope(), from, to))]).toEqual([from, to, 'exists']);
    for (const to of ['d/inside', 'd/y'])
      expect(await failureOf(() => copyEntry(scope(), 'd', to))).toMatchObject({ code: 'invalid-path' });
    expect(codeOf(() => copyEntry(scope(), '.', 'copy'))).toBe('invalid-path');
    expect(everything()).toEqual(before);
  });

  test('a file is not copied to the name of a folder', () => {
    tree.write('root/f', 'x');
    expect(codeOf(() => copyEntry(scope(), 'f', 'd/'))).toBe('not-a-directory');
    expect(codeOf(() => copyEntry(scope(), 'f/', 'd'))).toBe('not-a-directory');
    expect(readdirSync(tree.root)).toEqual(['f']);
  });

  test('nothing is copied out or in, nor through a link', async () => {
    tree.write('root/f', 'x');
    symlinkSync('../outside', join(tree.root, 'out'));
    const before = everything();
    for (const to of ['../g', '../outside/g', 'out/g', join(tree.outside, 'g'), 'none/g'])
      expect([to, codeOf(() => copyEntry(scope(), 'f', to))]).toEqual([to, 'not-found']);
    for (const from of ['../outside/secret.txt', 'out/secret.txt', 'none', `${tree.outside}/secret.txt`])
      expect([from, codeOf(() => copyEntry(scope(), from, 'new'))]).toEqual([from, 'not-found']);
    expect(everything()).toEqual(before);
  });

  test('from a read-only root, not into it', async () => {
    tree.write('other/d/f', 'x');
    const both = tree.scope(containment, 'root', 'other:ro');
    const other = join(tree.top, 'other');
    expect(await copyEntry(both, join(other, 'd'), join(tree.root, 'd'))).toMatchObject({ entries: 2 });
    expect(await copyEntry(both, other, 'all')).toMatchObject({ entries: 3 });
    expect(codeOf(() => copyEntry(both, 'd/f', join(other, 'g')))).toBe('read-only');
    expect([content('root/d/f'), content('root/all/d/f')]).toEqual(['x', 'x']);
  });

  test('denied names are left out and counted, as are FIFOs; no copy makes a denied name', async () => {
    for (const name of ['a/f', 'a/.env', 'a/sub/.env', 'a/sub/g', 'a/secret/h', 'x/secret/h'])
      tree.write(`root/${name}`, name);
    execFileSync('mkfifo', [join(tree.root, 'a/fifo')]);
    const deny = denying(scope(), '.env', 'a/secret', 'build/secret');
    expect(await copyEntry(deny, 'a', 'b')).toMatchObject({ entries: 4, skipped: 4 });
    expect(readdirSync(join(tree.root, 'b'), { recursive: true, encoding: 'utf8' }).sort()).toEqual([
      'f',
      'sub',
      'sub/g',
    ]);
    for (const from of ['a/.env', 'a/secret'])
      expect(codeOf(() => copyEntry(deny, from, 'c'))).toBe('not-found');
    expect(codeOf(() => copyEntry(deny, 'a/f', '.env'))).toBe('permission');
    expect(await failureOf(() => copyEntry(deny, 'x', 'build'))).toMatchObject({ code: 'permission' });
    expect(codeOf(() => copyEntry(deny, 'a/fifo', 'c'))).toBe('not-a-file');
    expect(readdirSync(tree.root).sort()).toEqual(['a', 'b', 'x']);
  });

  test('a large file comes in pieces; cancelled, it leaves nothing; changed meanwhile, it is refused', async () => {
    const full = tree.write('root/f', Buffer.alloc(8 * MiB, 'x'));
    const reported: number[] = [];
    await copyEntry(scope(), 'f', 'g', { progress: (done) => reported.push(done) });
    expect(reported).toEqual(Array.from({ length: 8 }, (_, index) => (index + 1) * MiB));
    expect(readFileSync(join(tree.root, 'g')).equals(readFileSync(full))).toBe(true);
    const cancelled = new Cancelled();
    const { signal } = cancelled;
    expect(
      await failureOf(() => copyEntry(scope(), 'f', 'h', { signal, progress: () => cancelled.now() })),
    ).toBe(cancelled.reason);
    const touch = (): void => writeFileSync(full, 'y', { flag: 'a' });
    expect(await failureOf(() => copyEntry(scope(), 'f', 'h', { progress: touch }))).toMatchObject({
      code: 'changed',
      retryable: true,
    });
    expect(readdirSync(tree.root).sort()).toEqual(['f', 'g']);
  });

  test('a cancelled copy of a folder leaves nothing, a complete one told how far it was', async () => {
    for (let index = 0; index < 400; index++) tree.write(`root/a/d${index % 20}/f${index}`, `${index}`);
    const reported: (number | undefined)[][] = [];
    await copyEntry(scope(), 'a', 'b', { progress: (...step) => reported.push(step) });
    expect([reported.at(-1), reported.every(([, total]) => total === 420)]).toEqual([[420, 420], true]);
    const rising = reported.map(([done]) => done!);
    expect(rising).toEqual(rising.toSorted((a, b) => a - b));
    const before = everything();
    const cancelled = new Cancelled();
    const early = failureOf(() => copyEntry(scope(), 'a', 'c', { signal: cancelled.signal }));
    cancelled.now();
    expect([await early, everything()]).toEqual([cancelled.reason, before]);
    // the signal counts at the next pause: one comes with each large file
    for (const index of [1, 2, 3]) tree.write(`root/l/d${index}/f`, Buffer.alloc(2 * MiB));
    cancelled.again();
    const progress = (done: number): void => {
      if (done > 2) cancelled.now();
    };
    const late = failureOf(() => copyEntry(scope(), 'l', 'c', { signal: cancelled.signal, progress }));
    expect(await late).toBe(cancelled.reason);
    expect(readdirSync(tree.root).sort()).toEqual(['a', 'b', 'l']);
  });

  test('one entry that cannot be copied ends the copy and leaves nothing', async () => {
    tree.write('root/a/f', 'x');
    tree.write('root/a/g', 'x');
    linkSync(join(tree.root, 'a/g'), join(tree.outside, 'same'));
    expect(await failureOf(() => copyEntry(scope(), 'a', 'b', { hardLinks: 'refuse' }))).toMatchObject({
      code: 'linked',
      message: 'has other hard links: a/g',
    });
    expect(codeOf(() => copyEntry(scope(), 'a/g', 'h', { hardLinks: 'refuse' }))).toBe('linked');
    expect(readdirSync(tree.root)).toEqual(['a']);
    expect(await copyEntry(scope(), 'a', 'b')).toMatchObject({ entries: 3 });
  });

  test('a folder that holds more than it may is refused, and says what to do', async () => {
    for (const name of ['a/f', 'a/b/g', 'a/b/h']) tree.write(`root/${name}`, 'x');
    expect(await failureOf(() => copyEntry(scope(), 'a', 'b', { maxEntries: 3 }))).toMatchObject({
      code: 'too-large',
      hint: 'the limit is 3 entries; take its parts one by one',
    });
    expect(readdirSync(tree.root)).toEqual(['a']);
    expect(await copyEntry(scope(), 'a', 'b', { maxEntries: 4 })).toMatchObject({ entries: 5 });
  });

  // resolved from the top at each step, the portable way takes too long for a test
  if (containment === 'kernel')
    test('folders deeper than 500 are refused, and nothing is left', async () => {
      mkdirSync(join(tree.root, 'a', ...Array(510).fill('d')), { recursive: true });
      expect(await failureOf(() => copyEntry(scope(), 'a', 'b'))).toMatchObject({ code: 'too-large' });
      expect(readdirSync(tree.root)).toEqual(['a']);
    });

  test.runIf(existsSync('/dev/shm'))('across devices as well, where nothing is left either', async () => {
    const away = mkdtempSync('/dev/shm/boundary-');
    try {
      tree.write('root/d/f', 'x');
      const roots = [tree.root, away].map((path) => ({ path, readOnly: false }));
      const both = new Boundary({ roots, policy: 'narrow', containment }).narrowing().scope(undefined);
      await copyEntry(both, 'd', join(away, 'd'), { fsync: true });
      await copyEntry(both, 'd/f', join(away, 'f'), { fsync: true });
      expect([
        readFileSync(join(away, 'd/f'), 'utf8'),
        readdirSync(away).sort(),
        readdirSync(tree.root),
      ]).toEqual(['x', ['d', 'f'], ['d']]);
    } finally {
      rmSync(away, { recursive: true });
    }
  });
});
