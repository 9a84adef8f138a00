import { existsSync, linkSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { appendFile, etagOf, moveEntry, replaceFile, updateFile } from '../../src/boundary.ts';
import { Cancelled, containments, failureOf, useTree } from './tree.ts';

const MiB = 1024 * 1024;

describe.each(containments)('changes of large files, %s', (containment) => {
  const tree = useTree();
  const scope = () => tree.scope(containment);
  const names = () => readdirSync(tree.root).sort();

  test('content from 1 MiB on is written beside other work, with progress up to the end', async () => {
    const content = Buffer.alloc(8 * MiB, 'x');
    const reported: (number | undefined)[][] = [];
    const pending = replaceFile(scope(), 'f', content, { progress: (...step) => reported.push(step) });
    expect([pending instanceof Promise, existsSync(join(tree.root, 'f'))]).toEqual([true, false]);
    let turns = 0;
    const count = (): void => {
      turns++;
      if (!existsSync(join(tree.root, 'f'))) setImmediate(count);
    };
    setImmediate(count);
    const written = await pending;
    expect(written.bytes).toBe(content.length);
    expect(turns).toBeGreaterThan(3);
    expect(readFileSync(join(tree.root, 'f')).equals(content)).toBe(true);
    expect(reported.map(([done]) => done)).toEqual(
      reported.map(([done]) => done).toSorted((a, b) => a! - b!),
    );
    expect(reported.at(-1)).toEqual([content.length, content.length]);
    expect([written.etag, names()]).toEqual([etagOf(statSync(join(tree.root, 'f'))), ['f']]);
  });

  test('a long text is the same bytes, also where a character lies across two pieces', async () => {
    for (const shift of [0, 1]) {
      const text = 'x'.repeat(shift) + '😀é'.repeat(700_000);
      await replaceFile(scope(), 'f', ['\ufeff', text]);
      expect(readFileSync(join(tree.root, 'f')).equals(Buffer.from(`\ufeff${text}`))).toBe(true);
    }
  });

  test('a cancelled write leaves the old file and nothing else', async () => {
    tree.write('root/f', 'old');
    const cancelled = new Cancelled();
    const content = Buffer.alloc(16 * MiB, 'x');
    const progress = (done: number): void => {
      if (done > 4 * MiB) cancelled.now();
    };
    for (const attempt of [
      () => replaceFile(scope(), 'f', content, { signal: cancelled.signal, progress }),
      () => updateFile(scope(), 'f', () => content, { signal: cancelled.signal, progress }),
      () => appendFile(scope(), 'f', content, { signal: cancelled.signal, progress }),
      () => replaceFile(scope(), 'new', content, { signal: cancelled.signal, progress }),
      () => appendFile(scope(), 'new', content, { signal: cancelled.signal, progress }),
    ]) {
      cancelled.again();
      expect(await failureOf(attempt)).toBe(cancelled.reason);
      expect([statSync(join(tree.root, 'f')).size, names()]).toEqual([3, ['f']]);
    }
    expect(readFileSync(join(tree.root, 'f'), 'utf8')).toBe('old');
  });

  test('content that cannot be written whole leaves the old file and nothing else', async () => {
    tree.write('root/f', 'old');
    for (const size of [10, 2 * MiB]) {
      for (const change of [replaceFile, appendFile]) {
        const content = ['x'.repeat(size), '', 'x'.repeat(size)];
        // a disk that is full, seen at the second part
        let looks = 0;
        Object.defineProperty(content, 1, {
          get() {
            if (++looks === 1) return '';
            throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
          },
        });
        expect(await failureOf(() => change(scope(), 'f', content))).toMatchObject({ code: 'no-space' });
        expect([statSync(join(tree.root, 'f')).size, names()]).toEqual([3, ['f']]);
      }
    }
  });

  test('a large file that someone else changes during a change is left to them', async () => {
    const full = tree.write('root/f', Buffer.alloc(2 * MiB, 'x'));
    const change = async (bytes: Buffer) => {
      writeFileSync(full, 'theirs');
      return bytes;
    };
    expect(await failureOf(() => updateFile(scope(), 'f', change))).toMatchObject({
      code: 'changed',
      retryable: true,
    });
    expect([readFileSync(full, 'utf8'), names()]).toEqual(['theirs', ['f']]);
  });

  test('a large file is read whole for its change, and another name keeps the old content', async () => {
    const full = tree.write('root/f', Buffer.alloc(3 * MiB, 'x'));
    linkSync(full, join(tree.outside, 'same'));
    const updated = await updateFile(scope(), 'f', async (bytes) => [bytes, 'end']);
    expect(updated).toMatchObject({ changed: true, bytes: 3 * MiB + 3, brokenLinks: 1 });
    expect([statSync(full).size, statSync(join(tree.outside, 'same')).size]).toEqual([3 * MiB + 3, 3 * MiB]);
  });

  test('a change that waits may also leave the file alone or fail', async () => {
    tree.write('root/f', 'old');
    expect((await updateFile(scope(), 'f', () => Promise.resolve(undefined))).changed).toBe(false);
    const failing = () => updateFile(scope(), 'f', () => Promise.reject(new RangeError('no')));
    expect(await failureOf(failing)).toBeInstanceOf(RangeError);
    expect([readFileSync(join(tree.root, 'f'), 'utf8'), names()]).toEqual(['old', ['f']]);
  });

  test.runIf(existsSync('/dev/shm'))('synced changes are the same changes', async () => {
    await replaceFile(scope(), 'a/b/f', Buffer.alloc(9 * MiB, 'x'), { createParents: true, fsync: true });
    await updateFile(scope(), 'a/b/f', (bytes) => bytes.subarray(0, 5), { fsync: true });
    await appendFile(scope(), 'a/b/f', 'end', { fsync: true });
    await moveEntry(scope(), 'a/b/f', 'g', { fsync: true });
    expect([readFileSync(join(tree.root, 'g'), 'utf8'), names()]).toEqual(['xxxxxend', ['a', 'g']]);
  });
});
