import { copyFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import type { Client } from '@rootbound/protocol/client';
import { describe, expect, test } from 'vitest';
import { canMount } from './mounts.ts';
import { call, messageOf, World } from './world.ts';

const KiB = 1024;
const MiB = 1024 * KiB;

/** Calls that need disk space, from small ones to those in pieces; each can be repeated. */
const growing: Record<string, [tool: string, args: Record<string, unknown>]> = {
  'replacing a file': ['write_file', { path: 'f', content: 'x'.repeat(300 * KiB) }],
  'replacing a file in pieces': ['write_file', { path: 'f', content: 'x'.repeat(2 * MiB) }],
  'a new file': ['write_file', { path: 'new', content: 'x'.repeat(300 * KiB) }],
  'a new file in pieces': ['write_file', { path: 'new', content: 'x'.repeat(2 * MiB) }],
  'a new file in new folders': [
    'write_file',
    { path: 'p/q/new', content: 'x'.repeat(300 * KiB), createParents: true },
  ],
  'an edit': ['edit_file', { path: 'f', edits: [{ oldText: 'old', newText: 'n'.repeat(300 * KiB) }] }],
  'an edit in pieces': [
    'edit_file',
    { path: 'f', edits: [{ oldText: 'old', newText: 'n'.repeat(2 * MiB) }] },
  ],
  appending: ['write_file', { path: 'f', content: 'x'.repeat(300 * KiB), append: true }],
  'appending in pieces': ['write_file', { path: 'f', content: 'x'.repeat(2 * MiB), append: true }],
  'appending to a new file': ['write_file', { path: 'new', content: 'x'.repeat(300 * KiB), append: true }],
  'copying a file': ['copy_file', { source: 'large', destination: 'copy' }],
  'copying a folder': ['copy_file', { source: 'folder', destination: 'copy' }],
};

describe.runIf(canMount())('on a disk', () => {
  const world = new World();

  async function mount(options: string): Promise<void> {
    const mounts = await world.mounts();
    mounts.mountMemory(world.root, options);
    world.put('f', 'old');
    world.put('folder/deep/large', Buffer.alloc(MiB, 'a'));
    world.put('folder/small', 'small');
    copyFileSync(world.at('folder/deep/large'), world.at('large'));
  }

  /** Fills the disk except for some bytes; `false` frees it. */
  function fill(room: number | false): void {
    rmSync(world.at('filler'), { force: true });
    if (room === false) return;
    const { bavail, bsize } = statfsSync(world.at('.'));
    writeFileSync(world.at('filler'), Buffer.alloc(bavail * bsize - room));
  }

  test.each([0, 64 * KiB])(
    'with %i bytes left, a larger change is refused with one line, leaves all files unchanged, and succeeds once there is space',
    async (room) => {
      await mount('size=8m');
      const client = await world.start();
      const before = world.all();
      for (const [what, [tool, args]] of Object.entries(growing)) {
        fill(room);
        const full = world.all();
        const refused = await call(client, tool, args);
        const displayPath = String(args.path ?? args.destination);
        expect([what, messageOf(refused)]).toEqual([
          what,
          // for a folder the error names the entry that did not fit
          expect.stringMatching(`^no-space: no space left to write: ${displayPath}(/[a-z/]+)?$`),
        ]);
        // its parents are created before, and stay
        const stays = args.createParents ? ['p/', 'p/q/'] : [];
        expect([what, world.all()]).toEqual([what, [...full, ...stays].sort()]);
        expect(await call(client, 'read_text_file', { path: 'f' })).toMatchObject({ text: 'old' });
        fill(false);
        expect([what, await call(client, tool, args)]).toMatchObject([what, { code: 'done' }]);
        for (const name of ['new', 'copy', 'p']) rmSync(world.at(name), { recursive: true, force: true });
        writeFileSync(world.at('f'), 'old');
        expect([what, world.all()]).toEqual([what, before]);
      }
    },
  );

  test('that is full, calls that need no space succeed', async () => {
    await mount('size=8m');
    const client = await world.start({ args: ['--allow-delete', world.root] });
    fill(0);
    for (const [tool, args] of [
      ['read_text_file', { path: 'f' }],
      ['list_directory', { path: '.' }],
      ['search_content', { path: '.', pattern: 'small' }],
      ['set_file_attributes', { path: 'f', modified: '2026-01-02T03:04:05Z' }],
      ['move_file', { source: 'folder/small', destination: 'moved' }],
      ['write_file', { path: 'f', content: '' }],
      ['delete_file', { path: 'folder', recursive: true }],
    ] as const)
      expect([tool, await call(client, tool, args)]).toMatchObject([tool, { code: 'done' }]);
    expect(world.all().map((line) => line.split(':')[0])).toEqual(['f', 'filler', 'large', 'moved']);
  });

  test('without space for another name, a new name is refused, and succeeds once there is space', async () => {
    await mount('size=8m,nr_inodes=40');
    const client = await world.start({ args: ['--allow-delete', world.root] });
    const fillers: string[] = [];
    try {
      for (let n = 0; ; n++) {
        writeFileSync(world.at(`filler-${n}`), '');
        fillers.push(world.at(`filler-${n}`));
      }
    } catch {
      // the disk is full
    }
    const before = world.all();
    const making = {
      'a file': ['write_file', { path: 'new', content: 'x' }, 'new'],
      'a new version': ['write_file', { path: 'f', content: 'x' }, 'f'],
      'an edit': ['edit_file', { path: 'f', edits: [{ oldText: 'old', newText: 'new' }] }, 'f'],
      'a folder': ['create_directory', { path: 'p/q' }, 'p/q'],
      'an empty file': ['set_file_attributes', { path: 'new', create: true }, 'new'],
      'a copy': ['copy_file', { source: 'f', destination: 'copy' }, 'copy'],
      'a copy of a folder': ['copy_file', { source: 'folder', destination: 'copy' }, 'copy'],
    } as const;
    for (const [what, [tool, args, displayPath]] of Object.entries(making))
      expect([what, messageOf(await call(client, tool, args))]).toEqual([
        what,
        `no-space: no space left to write: ${displayPath}`,
      ]);
    expect(world.all()).toEqual(before);
    await appendInPlace(client);
    for (const filler of fillers) rmSync(filler);
    for (const [what, [tool, args]] of Object.entries(making)) {
      expect([what, await call(client, tool, args)]).toMatchObject([what, { code: 'done' }]);
      for (const name of ['new', 'copy', 'p']) rmSync(world.at(name), { recursive: true, force: true });
      writeFileSync(world.at('f'), 'old');
    }
  });

  async function appendInPlace(client: Client): Promise<void> {
    expect(await call(client, 'write_file', { path: 'f', content: ' and more', append: true })).toMatchObject(
      {
        code: 'done',
      },
    );
    writeFileSync(world.at('f'), 'old');
  }
});
