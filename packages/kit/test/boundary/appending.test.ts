import { chmodSync, linkSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { appendFile, etagOf } from '../../src/boundary.ts';
import { atOnce, codeOf, containments, failureOf, useTree } from './tree.ts';

describe.each(containments)('appending, %s', (containment) => {
  const tree = useTree();
  const scope = () => tree.scope(containment);
  const content = (path: string) => readFileSync(join(tree.top, path), 'utf8');
  const everything = () => readdirSync(tree.top, { recursive: true, encoding: 'utf8' }).sort();

  test('a file grows in place and keeps what it is; a missing one is made', () => {
    expect(atOnce(() => appendFile(scope(), 'f', 'a'))).toMatchObject({ created: true, bytes: 1, size: 1 });
    const full = join(tree.root, 'f');
    chmodSync(full, 0o640);
    const { ino } = statSync(full);
    const appended = atOnce(() => appendFile(scope(), 'f', ['é', Buffer.from([0xff])]));
    const stat = statSync(full);
    expect(appended).toEqual({ created: false, bytes: 3, size: 4, path: full, etag: etagOf(stat) });
    expect([stat.ino, stat.mode & 0o777, readFileSync(full)]).toEqual([
      ino,
      0o640,
      Buffer.from([0x61, 0xc3, 0xa9, 0xff]),
    ]);
    expect(readdirSync(tree.root)).toEqual(['f']);
  });

  test('a hundred at once all land, in order', async () => {
    await Promise.all(Array.from({ length: 100 }, async (_, index) => appendFile(scope(), 'f', `${index} `)));
    expect(content('root/f').trim().split(' ').map(Number)).toEqual(
      Array.from({ length: 100 }, (_, index) => index),
    );
  });

  test('a file with another name is replaced, so that the other keeps the old content', () => {
    const full = tree.write('root/f', 'old');
    linkSync(full, join(tree.outside, 'same'));
    expect(codeOf(() => appendFile(scope(), 'f', 'x', { hardLinks: 'refuse' }))).toBe('linked');
    expect(atOnce(() => appendFile(scope(), 'f', ' new'))).toMatchObject({
      bytes: 4,
      size: 7,
      brokenLinks: 1,
    });
    expect([content('root/f'), content('outside/same')]).toEqual(['old new', 'old']);
  });

  test('an etag that no longer holds, and a file that is gone, are refused', () => {
    const full = tree.write('root/f', 'old');
    expect(codeOf(() => appendFile(scope(), 'f', 'x', { ifMatch: 'other' }))).toBe('changed');
    expect(codeOf(() => appendFile(scope(), 'g', 'x', { ifMatch: 'other', createParents: true }))).toBe(
      'not-found',
    );
    expect(atOnce(() => appendFile(scope(), 'f', 'x', { ifMatch: etagOf(statSync(full)) })).size).toBe(4);
  });

  test('what is appended may be made from the file as it is, which is open meanwhile', () => {
    tree.write('root/f', 'old');
    const sizes: (number | undefined)[] = [];
    for (const name of ['f', 'new'])
      void appendFile(scope(), name, (before) => {
        sizes.push(before?.stat.size);
        return 'x';
      });
    expect(sizes).toEqual([3, undefined]);
    expect(['f', 'new'].map((name) => readFileSync(join(tree.root, name), 'utf8'))).toEqual(['oldx', 'x']);
  });

  test('nothing is appended outside, through a link that leads there, or to what is no file', async () => {
    symlinkSync('../outside/secret.txt', join(tree.root, 'file'));
    symlinkSync('../outside', join(tree.root, 'folder'));
    symlinkSync('../outside/new', join(tree.root, 'dangling'));
    mkdirSync(join(tree.root, 'd'));
    const before = everything();
    for (const path of [
      'file',
      'folder/secret.txt',
      'folder/new',
      'dangling',
      '../x',
      join(tree.outside, 'x'),
    ])
      expect([path, codeOf(() => appendFile(scope(), path, 'x', { createParents: true }))]).toEqual([
        path,
        'not-found',
      ]);
    for (const path of ['d', 'd/', 'new/'])
      expect([path, codeOf(() => appendFile(scope(), path, 'x'))]).toEqual([path, 'not-a-file']);
    expect(codeOf(() => appendFile(tree.scope(containment, 'root:ro'), 'g', 'x'))).toBe('read-only');
    expect(everything()).toEqual(before);
    expect(content('outside/secret.txt')).toBe('the secret');
  });

  test('a link inside leads to its target', async () => {
    tree.write('root/a/f', 'old');
    symlinkSync('a/f', join(tree.root, 'link'));
    await appendFile(scope(), 'link', ' new');
    expect(content('root/a/f')).toBe('old new');
    expect(await failureOf(() => appendFile(scope(), 'no/f', 'x'))).toMatchObject({ code: 'not-found' });
    await appendFile(scope(), 'no/f', 'x', { createParents: true });
    expect(content('root/no/f')).toBe('x');
  });
});
