import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { appendFile, copyEntry, replaceFile, streamFile, updateFile } from '../../src/boundary.ts';
import { canMount, failureOf, useTree } from './tree.ts';

const MiB = 1024 * 1024;

describe.runIf(canMount())('on a full disk', () => {
  const tree = useTree();
  beforeEach(() => {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', tree.root]);
  });
  afterEach(() => {
    execFileSync('umount', ['-l', tree.root]);
  });

  test('every change is refused as no-space, leaves what was there and nothing else', async () => {
    const scope = tree.scope('kernel');
    tree.write('root/f', 'old');
    tree.write('root/d/large', Buffer.alloc(2.5 * MiB, 'x'));
    for (const size of [1.9 * MiB, 8 * MiB]) {
      const content = [Buffer.alloc(0.5 * MiB), Buffer.alloc(size)];
      for (const attempt of [
        () => replaceFile(scope, 'f', content),
        () => replaceFile(scope, 'new', content),
        () => updateFile(scope, 'f', () => content),
        () =>
          streamFile(scope, 'new', async (write) => {
            for (const piece of content) await write(piece);
          }),
        () => appendFile(scope, 'f', content),
        () => appendFile(scope, 'new', content),
        () => copyEntry(scope, 'd', 'e'),
        () => copyEntry(scope, 'd/large', 'g'),
      ])
        expect(await failureOf(attempt)).toMatchObject({ code: 'no-space', retryable: false });
      expect([readdirSync(tree.root).sort(), statSync(join(tree.root, 'f')).size]).toEqual([['d', 'f'], 3]);
    }
    await replaceFile(scope, 'f', 'new');
    expect(readdirSync(tree.root).sort()).toEqual(['d', 'f']);
  });

  test('small content is refused the same way', async () => {
    const scope = tree.scope('kernel');
    tree.write('root/f', 'old');
    tree.write('root/filler', Buffer.alloc(3.9 * MiB, 'x'));
    const content = 'x'.repeat(0.5 * MiB);
    for (const change of [replaceFile, appendFile])
      expect(await failureOf(() => change(scope, 'f', content))).toMatchObject({ code: 'no-space' });
    expect([readdirSync(tree.root).sort(), statSync(join(tree.root, 'f')).size]).toEqual([
      ['f', 'filler'],
      3,
    ]);
  });
});
