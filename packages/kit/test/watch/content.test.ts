import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Digest, WatchHub } from '../../src/watch.ts';
import { Ear, openHub, scratch } from './scene.ts';

/** The bytes of a small file and the names in a directory themselves. */
function contentOf(path: string, most = 1000n): Digest {
  return ({ kind, size }) => {
    if (kind === 'directory') return readdirSync(path).sort().join('\0');
    return kind === 'file' && size <= most ? readFileSync(path, 'latin1') : undefined;
  };
}

async function listen(hub: WatchHub, path: string, most?: bigint): Promise<Ear> {
  const ear = new Ear(path);
  ear.stop = await hub.watch(path, 'any', ear.note, { digest: contentOf(path, most) });
  return ear;
}

/** Does something of which nothing is to be heard, and comes back when the hub has looked at it. */
async function quietly(hub: WatchHub, directory: string, work: () => void): Promise<void> {
  const bell = join(directory, 'bell');
  const ear = await listen(hub, bell);
  work();
  await ear.hears('rung', () => writeFileSync(bell, 'rung'));
  ear.stop();
  rmSync(bell);
}

/** How editors save, step by step. */
const saves: readonly [editor: string, steps: (file: string, content: string) => (() => void)[]][] = [
  [
    'vim, which moves the old file to a backup',
    (file, content) => [
      () => writeFileSync(join(file, '../4913'), ''),
      () => unlinkSync(join(file, '../4913')),
      () => renameSync(file, `${file}~`),
      () => writeFileSync(file, content),
      () => unlinkSync(`${file}~`),
    ],
  ],
  [
    'vim, which copies the old file to a backup',
    (file, content) => [
      () => copyFileSync(file, `${file}~`),
      () => truncateSync(file, 0),
      () => appendFileSync(file, content),
      () => unlinkSync(`${file}~`),
    ],
  ],
  [
    'VS Code, which writes in place',
    (file, content) => [() => truncateSync(file, 0), () => appendFileSync(file, content)],
  ],
  [
    'emacs, which keeps a backup and a lock',
    (file, content) => [
      () => writeFileSync(join(file, '../.#notes.txt'), ''),
      () => renameSync(file, `${file}~`),
      () => writeFileSync(file, content),
      () => unlinkSync(join(file, '../.#notes.txt')),
    ],
  ],
  [
    'a JetBrains IDE, which writes a new file and swaps it in',
    (file, content) => [
      () => writeFileSync(`${file}___jb_tmp___`, content),
      () => renameSync(file, `${file}___jb_old___`),
      () => renameSync(`${file}___jb_tmp___`, file),
      () => unlinkSync(`${file}___jb_old___`),
    ],
  ],
  [
    'one that writes a new file and moves it over',
    (file, content) => [
      () => writeFileSync(`${file}.new`, content),
      () => chmodSync(`${file}.new`, 0o600),
      () => renameSync(`${file}.new`, file),
    ],
  ],
  [
    'one that deletes and writes',
    (file, content) => [() => unlinkSync(file), () => writeFileSync(file, content)],
  ],
];

describe.each(saves)('a save by %s', (_editor, save) => {
  test('is heard, every time', async () => {
    const file = join(scratch(), 'notes.txt');
    writeFileSync(file, 'start');
    const ear = await listen(openHub().hub, file);
    for (let n = 0; n < 5; n += 1) {
      const notified = ear.hears(`save ${n}`, () => {});
      for (const step of save(file, `save ${n}`)) {
        step();
        await nextTurn();
      }
      await notified;
    }
    expect(ear.heard.at(-1)).toBe('save 4');
  });

  test('says nothing when the content is the same', async () => {
    const directory = scratch();
    const file = join(directory, 'notes.txt');
    writeFileSync(file, 'start');
    const { hub } = openHub();
    const ear = await listen(hub, file);
    for (let n = 0; n < 5; n += 1) {
      await quietly(hub, directory, () => {
        for (const step of save(file, 'start')) step();
      });
    }
    await ear.hears('saved', () => writeFileSync(file, 'saved'));
    expect(ear.heard).toEqual(['saved']);
  });
});

describe('a file that is compared by content', () => {
  test('is heard at each of many replacements, also by the same size at once', async () => {
    const file = join(scratch(), 'notes.txt');
    writeFileSync(file, 'start');
    const ear = await listen(openHub().hub, file);
    for (let n = 100; n < 200; n += 1) {
      await ear.hears(String(n), () => {
        writeFileSync(`${file}.new`, String(n));
        renameSync(`${file}.new`, file);
      });
    }
    expect(ear.heard).toHaveLength(100);
  });

  test('says nothing when it is touched, gets another mode, or is moved away and back', async () => {
    const directory = scratch();
    const file = join(directory, 'notes.txt');
    writeFileSync(file, 'start');
    const { hub } = openHub();
    const ear = await listen(hub, file);
    await quietly(hub, directory, () => utimesSync(file, 1, 1));
    await quietly(hub, directory, () => chmodSync(file, 0o600));
    await quietly(hub, directory, () => {
      renameSync(file, `${file}.away`);
      renameSync(`${file}.away`, file);
    });
    await ear.hears('changed', () => writeFileSync(file, 'changed'));
    expect(ear.heard).toEqual(['changed']);
  });

  test('is heard when it goes, and when the same content comes back', async () => {
    const file = join(scratch(), 'notes.txt');
    writeFileSync(file, 'start');
    const ear = await listen(openHub().hub, file);
    for (let n = 0; n < 5; n += 1) {
      await ear.hears('missing', () => rmSync(file));
      await ear.hears('start', () => writeFileSync(file, 'start'));
    }
    expect(ear.heard).toHaveLength(10);
  });

  test('and is too large for that, is heard when touched and says nothing about its mode', async () => {
    const directory = scratch();
    const file = join(directory, 'large');
    writeFileSync(file, 'more than four');
    utimesSync(file, 1, 1);
    const { hub } = openHub();
    const ear = await listen(hub, file, 4n);
    await quietly(hub, directory, () => chmodSync(file, 0o600));
    await ear.hears('more than four', () => utimesSync(file, 2, 2));
    expect(ear.heard).toHaveLength(1);
  });
});

describe('a directory that is compared by its names', () => {
  test('says nothing when a child changes, or comes and goes, or it is touched', async () => {
    const top = scratch();
    const directory = join(top, 'work');
    mkdirSync(directory);
    writeFileSync(join(directory, 'a'), '');
    const { hub } = openHub();
    const ear = await listen(hub, directory);
    await quietly(hub, top, () => writeFileSync(join(directory, 'a'), 'changed'));
    await quietly(hub, top, () => {
      writeFileSync(join(directory, 'a.new'), 'replaced');
      renameSync(join(directory, 'a.new'), join(directory, 'a'));
    });
    await quietly(hub, top, () => utimesSync(directory, 1, 1));
    await ear.hears('a b', () => writeFileSync(join(directory, 'b'), ''));
    await ear.hears('a', () => rmSync(join(directory, 'b')));
    expect(ear.heard).toEqual(['a b', 'a']);
  });

  test('is heard when it goes, comes back empty, and is filled again', async () => {
    const directory = join(scratch(), 'work');
    mkdirSync(directory);
    const ear = await listen(openHub().hub, directory);
    for (let n = 0; n < 5; n += 1) {
      await ear.hears('f', () => writeFileSync(join(directory, 'f'), ''));
      await ear.hears('missing', () => rmSync(directory, { recursive: true }));
      await ear.hears('', () => mkdirSync(directory));
    }
    expect(ear.heard.at(-1)).toBe('');
  });
});

test('a content that cannot be read is reported, and what the file shows from outside decides', async () => {
  const file = join(scratch(), 'notes.txt');
  writeFileSync(file, 'start');
  const { hub, errors } = openHub();
  const ear = new Ear(file);
  ear.stop = await hub.watch(file, 'any', ear.note, {
    digest: () => {
      throw new Error('no luck');
    },
  });
  await ear.hears('changed', () => writeFileSync(file, 'changed'));
  expect(new Set(errors)).toEqual(new Set(['a watched path cannot be read: Error: no luck']));
});
