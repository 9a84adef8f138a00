import { existsSync, mkdirSync } from 'node:fs';
import { relative } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  appendFile,
  copyEntry,
  makeDirectory,
  moveEntry,
  removeEntry,
  replaceFile,
  setAttributes,
  updateFile,
} from '../../src/boundary.ts';
import { useTree } from './tree.ts';

/** The synced files, in order. */
const synced = vi.hoisted(() => [] as string[]);

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  return {
    ...fs,
    fsync(fd: number, done: (error: Error | null) => void) {
      synced.push(fs.readlinkSync(`/proc/self/fd/${fd}`));
      fs.fsync(fd, done);
    },
  };
});

describe.runIf(existsSync('/proc/self/fd'))('with fsync', () => {
  const tree = useTree();
  const scope = () => tree.scope('kernel');
  const fsync = true;
  const seen = () => {
    const names = synced.map((path) => relative(tree.top, path).replaceAll(/\.rootbound-\w+-[^/]+/g, 'T'));
    synced.length = 0;
    return names;
  };
  const waiting = 'root/.rootbound-staging/T';

  beforeEach(() => {
    synced.length = 0;
    mkdirSync(`${tree.root}/a`);
    tree.write('root/a/f', 'old');
  });

  test('every change is answered when content, and then its name, are on the disk', async () => {
    await replaceFile(scope(), 'a/f', 'new', { fsync });
    expect(seen()).toEqual([waiting, 'root/a']);
    await updateFile(scope(), 'a/f', () => 'newer', { fsync });
    expect(seen()).toEqual([waiting, 'root/a']);
    await replaceFile(scope(), 'b/c/f', 'new', { fsync, createParents: true });
    expect(seen()).toEqual(['root', 'root/b', waiting, 'root/b/c']);
    await appendFile(scope(), 'a/f', 'more', { fsync });
    expect(seen()).toEqual(['root/a/f']);
    await makeDirectory(scope(), 'd/e', { fsync });
    expect(seen()).toEqual(['root', 'root/d']);
    await setAttributes(scope(), 'a/f', { mode: 0o600, fsync });
    expect(seen()).toEqual(['root/a/f']);
    await moveEntry(scope(), 'a/f', 'd/g', { fsync });
    expect(seen()).toEqual(['root/d', 'root/a']);
    await copyEntry(scope(), 'd', 'h', { fsync });
    expect(seen().toSorted()).toEqual(['root', waiting, `${waiting}/e`, `${waiting}/g`]);
    await removeEntry(scope(), 'h/g', { fsync });
    expect(seen()).toEqual(['root/h']);
  });

  test('and without it nothing waits for the disk', async () => {
    await replaceFile(scope(), 'a/f', 'new');
    await copyEntry(scope(), 'a', 'b');
    await removeEntry(scope(), 'a', { recursive: true });
    expect(seen()).toEqual([]);
  });
});
