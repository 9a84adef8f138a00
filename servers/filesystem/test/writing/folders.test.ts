import { lstatSync, mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, inEveryRevision, Scene, whereStructured } from '../harness.ts';

const scene = new Scene();

inEveryRevision((revision) => {
  test('a directory is created with its parents, and a second call succeeds', async () => {
    const client = await scene.client({ revision });
    expect((await call(client, 'create_directory', { path: 'a/b/c' })).text).toBe('created a/b/c');
    expect(lstatSync(scene.at('a/b/c')).isDirectory()).toBe(true);
    const again = await call(client, 'create_directory', { path: 'a/b/c/' });
    expect([again.failed, again.text]).toEqual([false, 'a/b/c/ already existed']);
    expect((await call(client, 'create_directory', { path: scene.root })).failed).toBe(false);
  });

  test('a directory outside the roots, or through a link to outside, is not created', async () => {
    symlinkSync(scene.outside, scene.at('leak'));
    const client = await scene.client({ revision });
    for (const path of ['../outside/a', 'leak/a', join(scene.outside, 'a/b'), join(scene.top, 'new')]) {
      expect((await call(client, 'create_directory', { path })).code, path).toBe('not-found');
    }
    expect([scene.names(scene.outside), scene.names(scene.top)]).toEqual([[], ['outside', 'root']]);
  });

  test('a directory cannot be created in place of a file', async () => {
    scene.put('a.txt', 'one');
    const client = await scene.client({ revision });
    for (const path of ['a.txt', 'a.txt/b']) {
      expect((await call(client, 'create_directory', { path })).failed, path).toBe(true);
    }
    expect(scene.bytes('a.txt').toString()).toBe('one');
  });

  test('a file and a directory are moved to a new name', async () => {
    scene.put('a.txt', 'one');
    scene.put('dir/inner.txt', 'two');
    mkdirSync(scene.at('other'));
    const client = await scene.client({ revision });
    expect((await call(client, 'move_file', { source: 'a.txt', destination: 'other/b.txt' })).text).toMatch(
      /^moved a\.txt to other\/b\.txt, etag \S+$/,
    );
    expect((await call(client, 'move_file', { source: 'dir', destination: 'other/moved' })).failed).toBe(
      false,
    );
    expect([scene.names(), scene.names(scene.at('other'))]).toEqual([['other'], ['b.txt', 'moved']]);
    expect(scene.bytes('other/moved/inner.txt').toString()).toBe('two');
  });

  test('a move overwrites nothing', async () => {
    scene.put('a.txt', 'one');
    scene.put('b.txt', 'two');
    scene.put('dir/c.txt', 'three');
    mkdirSync(scene.at('empty'));
    symlinkSync('nowhere', scene.at('dangling'));
    const client = await scene.client({ revision });
    for (const [source, destination] of [
      ['a.txt', 'b.txt'],
      ['a.txt', 'dir'],
      ['dir', 'empty'],
      ['dir', 'b.txt'],
      ['a.txt', 'dangling'],
      ['a.txt', 'a.txt'],
    ] as const) {
      const { failed, code } = await call(client, 'move_file', { source, destination });
      expect([failed, code], `${source} to ${destination}`).toEqual([true, 'exists']);
    }
    expect(scene.names()).toEqual(['a.txt', 'b.txt', 'dangling', 'dir', 'empty']);
    expect([scene.bytes('a.txt').toString(), scene.bytes('b.txt').toString()]).toEqual(['one', 'two']);
  });

  test('a move of a link moves the link, even one to outside, and its target stays', async () => {
    writeFileSync(join(scene.outside, 'a.txt'), 'outside');
    symlinkSync(join(scene.outside, 'a.txt'), scene.at('link'));
    const client = await scene.client({ revision });
    expect((await call(client, 'move_file', { source: 'link', destination: 'moved' })).failed).toBe(false);
    expect([scene.names(), readlinkSync(scene.at('moved'))]).toEqual([
      ['moved'],
      join(scene.outside, 'a.txt'),
    ]);
    expect(readFileSync(join(scene.outside, 'a.txt'), 'utf8')).toBe('outside');
  });

  test('a move into a missing folder, out of the root or into it is refused', async () => {
    scene.put('a.txt', 'one');
    scene.put('dir/b.txt', 'two');
    writeFileSync(join(scene.outside, 'c.txt'), 'outside');
    symlinkSync(scene.outside, scene.at('leak'));
    const client = await scene.client({ revision });
    for (const [source, destination] of [
      ['a.txt', 'none/a.txt'],
      ['a.txt', '../outside/a.txt'],
      ['a.txt', 'leak/a.txt'],
      ['leak/c.txt', 'c.txt'],
      ['../outside/c.txt', 'c.txt'],
      ['dir', 'dir/inside'],
      [scene.root, 'dir/root'],
      ['none.txt', 'x.txt'],
    ] as const) {
      expect(
        (await call(client, 'move_file', { source, destination })).failed,
        `${source} to ${destination}`,
      ).toBe(true);
    }
    expect([scene.names(), scene.names(scene.outside)]).toEqual([['a.txt', 'dir', 'leak'], ['c.txt']]);
  });
});

whereStructured((revision) => {
  test('the structured halves have the created and moved paths', async () => {
    scene.put('a.txt', 'one');
    const client = await scene.client({ revision });
    expect((await call(client, 'create_directory', { path: 'dir' })).facts).toEqual({
      path: 'dir',
      created: true,
    });
    expect((await call(client, 'create_directory', { path: 'dir' })).facts).toEqual({
      path: 'dir',
      created: false,
    });
    expect((await call(client, 'move_file', { source: 'a.txt', destination: 'dir/a.txt' })).facts).toEqual({
      source: 'a.txt',
      destination: 'dir/a.txt',
      etag: expect.any(String),
    });
  });
});
