import { chmodSync, linkSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { etagOf, setAttributes } from '../../src/boundary.ts';
import { atOnce, codeOf, containments, useTree } from './tree.ts';

describe.each(containments)('setting attributes, %s', (containment) => {
  const tree = useTree();
  const scope = () => tree.scope(containment);
  const day = new Date('2020-02-02T02:02:02.500Z');

  test('times and mode are set, each alone or together, and the rest stays', () => {
    const full = tree.write('root/f', 'content');
    chmodSync(full, 0o640);
    atOnce(() => setAttributes(scope(), 'f', { modified: day }));
    const touched = statSync(full);
    expect([touched.mtimeMs, touched.mode & 0o777, touched.size]).toEqual([day.getTime(), 0o640, 7]);
    atOnce(() => setAttributes(scope(), 'f', { mode: 0o4755 & 0o777 }));
    const { etag, created, path } = atOnce(() => setAttributes(scope(), 'f', { accessed: new Date(0) }));
    const after = statSync(full);
    expect([after.mtimeMs, after.atimeMs, after.mode & 0o7777]).toEqual([day.getTime(), 0, 0o755]);
    expect([etag, created, path]).toEqual([etagOf(after), false, full]);
  });

  test('a folder has them too, and a link inside leads to its target', () => {
    mkdirSync(join(tree.root, 'd'));
    symlinkSync('d', join(tree.root, 'link'));
    atOnce(() => setAttributes(scope(), 'link', { mode: 0o700, modified: day }));
    const stat = statSync(join(tree.root, 'd'));
    expect([stat.mode & 0o777, stat.mtimeMs]).toEqual([0o700, day.getTime()]);
  });

  if (containment === 'kernel')
    test('a file that nobody may read can be given back', () => {
      const full = tree.write('root/f', 'x');
      chmodSync(full, 0);
      atOnce(() => setAttributes(scope(), 'f', { mode: 0o644 }));
      expect(statSync(full).mode & 0o777).toBe(0o644);
    });

  test('an empty file is made only when asked', async () => {
    expect(codeOf(() => setAttributes(scope(), 'f', { modified: day }))).toBe('not-found');
    const made = await setAttributes(scope(), 'f', { create: true, modified: day, fsync: true });
    expect([made.created, made.stat.size, made.stat.mtimeMs]).toEqual([true, 0, day.getTime()]);
    expect(readdirSync(tree.root)).toEqual(['f']);
    expect(codeOf(() => setAttributes(scope(), 'g', { create: true, ifMatch: 'x' }))).toBe('not-found');
  });

  test('other names, an old etag, a read-only root, the root and what is outside are refused', () => {
    const full = tree.write('root/f', 'x');
    const before = statSync(full).mode;
    expect(codeOf(() => setAttributes(scope(), 'f', { mode: 0o777, ifMatch: 'x' }))).toBe('changed');
    linkSync(full, join(tree.outside, 'same'));
    expect(codeOf(() => setAttributes(scope(), 'f', { mode: 0o777 }))).toBe('linked');
    expect(codeOf(() => setAttributes(tree.scope(containment, 'root:ro'), 'f', { mode: 0o777 }))).toBe(
      'read-only',
    );
    expect(codeOf(() => setAttributes(scope(), '.', { mode: 0o777 }))).toBe('permission');
    expect(codeOf(() => setAttributes(scope(), 'f/', { mode: 0o777 }))).toBe('not-a-directory');
    expect(codeOf(() => setAttributes(scope(), 'new/', { create: true }))).toBe('not-a-file');
    symlinkSync('../outside/secret.txt', join(tree.root, 'out'));
    for (const path of ['out', '../outside/secret.txt', 'none'])
      expect(codeOf(() => setAttributes(scope(), path, { mode: 0o777 }))).toBe('not-found');
    expect([statSync(full).mode, statSync(join(tree.outside, 'secret.txt')).mode & 0o777]).toEqual([
      before,
      0o644,
    ]);
  });
});
