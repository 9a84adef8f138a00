import { chmodSync, chownSync, cpSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@rootbound/protocol/client';
import { beforeEach, describe, expect, test } from 'vitest';
import { call, dist, World } from './world.ts';

const NOBODY = 65_534;
const OTHER = 1234;

// only root can change the user
describe.runIf(process.getuid?.() === 0)('a server of a user among files of others', () => {
  const world = new World();

  beforeEach(() => {
    chmodSync(world.top, 0o755);
    cpSync(dist, join(world.top, 'dist'), { recursive: true });
    for (const [name, mode, owner] of [
      ['mine', 0o644, NOBODY],
      ['closed', 0o444, NOBODY],
      ['theirs', 0o644, OTHER],
      ['shared', 0o666, OTHER],
    ] as const) {
      world.put(`d/${name}`, 'old');
      chmodSync(world.at(`d/${name}`), mode);
      chownSync(world.at(`d/${name}`), owner, owner);
    }
    chownSync(world.at('d'), NOBODY, NOBODY);
  });

  function start(): Promise<Client> {
    return world.start({
      node: ['--import', join(import.meta.dirname, 'nobody.mjs')],
      program: join(world.top, 'dist', 'cli.js'),
      args: [world.root],
    });
  }

  const changes: readonly (readonly [tool: string, args: Record<string, unknown>])[] = [
    ['write_file', { content: 'new' }],
    ['edit_file', { edits: [{ oldText: 'old', newText: 'new' }] }],
    ['edit_file', { edits: [{ insertLine: 0, newText: 'new' }] }],
    ['write_file', { content: 'new', append: true }],
  ];

  test.for(changes)(
    '%s %o: refused for a file that its user may not write, even in its own folder',
    async ([tool, args]) => {
      const client = await start();
      for (const path of ['d/closed', 'd/theirs']) {
        const before = statSync(world.at(path));
        expect([path, (await call(client, tool, { path, ...args })).code]).toEqual([path, 'permission']);
        const { ino, uid, mode, mtimeMs } = statSync(world.at(path));
        expect({ ino, uid, mode, mtimeMs }).toEqual({
          ino: before.ino,
          uid: before.uid,
          mode: before.mode,
          mtimeMs: before.mtimeMs,
        });
      }
      expect(readdirSync(world.at('d')).sort()).toEqual(['closed', 'mine', 'shared', 'theirs']);
    },
  );

  test.for(changes)('%s %o: a writable file keeps its owner', async ([tool, args]) => {
    const client = await start();
    for (const path of ['d/mine', 'd/shared']) {
      const { uid, gid, mode } = statSync(world.at(path));
      expect([path, (await call(client, tool, { path, ...args })).code]).toEqual([path, 'done']);
      expect(statSync(world.at(path))).toMatchObject({ uid, gid, mode });
    }
  });
});
