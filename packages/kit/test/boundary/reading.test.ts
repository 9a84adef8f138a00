import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  constants,
  copyFileSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openChildFile, openDirectory, openFile, readSmall, statEntry } from '../../src/boundary.ts';
import { bundleBoundary } from './bundle.ts';
import { codeOf, containments, failure, useTree } from './tree.ts';

describe.each(containments)('reading, %s', (containment) => {
  const tree = useTree();
  const read = (path: string, scope = tree.scope(containment)) =>
    readSmall(scope, path, 1e6)?.bytes.toString();

  test('a file inside is read whole, with where it is and its facts', () => {
    const full = tree.write('root/a/f.txt', 'hello');
    const file = readSmall(tree.scope(containment), full, 100)!;
    expect([file.bytes.toString(), file.path, file.root.path, file.stat.size]).toEqual([
      'hello',
      full,
      tree.root,
      5,
    ]);
  });

  test('a file larger than asked for is left to openFile', () => {
    const full = tree.write('root/f.txt', 'hello');
    expect(readSmall(tree.scope(containment), full, 4)).toBeUndefined();
    const file = openFile(tree.scope(containment), full);
    expect(file.stat.size).toBe(5);
    file.close();
  });

  test('every traversal out of the root ends as not-found', () => {
    tree.write('root/a/f.txt', 'inside');
    const { root } = tree;
    const ups = [
      '..',
      './..',
      '../.',
      '..//',
      'a/../..',
      'a/./../..',
      'nope/../..',
      'a/../../root/..',
      'a/f.txt/../../..',
    ];
    const prefixes = ['', './', `${root}/`, `file://${root}/`, `${root}/./`, `${root}//`];
    for (const prefix of prefixes)
      for (const up of ups)
        for (const tail of ['/outside/secret.txt', '//outside/./secret.txt', '/outside/x/../secret.txt'])
          expect([prefix + up + tail, codeOf(() => read(prefix + up + tail))]).toEqual([
            prefix + up + tail,
            'not-found',
          ]);
    for (const path of [
      '/etc/passwd',
      '~/../../etc/passwd',
      'file:///etc/passwd',
      '"/etc/passwd"',
      '/',
      `${root}/../outside`,
    ])
      expect([path, codeOf(() => read(path))]).toEqual([path, 'not-found']);
  });

  test('percent-encoded and backslashed dots are names, not steps', () => {
    for (const path of [
      '%2e%2e/outside/secret.txt',
      '..%2foutside/secret.txt',
      '..\\outside\\secret.txt',
      '．．/outside/secret.txt',
    ])
      expect(codeOf(() => read(path))).toBe('not-found');
    expect(codeOf(() => read(`file://${tree.root}/%2e%2e/outside/secret.txt`))).toBe('not-found');
    expect(codeOf(() => read(`file://${tree.root}/..%2foutside/secret.txt`))).toBe('invalid-path');
  });

  test('a sibling that shares the prefix of the root is outside', () => {
    const full = tree.write('root2/f.txt', 'sibling');
    expect(codeOf(() => read(full))).toBe('not-found');
    expect(codeOf(() => read('../root2/f.txt'))).toBe('not-found');
  });

  test('links that lead outside are as missing: file, folder, chain, dangling, loop', () => {
    symlinkSync('../outside/secret.txt', join(tree.root, 'file'));
    symlinkSync(tree.outside, join(tree.root, 'folder'));
    symlinkSync('folder', join(tree.root, 'chain'));
    symlinkSync('../outside/nothing', join(tree.root, 'dangling'));
    symlinkSync('loop', join(tree.root, 'loop'));
    symlinkSync('/proc/self/cwd', join(tree.root, 'magic'));
    for (const path of [
      'file',
      'folder/secret.txt',
      'chain/secret.txt',
      'dangling',
      'loop',
      'magic/package.json',
      'folder/no',
      // an outside folder would say so if it existed
      `folder/${'x'.repeat(256)}`,
      `folder/${'x'.repeat(256)}/f`,
    ])
      expect(failure(() => read(path))).toEqual({
        ...failure(() => read('missing')),
        message: `no such file or folder: ${path}`,
      });
    for (const path of ['folder', 'chain', 'magic', 'folder/.'])
      expect(failure(() => openDirectory(tree.scope(containment), path)).code).toBe('not-found');
  });

  test('links inside are followed, also through one another', () => {
    tree.write('root/a/f.txt', 'inside');
    symlinkSync('a', join(tree.root, 'b'));
    symlinkSync('b/f.txt', join(tree.root, 'c'));
    expect([read('b/f.txt'), read('c')]).toEqual(['inside', 'inside']);
  });

  test('outside and missing give the same words', () => {
    const outside = failure(() => read(join(tree.outside, 'secret.txt')));
    const missing = failure(() => read(join(tree.outside, 'nothing.txt')));
    expect({ ...outside, message: '' }).toEqual({ ...missing, message: '' });
    expect(outside.message).toBe(`no such file or folder: ${join(tree.outside, 'secret.txt')}`);
  });

  test('a root that is a link works by both of its names', () => {
    tree.write('real/f.txt', 'inside');
    symlinkSync('real', join(tree.top, 'named'));
    const scope = tree.scope(containment, 'named');
    expect([
      read('f.txt', scope),
      read(join(tree.top, 'named/f.txt'), scope),
      read(join(tree.top, 'real/f.txt'), scope),
    ]).toEqual(['inside', 'inside', 'inside']);
    expect(statEntry(scope, join(tree.top, 'named')).stat.isDirectory()).toBe(true);
  });

  test('a hard link is a name like any other: the boundary is about names', () => {
    linkSync(join(tree.outside, 'secret.txt'), join(tree.root, 'hard'));
    expect(read('hard')).toBe('the secret');
    expect(readSmall(tree.scope(containment), 'hard', 100)?.stat.nlink).toBe(2);
  });

  test('FIFO, device, socket and folder are refused at once', async () => {
    execFileSync('mkfifo', [join(tree.root, 'fifo')]);
    const server = createServer().listen(join(tree.root, 'socket'));
    await new Promise((resolve) => server.once('listening', resolve));
    const devices = tree.scope(containment, '../..');
    expect(devices.roots[0]?.path).toBe('/');
    for (const path of ['fifo', 'socket', '.'])
      expect([path, codeOf(() => read(path))]).toEqual([path, 'not-a-file']);
    for (const path of ['dev/null', '/dev/zero', 'dev/tty'])
      expect([path, codeOf(() => read(path, devices))]).toEqual([path, 'not-a-file']);
    const folder = openDirectory(tree.scope(containment), '.');
    expect(openChildFile(folder, 'fifo')).toBeUndefined();
    expect(codeOf(() => openChildFile(folder, 'socket'))).not.toBe('not-found');
    folder.close();
    await new Promise((resolve) => server.close(resolve));
  });

  test('a path with NUL and an empty path say what is wrong', () => {
    expect(failure(() => read('a\0b'))).toMatchObject({
      code: 'invalid-path',
      message: String.raw`not a usable path: a\u0000b`,
    });
    expect(codeOf(() => read(`file://${tree.root}/a%00b`))).toBe('invalid-path');
    expect(codeOf(() => read(''))).toBe('invalid-path');
    expect(codeOf(() => read('a'.repeat(300)))).toBe('invalid-path');
    expect(codeOf(() => read('a/'.repeat(4000)))).toBe('invalid-path');
  });

  test('a message is one line, whatever the name', () => {
    expect(failure(() => read('no\nsuch\u2028thing\u202e')).message).toBe(
      String.raw`no such file or folder: no\nsuch\u2028thing\u202e`,
    );
  });

  test('names with a newline, and names that end like deleted files, are read', () => {
    tree.write('root/nl\nname.txt', 'newline');
    tree.write('root/gone (deleted)', 'there');
    tree.write('root (deleted)/f', 'marked root');
    expect([read('nl\nname.txt'), read('gone (deleted)')]).toEqual(['newline', 'there']);
    expect(read('f', tree.scope(containment, 'root (deleted)'))).toBe('marked root');
    expect(codeOf(() => read(join(tree.top, 'root (deleted)/f')))).toBe('not-found');
  });

  test('files of /proc, which say that they are empty, are read to their end', () => {
    expect(read('proc/self/comm', tree.scope(containment, '../..'))).toMatch(/\S/);
    tree.write('root/empty', '');
    expect(read('empty')).toBe('');
  });

  test('the root "/" allows what has a path', () => {
    const full = tree.write('outside/x', 'all');
    expect(read(full, tree.scope(containment, '../..'))).toBe('all');
  });

  test('a folder held open leads to its own entries after it moved', () => {
    tree.write('root/a/f.txt', 'inside');
    const folder = openDirectory(tree.scope(containment), 'a');
    renameSync(join(tree.root, 'a'), join(tree.root, 'moved'));
    symlinkSync(tree.outside, join(tree.root, 'a'));
    writeFileSync(join(tree.outside, 'f.txt'), 'outside');
    if (containment === 'kernel') {
      const file = openChildFile(folder, 'f.txt');
      expect(file?.stat.size).toBe(6);
      file?.close();
    } else expect(codeOf(() => openChildFile(folder, 'f.txt'))).toBe('changed');
    folder.close();
  });

  test('a child is never reached through a link', () => {
    symlinkSync('../outside/secret.txt', join(tree.root, 'link'));
    const folder = openDirectory(tree.scope(containment), '.');
    expect(codeOf(() => openChildFile(folder, 'link'))).toBe('not-found');
    expect(codeOf(() => openChildFile(folder, '../outside/secret.txt'))).toBe('invalid-path');
    folder.close();
  });

  test('a folder that may not be searched is named inside and unknown outside', async () => {
    tree.write('root/locked/f.txt', 'inside');
    tree.write('outside/locked/f.txt', 'outside');
    symlinkSync('../outside/locked/f.txt', join(tree.root, 'link'));
    symlinkSync('../outside/locked', join(tree.root, 'folder'));
    symlinkSync('locked/f.txt', join(tree.root, 'inner'));
    tree.write('root/unreadable', 'x');
    const script = tree.write(
      'script.mjs',
      `import { Boundary, readSmall } from ${JSON.stringify(await bundleBoundary(tree.top))};
      const scope = new Boundary({ roots: [{ path: ${JSON.stringify(tree.root)} }], policy: 'narrow', containment: '${containment}' }).narrowing().scope();
      const code = (path) => { try { return readSmall(scope, path, 9).path; } catch (error) { return error.code; } };
      console.log(JSON.stringify(['locked/f.txt', 'locked/no', 'link', 'folder/f.txt', 'folder/no', 'unreadable'].map(code)));`,
    );
    chmodSync(tree.top, 0o755);
    for (const path of ['root/locked', 'outside/locked', 'root/unreadable'])
      chmodSync(join(tree.top, path), 0);
    // root may read everything, so another user looks
    const asRoot = process.getuid?.() === 0;
    const options = asRoot ? { uid: 65_534, gid: 65_534 } : {};
    // and may not reach this program where root alone has it
    const program = asRoot ? join(tree.top, 'node') : process.execPath;
    if (asRoot) copyFileSync(process.execPath, program, constants.COPYFILE_FICLONE);
    const answer: unknown = JSON.parse(execFileSync(program, [script], { encoding: 'utf8', ...options }));
    for (const path of ['root/locked', 'outside/locked']) chmodSync(join(tree.top, path), 0o755);
    const inside = containment === 'kernel' ? 'permission' : 'not-found';
    expect(answer).toEqual([inside, inside, 'not-found', 'not-found', 'not-found', 'permission']);
  });
});

describe.runIf(process.platform === 'linux')('deleted things', () => {
  const tree = useTree();

  test('a deleted folder does not pass for a root of that name', () => {
    // the kernel calls a deleted "x" what a living "x (deleted)" is called
    mkdirSync(join(tree.top, 'x'));
    mkdirSync(join(tree.top, 'x (deleted)'));
    const scope = tree.scope('kernel', 'x (deleted)');
    symlinkSync(tree.outside, join(tree.top, 'x (deleted)', 'out'));
    rmSync(join(tree.top, 'x'), { recursive: true });
    expect(codeOf(() => readSmall(scope, 'out/secret.txt', 100))).toBe('not-found');
  });
});
