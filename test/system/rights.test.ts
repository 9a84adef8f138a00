import { chmodSync, chownSync, cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@rootbound/protocol/client';
import { beforeEach, describe, expect, test } from 'vitest';
import { call, dist, messageOf, World } from './world.ts';

const NOBODY = 65_534;

// only root can change the user
describe.runIf(process.getuid?.() === 0)('a server of an unprivileged user', () => {
  const world = new World();

  beforeEach(() => {
    chmodSync(world.top, 0o755);
    // other users may be unable to enter the folder of this checkout
    cpSync(dist, join(world.top, 'dist'), { recursive: true });
    world.put('mine/f', 'mine');
    world.put('closed/unreadable', 'nobody reads this');
    world.put('closed/unwritable', 'may be read');
    world.put('unlistable/f', 'known by name');
    world.put('unsearchable/f', 'not reached');
    world.put('unchangeable/f', 'in a folder of someone else');
    chownSync(world.at('mine'), NOBODY, NOBODY);
    chownSync(world.at('mine/f'), NOBODY, NOBODY);
    // its own file and a link, in a folder from which it may delete nothing
    world.put('unchangeable/own', 'own');
    chownSync(world.at('unchangeable/own'), NOBODY, NOBODY);
    symlinkSync('own', world.at('unchangeable/link'));
    chmodSync(world.at('closed/unreadable'), 0o600);
    chmodSync(world.at('unlistable'), 0o711);
    chmodSync(world.at('unsearchable'), 0o744);
    symlinkSync(join(world.outside, 'closed', 'f'), world.at('mine/blocked'));
    mkdirSync(join(world.outside, 'closed'), { mode: 0o700 });
  });

  function start(args: readonly string[] = [world.root]): Promise<Client> {
    return world.start({
      node: ['--import', join(import.meta.dirname, 'nobody.mjs')],
      program: join(world.top, 'dist', 'cli.js'),
      args,
    });
  }

  const denied = (path: string): string => `permission: the operating system denies access: ${path}`;
  const missing = (path: string): string => `not-found: no such file or folder: ${path}`;

  test('every tool reports a denied permission with one line, and changes nothing', async () => {
    const client = await start(['--allow-delete', world.root]);
    const before = world.all();
    const edits = [{ oldText: 'o', newText: 'x', replaceAll: true }];
    const table: [tool: string, args: Record<string, unknown>, message: string][] = [
      ['read_text_file', { path: 'closed/unreadable' }, denied('closed/unreadable')],
      ['read_text_file', { path: 'unsearchable/f' }, denied('unsearchable/f')],
      ['read_media_file', { path: 'closed/unreadable' }, denied('closed/unreadable')],
      ['get_file_info', { path: 'unsearchable/f' }, denied('unsearchable/f')],
      ['list_directory', { path: 'unlistable' }, denied('unlistable')],
      ['list_directory', { path: 'unlistable', sort: 'none' }, denied('unlistable')],
      ['directory_tree', { path: 'unlistable' }, denied('unlistable')],
      ['search_files', { path: 'unlistable', pattern: 'f' }, denied('unlistable')],
      ['search_content', { path: 'unlistable', pattern: 'f' }, denied('unlistable')],
      ['write_file', { path: 'closed/unreadable', content: 'x' }, denied('closed/unreadable')],
      ['write_file', { path: 'unchangeable/new', content: 'x' }, denied('unchangeable/new')],
      ['write_file', { path: 'unchangeable/f', content: 'x' }, denied('unchangeable/f')],
      ['write_file', { path: 'unchangeable/f', content: 'x', append: true }, denied('unchangeable/f')],
      ['write_file', { path: 'p/q', content: 'x', createParents: true }, denied('p/q')],
      ['write_file', { path: 'unsearchable/new', content: 'x' }, denied('unsearchable/new')],
      ['edit_file', { path: 'closed/unreadable', edits }, denied('closed/unreadable')],
      ['edit_file', { path: 'unchangeable/f', edits }, denied('unchangeable/f')],
      ['create_directory', { path: 'unchangeable/new' }, denied('unchangeable/new')],
      ['set_file_attributes', { path: 'unchangeable/f', mode: '644' }, denied('unchangeable/f')],
      ['copy_file', { source: 'closed/unreadable', destination: 'mine/copy' }, denied('closed/unreadable')],
      ['copy_file', { source: 'closed', destination: 'mine/copy' }, denied('closed/unreadable')],
      ['copy_file', { source: 'unlistable', destination: 'mine/copy' }, denied('unlistable')],
      ['copy_file', { source: 'mine/f', destination: 'unchangeable/copy' }, denied('unchangeable/copy')],
      ['move_file', { source: 'mine/f', destination: 'unchangeable/g' }, denied('unchangeable/g')],
      ['move_file', { source: 'unchangeable/f', destination: 'mine/g' }, denied('unchangeable/f')],
      ['move_file', { source: 'unchangeable/own', destination: 'mine/g' }, denied('unchangeable/own')],
      ['move_file', { source: 'unchangeable/link', destination: 'mine/g' }, denied('unchangeable/link')],
      ['move_file', { source: 'unchangeable', destination: 'mine/g' }, denied('unchangeable')],
      ['delete_file', { path: 'unchangeable/f' }, denied('unchangeable/f')],
      ['delete_file', { path: 'unlistable', recursive: true }, denied('unlistable')],
      // the permissions of an outside folder are not revealed
      ['read_text_file', { path: 'mine/blocked' }, missing('mine/blocked')],
      [
        'get_file_info',
        { path: join(world.outside, 'closed', 'f') },
        missing(join(world.outside, 'closed', 'f')),
      ],
    ];
    for (const [tool, args, words] of table)
      expect([tool, args, messageOf(await call(client, tool, args))]).toEqual([tool, args, words]);
    expect(world.all()).toEqual(before);
  });

  test('permitted operations succeed, even if the root belongs to another user', async () => {
    const client = await start(['--allow-delete', world.root]);
    for (const [tool, args] of [
      ['read_text_file', { path: 'unlistable/f' }],
      ['write_file', { path: 'mine/new', content: 'x' }],
      ['edit_file', { path: 'mine/f', edits: [{ oldText: 'mine', newText: 'ours' }] }],
      ['write_file', { path: 'mine/f', content: 'more', append: true }],
      ['copy_file', { source: 'closed/unwritable', destination: 'mine/copy' }],
      ['copy_file', { source: 'unchangeable', destination: 'mine/folder' }],
      ['move_file', { source: 'mine/copy', destination: 'mine/moved' }],
      ['delete_file', { path: 'mine/folder', recursive: true }],
      ['set_file_attributes', { path: 'mine/moved', mode: '600' }],
    ] as const)
      expect([tool, args, await call(client, tool, args)]).toMatchObject([tool, args, { code: 'done' }]);
    expect(readdirSync(world.at('mine')).sort()).toEqual(['blocked', 'f', 'moved', 'new']);
    expect(readdirSync(world.root).some((name) => name.startsWith('.rootbound'))).toBe(false);
  });

  test('lists and searches return the readable entries and name the unreadable ones', async () => {
    const client = await start();
    expect(await call(client, 'list_directory', { path: '.', details: true })).toMatchObject({
      code: 'done',
    });
    const tree = await call(client, 'directory_tree', { path: '.' });
    expect(tree).toMatchObject({
      code: 'done',
      facts: { unreadable: '1 unreadable: unlistable (EACCES)' },
    });
    expect(tree.text).toContain('unlistable');
    const names = await call(client, 'search_files', { path: '.', pattern: '**/f' });
    expect(names).toMatchObject({
      code: 'done',
      facts: { unreadable: '1 unreadable: unlistable (EACCES)' },
    });
    const lines = await call(client, 'search_content', { path: '.', pattern: 'e' });
    expect(lines).toMatchObject({
      code: 'done',
      facts: {
        searched: 4,
        unreadable: '3 unreadable: closed/unreadable (EACCES), unlistable (EACCES), unsearchable/f (EACCES)',
      },
    });
    const several = await call(client, 'read_multiple_files', {
      paths: ['closed/unreadable', 'closed/unwritable', 'unsearchable/f', 'mine/f'],
    });
    expect(several.facts.files).toMatchObject([
      { error: expect.stringContaining('denies access: closed/unreadable') },
      { text: 'may be read' },
      { error: expect.stringContaining('denies access: unsearchable/f') },
      { text: 'mine' },
    ]);
  });

  test.each([
    ['may not be listed', 0o711, { list: denied('.'), read: 'done: mine' }],
    ['may not be searched', 0o600, { list: denied('.'), read: denied('mine/f') }],
  ])('a root that %s is reported, and served again once it is accessible', async (_what, mode, expected) => {
    chmodSync(world.root, mode);
    const client = await start();
    const list = async (): Promise<string> => messageOf(await call(client, 'list_directory', { path: '.' }));
    const read = async (): Promise<string> =>
      messageOf(await call(client, 'read_text_file', { path: 'mine/f' }));
    expect(
      [await list(), await read()].map((words, n) => words.slice(0, Object.values(expected)[n]?.length)),
    ).toEqual(Object.values(expected));
    chmodSync(world.root, 0o755);
    expect([(await list()).slice(0, 4), await read()]).toEqual(['done', 'done: mine']);
  });
});
