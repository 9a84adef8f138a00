import { mkdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, inEveryRevision, Scene, whereStructured } from '../harness.ts';

const scene = new Scene();

inEveryRevision((revision) => {
  test('a file and a directory are copied to a new name, links as links', async () => {
    scene.put('a/f.txt', 'one');
    symlinkSync(scene.outside, scene.at('a/out'));
    const client = await scene.client({ revision });
    const file = await call(client, 'copy_file', { source: 'a/f.txt', destination: 'g.txt' });
    expect(file.text).toMatch(/^copied a\/f\.txt to g\.txt, 3 bytes, etag \S+$/);
    const folder = await call(client, 'copy_file', { source: 'a', destination: 'b' });
    expect(folder.text).toBe('copied a to b, 3 entries, 3 bytes');
    expect([scene.bytes('b/f.txt').toString(), readlinkSync(scene.at('b/out')), scene.names()]).toEqual([
      'one',
      scene.outside,
      ['a', 'b', 'g.txt'],
    ]);
    expect((await call(client, 'read_text_file', { path: 'b/out/x' })).code).toBe('not-found');
  });

  test('a copy overwrites nothing and does not cross the roots', async () => {
    scene.put('a.txt', 'one');
    scene.put('b.txt', 'two');
    mkdirSync(scene.at('dir'));
    symlinkSync(scene.outside, scene.at('leak'));
    const client = await scene.client({ revision });
    for (const [source, destination, code] of [
      ['a.txt', 'b.txt', 'exists'],
      ['a.txt', 'dir', 'exists'],
      ['dir', 'dir/inside', 'invalid-path'],
      ['.', 'dir/all', 'invalid-path'],
      ['a.txt', '../outside/a.txt', 'not-found'],
      ['a.txt', 'leak/a.txt', 'not-found'],
      ['a.txt', 'none/a.txt', 'not-found'],
      ['../outside', 'copy', 'not-found'],
      [join(scene.outside, 'x'), 'copy', 'not-found'],
    ] as const) {
      const refused = await call(client, 'copy_file', { source, destination });
      expect([source, destination, refused.code]).toEqual([source, destination, code]);
    }
    expect([scene.names(), scene.names(scene.outside)]).toEqual([['a.txt', 'b.txt', 'dir', 'leak'], []]);
  });

  test('a cancelled copy leaves nothing behind, and the session continues', async () => {
    for (let index = 0; index < 300; index++) scene.put(`a/d${index % 10}/f${index}`, 'x');
    const client = await scene.client({ revision });
    const controller = new AbortController();
    const copying = call(
      client,
      'copy_file',
      { source: 'a', destination: 'b' },
      { signal: controller.signal },
    );
    controller.abort();
    await expect(copying).rejects.toThrow();
    expect((await call(client, 'create_directory', { path: 'c' })).failed).toBe(false);
    await expect.poll(() => scene.names(), { timeout: 120_000 }).toEqual(['a', 'c']);
  });
});

whereStructured((revision) => {
  test('the structured half counts the copied and the skipped entries', async () => {
    for (const name of ['a/f', 'a/sub/g', 'a/.env', 'a/sub/.env']) scene.put(name, 'abc');
    const client = await scene.client({ revision });
    expect((await call(client, 'copy_file', { source: 'a', destination: 'b' })).facts).toEqual({
      source: 'a',
      destination: 'b',
      type: 'directory',
      entries: 4,
      bytes: 6,
      skipped: 2,
    });
    expect((await call(client, 'copy_file', { source: 'a/f', destination: 'g' })).facts).toEqual({
      source: 'a/f',
      destination: 'g',
      type: 'file',
      entries: 1,
      bytes: 3,
      skipped: 0,
      etag: expect.any(String),
    });
    expect(scene.names(scene.at('b'))).toEqual(['f', 'sub']);
  });

  test('progress of a directory rises to its total, by entries', async () => {
    for (let index = 0; index < 300; index++) scene.put(`a/d${index % 10}/f${index}`, 'x');
    const client = await scene.client({ revision });
    const reported: (number | undefined)[][] = [];
    const onProgress = ({ progress, total }: { progress: number; total?: number }) =>
      reported.push([progress, total]);
    await call(client, 'copy_file', { source: 'a', destination: 'b' }, { onProgress });
    expect(reported.at(-1)).toEqual([310, 310]);
    const rising = reported.map(([progress]) => progress!);
    expect(rising).toEqual(rising.toSorted((a, b) => a - b));
  });
});
