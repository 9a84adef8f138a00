import { describe, expect, test } from 'vitest';
import { canMount } from './mounts.ts';
import { call, messageOf, World } from './world.ts';

const KiB = 1024;

describe.runIf(process.platform === 'linux')('with a limit of 256 KiB for a file', () => {
  const world = new World();
  // the shell's unit is 512 bytes
  const limited = ['sh', '-c', 'ulimit -f 512 && exec "$0" "$@"'];

  test('a larger file is refused with one line, leaves all files unchanged, and the server continues', async () => {
    world.put('f', 'old');
    world.put('large', Buffer.alloc(200 * KiB, 'a'));
    world.put('folder/huge', Buffer.alloc(400 * KiB, 'b'));
    const client = await world.start({ before: limited });
    const before = world.all();
    const x = (size: number): string => 'x'.repeat(size * KiB);
    for (const [what, tool, args, displayPath] of [
      ['replacing', 'write_file', { path: 'f', content: x(300) }, 'f'],
      ['replacing in pieces', 'write_file', { path: 'f', content: x(3000) }, 'f'],
      ['a new file', 'write_file', { path: 'new', content: x(300) }, 'new'],
      ['an edit', 'edit_file', { path: 'f', edits: [{ oldText: 'old', newText: x(300) }] }, 'f'],
      ['appending', 'write_file', { path: 'large', content: x(100), append: true }, 'large'],
      ['appending in pieces', 'write_file', { path: 'large', content: x(3000), append: true }, 'large'],
      ['copying', 'copy_file', { source: 'folder/huge', destination: 'copy' }, 'copy'],
      ['copying a folder', 'copy_file', { source: 'folder', destination: 'copy' }, 'copy/huge'],
    ] as const) {
      expect([what, messageOf(await call(client, tool, args))]).toEqual([
        what,
        `too-large: too large: ${displayPath}`,
      ]);
      expect([what, world.all()]).toEqual([what, before]);
    }
    expect(await call(client, 'write_file', { path: 'f', content: x(200) })).toMatchObject({ code: 'done' });
  });
});

/** Changes that a read-only disk refuses, with the path in each error. */
const changing: Record<string, [tool: string, args: Record<string, unknown>, displayPath: string]> = {
  'replacing a file': ['write_file', { path: 'f', content: 'new' }, 'f'],
  'a new file': ['write_file', { path: 'new', content: 'new' }, 'new'],
  'a new file in new folders': ['write_file', { path: 'p/new', content: 'x', createParents: true }, 'p/new'],
  appending: ['write_file', { path: 'f', content: 'new', append: true }, 'f'],
  'an edit': ['edit_file', { path: 'f', edits: [{ oldText: 'old', newText: 'new' }] }, 'f'],
  'a folder': ['create_directory', { path: 'p' }, 'p'],
  'copying a file': ['copy_file', { source: 'f', destination: 'copy' }, 'copy'],
  'copying a folder': ['copy_file', { source: 'folder', destination: 'copy' }, 'copy'],
  'copying a link': ['copy_file', { source: 'link', destination: 'copy' }, 'copy'],
  'moving a file': ['move_file', { source: 'f', destination: 'moved' }, 'moved'],
  'moving a folder': ['move_file', { source: 'folder', destination: 'moved' }, 'folder'],
  'moving a link': ['move_file', { source: 'link', destination: 'moved' }, 'moved'],
  times: ['set_file_attributes', { path: 'f', modified: 'now' }, 'f'],
  rights: ['set_file_attributes', { path: 'f', mode: '600' }, 'f'],
  'deleting a file': ['delete_file', { path: 'f' }, 'f'],
  'deleting a folder': ['delete_file', { path: 'folder', recursive: true }, 'folder'],
};

describe.runIf(canMount())('on a read-only disk', () => {
  const world = new World();

  async function mount(): Promise<(mode: 'ro' | 'rw') => void> {
    const mounts = await world.mounts();
    mounts.mountMemory(world.root, 'size=8m');
    world.put('f', 'old');
    world.put('folder/g', 'inside');
    mounts.run('ln', '-s', 'f', `${world.root}/link`);
    return (mode) => mounts.run('mount', '-o', `remount,bind,${mode}`, world.root);
  }

  test.each(['from the start', 'since a moment ago'])(
    '%s, changes are refused with one line and reads succeed, and both succeed once it is writable',
    async (since) => {
      const remount = await mount();
      if (since === 'from the start') remount('ro');
      const client = await world.start({ args: ['--allow-delete', world.root] });
      expect(await call(client, 'read_text_file', { path: 'f' })).toMatchObject({
        code: 'done',
        text: 'old',
      });
      remount('ro');
      const before = world.all();
      for (const [what, [tool, args, displayPath]] of Object.entries(changing))
        expect([what, messageOf(await call(client, tool, args))]).toEqual([
          what,
          `read-only: read-only: ${displayPath}`,
        ]);
      expect(await call(client, 'search_content', { path: '.', pattern: 'ins' })).toMatchObject({
        code: 'done',
      });
      expect(await call(client, 'edit_file', { ...changing['an edit']?.[1], dryRun: true })).toMatchObject({
        code: 'done',
      });
      remount('rw');
      expect(world.all()).toEqual(before);
      for (const what of ['an edit', 'a new file in new folders', 'copying a folder', 'deleting a folder']) {
        const [tool, args] = changing[what]!;
        expect([what, await call(client, tool, args)]).toMatchObject([what, { code: 'done' }]);
      }
    },
  );
});
