import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseTree, type TreeOptions, treeCommand } from '../../src/porcelain/tree.ts';
import { toOid } from '../../src/run/oid.ts';
import { type Scratch, scratch } from '../scratch.ts';
import { printed } from './printed.ts';

function committed(fill: (made: Scratch) => void): Scratch {
  const made = scratch();
  made.git(made.folder, 'init');
  fill(made);
  made.git(made.folder, 'add', '--all');
  made.git(made.folder, 'commit', '-m', 'one');
  return made;
}

async function treeOf({ folder, git }: Scratch, options?: TreeOptions) {
  const tree = toOid(git(folder, 'rev-parse', 'HEAD^{tree}').toString().trim());
  return parseTree(await printed(folder, treeCommand(tree, options)));
}

test.runIf(process.platform !== 'win32')('each entry has its kind, mode and object', async () => {
  const made = committed(({ folder, git, write }) => {
    write('file', 'abc');
    write('script', 'x', 0o755);
    symlinkSync('file', join(folder, 'link'));
    write('folder/inside', 'y');
    const inner = scratch();
    inner.git(inner.folder, 'init');
    inner.git(inner.folder, 'commit', '--allow-empty', '-m', 'inner');
    git(folder, 'submodule', 'add', inner.folder, 'module');
  });
  const entries = await treeOf(made);
  expect(entries.map(({ path, kind, mode }) => [path, kind, mode])).toEqual([
    ['.gitmodules', 'file', '100644'],
    ['file', 'file', '100644'],
    ['folder', 'folder', '040000'],
    ['link', 'link', '120000'],
    ['module', 'submodule', '160000'],
    ['script', 'executable', '100755'],
  ]);
  expect(entries.every(({ size }) => size === undefined)).toBe(true);
  const file = entries.find(({ path }) => path === 'file');
  expect(file?.oid).toBe(made.git(made.folder, 'rev-parse', 'HEAD:file').toString().trim());
});

test('sizes are those of files, when asked for', async () => {
  const made = committed(({ write }) => {
    write('empty', '');
    write('large', Buffer.alloc(12_345_678));
    write('folder/x', '1');
  });
  expect((await treeOf(made, { sizes: true })).map(({ path, size }) => [path, size])).toEqual([
    ['empty', 0],
    ['folder', undefined],
    ['large', 12_345_678],
  ]);
});

test('a tree is listed with all that is below it, or by the paths asked for', async () => {
  const made = committed(({ write }) => {
    for (const path of ['a', 'sub/b', 'sub/deep/c']) write(path, path);
  });
  const paths = async (options: TreeOptions) => (await treeOf(made, options)).map(({ path }) => path);
  expect(await paths({ recursive: true })).toEqual(['a', 'sub/b', 'sub/deep/c']);
  expect(await paths({ recursive: true, folders: true })).toEqual([
    'a',
    'sub',
    'sub/b',
    'sub/deep',
    'sub/deep/c',
  ]);
  expect(await paths({ paths: ['sub/'] })).toEqual(['sub/b', 'sub/deep']);
  expect(await paths({ paths: ['sub'] })).toEqual(['sub']);
  expect(await paths({ paths: ['missing', '*'] })).toEqual([]);
});

test.runIf(process.platform === 'linux')('names of every odd kind are exact', async () => {
  const names = [
    'größe',
    ' lead',
    'trail ',
    '-dash',
    'a\tb',
    'a\nb',
    '"q"',
    '100644 blob x\ty',
    'two  blanks',
  ];
  const made = committed(({ folder, write }) => {
    for (const name of names) write(name, name);
    mkdirSync(join(folder, 'd'));
    writeFileSync(Buffer.from(`${folder}/d/caf\xe9`, 'latin1'), 'x');
  });
  const listed = (await treeOf(made, { recursive: true, sizes: true })).map(({ path }) => path);
  expect(listed.sort()).toEqual(
    [
      ...['größe', ' lead', 'trail ', '-dash', 'two  blanks'],
      ...[String.raw`"a\tb"`, String.raw`"a\nb"`, String.raw`"\"q\""`, String.raw`"100644 blob x\ty"`],
      String.raw`"d/caf\351"`,
    ].sort(),
  );
});

test('an object that is not here has no size', () => {
  const record = `100644 blob ${'a'.repeat(40)}     BAD\tfile\0`;
  expect(parseTree(Buffer.from(record))).toMatchObject([{ path: 'file', size: undefined }]);
});

test('what git never prints is an error', () => {
  expect(() => parseTree(Buffer.from('100644 what\0'))).toThrow('git printed an unexpected tree entry');
});
