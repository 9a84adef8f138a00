import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  appendFile,
  copyEntry,
  moveEntry,
  removeEntry,
  replaceFile,
  type Scope,
  streamFile,
  updateFile,
  type Written,
} from '../../src/boundary.ts';
import {
  accessList,
  attributeOf,
  bindsLowPorts,
  capability,
  defaultList,
  hasAttributes,
  listFor,
  note,
  setAttribute,
} from './extended.ts';
import { canMount, failureOf, useTree } from './tree.ts';

type Change = (scope: Scope, path: string) => Promise<Partial<Written>>;

/** All that change the content of a file that is there; each leaves "new" at its end. */
const changes: readonly (readonly [string, Change])[] = [
  ['replace', async (scope, path) => replaceFile(scope, path, 'new')],
  ['update', async (scope, path) => updateFile(scope, path, () => 'new')],
  ['append', async (scope, path) => appendFile(scope, path, 'new')],
  ['stream', async (scope, path) => streamFile(scope, path, (write) => write(Buffer.from('new')))],
];

const isRoot = process.getuid?.() === 0;
const SOMEBODY = 1234;

describe.runIf(process.platform === 'linux')('a change of content', () => {
  const tree = useTree();
  const scope = (): Scope => tree.scope('kernel');

  test.for(changes)('%s keeps a plain file whole, in one step, with its mode', async ([name, change]) => {
    const full = tree.write('root/f', 'old');
    chmodSync(full, 0o1640);
    const { ino } = statSync(full);
    const made = await change(scope(), 'f');
    expect([made.inPlace, made.lostSetId]).toEqual([undefined, undefined]);
    expect(statSync(full).mode & 0o7777).toBe(0o1640);
    if (name !== 'append') expect(statSync(full).ino).not.toBe(ino);
    expect(readFileSync(full, 'utf8')).toMatch(/new$/);
  });

  test.for(changes)('%s takes set-user-id away and says so', async ([, change]) => {
    const full = tree.write('root/f', 'old');
    chmodSync(full, 0o6755);
    expect(await change(scope(), 'f')).toMatchObject({ lostSetId: true });
    expect(statSync(full).mode & 0o7777).toBe(0o755);
  });

  test.runIf(isRoot).for(changes)('%s keeps owner and group', async ([, change]) => {
    const full = tree.write('root/f', 'old');
    chownSync(full, SOMEBODY, SOMEBODY + 1);
    await change(scope(), 'f');
    expect(statSync(full)).toMatchObject({ uid: SOMEBODY, gid: SOMEBODY + 1 });
  });

  describe.runIf(hasAttributes(tmpdir()))('of a file with more than owner, group and mode', () => {
    test.for(changes)(
      '%s keeps access lists and extended attributes, and says how',
      async ([name, change]) => {
        for (const [attribute, value] of [
          [note, Buffer.from('kept')],
          [accessList, listFor(SOMEBODY)],
        ] as const) {
          const full = tree.write(`root/${attribute}`, 'the old content');
          expect(setAttribute(full, attribute, value)).toBe(true);
          const { ino, mode } = statSync(full);
          // twice: what was learned of the file must not be wrong the next time
          for (let round = 0; round < 2; round++) {
            const made = await change(scope(), attribute);
            expect(made.inPlace).toBe(name === 'append' ? undefined : true);
            expect(attributeOf(full, attribute)).toBe(value.toString('hex'));
            expect(statSync(full)).toMatchObject({ ino, mode });
          }
          expect(readFileSync(full, 'utf8')).toBe(name === 'append' ? 'the old contentnewnew' : 'new');
        }
        expect(readdirSync(tree.root).sort()).toEqual([accessList, note]);
      },
    );

    test.for(changes)('%s sees an attribute that came after the last change', async ([, change]) => {
      const full = tree.write('root/f', 'old');
      await change(scope(), 'f');
      expect(setAttribute(full, note, Buffer.from('late'))).toBe(true);
      await change(scope(), 'f');
      expect(attributeOf(full, note)).toBe(Buffer.from('late').toString('hex'));
    });

    test('a file gets no access list from the folder in which new content waits', async () => {
      const full = tree.write('root/d/f', 'old');
      expect(setAttribute(tree.root, defaultList, listFor(SOMEBODY))).toBe(true);
      expect(await replaceFile(scope(), 'd/f', 'new')).toMatchObject({ inPlace: true });
      expect([attributeOf(full, accessList), readFileSync(full, 'utf8')]).toEqual(['', 'new']);
    });

    test.runIf(isRoot).for(changes)('%s takes capabilities away', async ([, change]) => {
      const full = tree.write('root/f', 'old');
      expect(setAttribute(full, capability, bindsLowPorts)).toBe(true);
      await change(scope(), 'f');
      expect(attributeOf(full, capability)).toBe('');
    });

    test('a file with another name is refused, since one of the two would lose them', async () => {
      const full = tree.write('root/f', 'old');
      linkSync(full, join(tree.outside, 'f'));
      setAttribute(full, note, Buffer.from('1'));
      for (const [, change] of changes)
        expect(await failureOf(() => change(scope(), 'f'))).toMatchObject({ code: 'linked' });
      expect([readFileSync(full, 'utf8'), readdirSync(tree.root)]).toEqual(['old', ['f']]);
    });

    test('content that cannot be made leaves the file as it was', async () => {
      const full = tree.write('root/f', 'old');
      setAttribute(full, note, Buffer.from('1'));
      const broken = streamFile(scope(), 'f', async (write) => {
        await write(Buffer.from('half'));
        throw new Error('no more');
      });
      await expect(broken).rejects.toThrow('no more');
      expect([readFileSync(full, 'utf8'), readdirSync(tree.root)]).toEqual(['old', ['f']]);
    });
  });

  describe.runIf(isRoot)('in a folder with set-group-id', () => {
    const shared = (): string => {
      const full = join(tree.root, 'shared');
      mkdirSync(full);
      chownSync(full, 0, SOMEBODY);
      chmodSync(full, 0o2775);
      return full;
    };

    test('what is new has its group: files, copies, folders and all that is copied in them', async () => {
      const full = shared();
      tree.write('root/from/sub/f', 'x');
      replaceFile(scope(), 'shared/new', 'x');
      replaceFile(scope(), 'shared/a/b', 'x', { createParents: true });
      appendFile(scope(), 'shared/appended', 'x');
      await copyEntry(scope(), 'from/sub/f', 'shared/copy');
      await copyEntry(scope(), 'from', 'shared/folder');
      for (const name of ['new', 'a', 'a/b', 'appended', 'copy', 'folder', 'folder/sub', 'folder/sub/f'])
        expect([name, statSync(join(full, name)).gid]).toEqual([name, SOMEBODY]);
      for (const name of ['a', 'folder', 'folder/sub'])
        expect([name, statSync(join(full, name)).mode & 0o2000]).toEqual([name, 0o2000]);
    });
  });

  describe.runIf(canMount())('of a file that is mounted by itself', () => {
    test.for(changes)('%s writes it in place, and says so', async ([name, change]) => {
      const outside = tree.write('outside/mounted', 'the old content');
      const full = tree.write('root/f', '');
      execFileSync('mount', ['--bind', outside, full]);
      try {
        const made = await change(scope(), 'f');
        expect(made.inPlace).toBe(name === 'append' ? undefined : true);
        expect(readFileSync(outside, 'utf8')).toBe(name === 'append' ? 'the old contentnew' : 'new');
        expect(readdirSync(tree.root)).toEqual(['f']);
      } finally {
        execFileSync('umount', [full]);
      }
    });

    test.for(changes)('%s writes it where nothing else can be made', async ([name, change]) => {
      const outside = tree.write('outside/mounted', 'the old content');
      const full = tree.write('root/f', '');
      execFileSync('mount', ['--bind', tree.root, tree.root]);
      execFileSync('mount', ['--bind', outside, full]);
      execFileSync('mount', ['-o', 'remount,bind,ro', tree.root]);
      try {
        const made = await change(scope(), 'f');
        expect(made.inPlace).toBe(name === 'append' ? undefined : true);
        expect(readFileSync(outside, 'utf8')).toBe(name === 'append' ? 'the old contentnew' : 'new');
        const broken = streamFile(scope(), 'f', async (write) => {
          await write(Buffer.from('half'));
          throw new Error('no more');
        });
        await expect(broken).rejects.toThrow('no more');
        expect(readFileSync(outside, 'utf8')).toMatch(/new$/);
        expect(await failureOf(() => replaceFile(scope(), 'other', 'x'))).toMatchObject({
          code: 'read-only',
        });
      } finally {
        execFileSync('umount', [full]);
        execFileSync('umount', [tree.root]);
      }
    });

    test('it is neither moved nor deleted, and nobody is told to try again', async () => {
      const full = tree.write('root/f', '');
      execFileSync('mount', ['--bind', tree.write('outside/mounted', 'x'), full]);
      try {
        for (const attempt of [() => moveEntry(scope(), 'f', 'g'), () => removeEntry(scope(), 'f', {})])
          expect(await failureOf(attempt)).toMatchObject({ retryable: false });
        expect(readdirSync(tree.root)).toEqual(['f']);
      } finally {
        execFileSync('umount', [full]);
      }
    });
  });
});

describe.runIf(process.platform === 'linux')('a copy of a file with holes', () => {
  const tree = useTree();
  const MiB = 1024 * 1024;

  function sparse(name: string, size: number, parts: readonly number[]): string {
    const full = tree.write(`root/${name}`, '');
    const fd = openSync(full, 'r+');
    for (const at of parts) writeSync(fd, 'data', at);
    closeSync(fd);
    truncateSync(full, size);
    return full;
  }

  test('has them too, and the same content', async () => {
    const size = 96 * MiB + 123;
    const full = sparse('f', size, [0, 5 * MiB - 2, 40 * MiB + 4096, size - 4]);
    const scope = tree.scope('kernel');
    await copyEntry(scope, 'f', 'g');
    mkdirSync(join(tree.root, 'd'));
    await moveEntry(scope, 'f', 'd/f');
    await copyEntry(scope, 'd', 'e');
    for (const copy of ['g', 'e/f']) {
      const { size: copied, blocks } = statSync(join(tree.root, copy));
      expect([copy, copied, blocks * 512 < MiB]).toEqual([copy, size, true]);
      expect(readFileSync(join(tree.root, copy)).equals(readFileSync(join(tree.root, 'd/f')))).toBe(true);
    }
    expect(full).toBe(join(tree.root, 'f'));
  });

  test.runIf(canMount())(
    'is refused before it is begun where what it holds is more than is free',
    async () => {
      tree.write('root/large', Buffer.alloc(6 * MiB, 'x'));
      const scope = tree.scope('kernel');
      mkdirSync(join(tree.root, 'small'));
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', join(tree.root, 'small')]);
      try {
        const done: number[] = [];
        const copied = (): unknown =>
          copyEntry(scope, 'large', 'small/copy', { progress: (bytes) => done.push(bytes) });
        expect(await failureOf(copied)).toMatchObject({ code: 'no-space', retryable: false });
        expect([done, readdirSync(join(tree.root, 'small'))]).toEqual([[], []]);
        sparse('holes', 64 * MiB, [7 * MiB]);
        expect(await copyEntry(scope, 'holes', 'small/copy')).toMatchObject({ bytes: 64 * MiB });
      } finally {
        execFileSync('umount', [join(tree.root, 'small')]);
      }
    },
  );
});
