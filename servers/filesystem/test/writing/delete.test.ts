import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { call, inEveryRevision, Scene, whereStructured } from '../harness.ts';

const scene = new Scene();
const extra = { 'allow-delete': true, confirm: 'never' };

inEveryRevision((revision) => {
  test('the tool is listed only if the operator allows it', async () => {
    const names = async (more: object) =>
      (await (await scene.client({ revision, ...more })).listTools()).map((tool) => tool.name);
    expect(await names({})).not.toContain('delete_file');
    expect(await names({ extra })).toContain('delete_file');
    expect(await names({ extra: { trash: true } })).toContain('delete_file');
    expect(await names({ extra, readOnly: true })).not.toContain('delete_file');
    scene.put('a.txt', 'x');
    const client = await scene.client({ revision });
    await expect(call(client, 'delete_file', { path: 'a.txt' })).rejects.toThrow('unknown tool');
    expect(scene.names()).toEqual(['a.txt']);
  });

  test('a file, a link and a directory are deleted; one that is not empty needs recursive', async () => {
    scene.put('a.txt', 'x');
    scene.put('dir/sub/f', 'x');
    mkdirSync(scene.at('empty'));
    writeFileSync(join(scene.outside, 'kept'), 'x');
    symlinkSync(scene.outside, scene.at('link'));
    const client = await scene.client({ revision, extra });
    expect((await call(client, 'delete_file', { path: 'a.txt' })).text).toBe('deleted a.txt');
    expect((await call(client, 'delete_file', { path: 'empty' })).text).toBe('deleted empty');
    expect((await call(client, 'delete_file', { path: 'link', recursive: true })).text).toBe('deleted link');
    const refused = await call(client, 'delete_file', { path: 'dir' });
    expect([refused.code, refused.text]).toEqual([
      'not-empty',
      'not empty: dir\nset recursive to delete all that it holds',
    ]);
    expect((await call(client, 'delete_file', { path: 'dir', recursive: true })).text).toBe(
      'deleted dir and 2 entries in it',
    );
    expect([scene.names(), scene.names(scene.outside)]).toEqual([[], ['kept']]);
  });

  test('roots, read-only, denied and outside paths, and directories that contain them, are refused', async () => {
    for (const name of ['kept/f', 'dir/.env', '.env', 'f']) scene.put(name, 'x');
    symlinkSync(scene.outside, scene.at('leak'));
    writeFileSync(join(scene.outside, 'x'), 'x');
    const roots = [
      { path: scene.root, readOnly: false },
      { path: scene.at('kept'), readOnly: true },
    ];
    const client = await scene.client({ revision, extra, roots });
    for (const [path, code] of [
      [scene.root, 'permission'],
      ['.', 'permission'],
      ['kept', 'permission'],
      ['kept/f', 'read-only'],
      ['dir', 'permission'],
      ['.env', 'permission'],
      ['leak/x', 'not-found'],
      ['../outside/x', 'not-found'],
      [scene.top, 'not-found'],
      ['none', 'not-found'],
      ['f/', 'not-a-directory'],
    ] as const) {
      expect([path, (await call(client, 'delete_file', { path, recursive: true })).code]).toEqual([
        path,
        code,
      ]);
    }
    const words = async (path: string) => (await call(client, 'delete_file', { path, recursive: true })).text;
    expect([await words('.'), await words('dir')]).toEqual([
      'has to stay where it is: .\na root itself is not replaced, moved or deleted',
      "has to stay where it is: dir\nit holds something that the operator's policy keeps; delete the rest by name",
    ]);
    expect([scene.names(), scene.names(scene.at('dir'))]).toEqual([
      ['.env', 'dir', 'f', 'kept', 'leak'],
      ['.env'],
    ]);
  });
});

whereStructured((revision) => {
  test('the structured half counts the deleted entries, and ifMatch refuses a file that has changed', async () => {
    scene.put('dir/f', 'x');
    const client = await scene.client({ revision, extra });
    const { etag } = (await call(client, 'get_file_info', { path: 'dir/f' })).facts;
    scene.put('dir/f', 'longer');
    const changed = await call(client, 'delete_file', { path: 'dir/f', ifMatch: etag });
    expect([changed.code, scene.bytes('dir/f').toString()]).toEqual(['changed', 'longer']);
    expect((await call(client, 'delete_file', { path: 'dir', recursive: true })).facts).toEqual({
      path: 'dir',
      type: 'directory',
      entries: 2,
      trashed: false,
    });
  });

  test('progress of a directory rises to its total', async () => {
    for (let index = 0; index < 300; index++) scene.put(`a/d${index % 10}/f${index}`, 'x');
    const client = await scene.client({ revision, extra });
    const reported: (number | undefined)[][] = [];
    const onProgress = ({ progress, total }: { progress: number; total?: number }) =>
      reported.push([progress, total]);
    await call(client, 'delete_file', { path: 'a', recursive: true }, { onProgress });
    expect([reported.at(-1), scene.names()]).toEqual([[311, 311], []]);
  });

  describe.runIf(process.platform === 'linux')('with --trash', () => {
    let before: string | undefined;
    beforeEach(() => {
      before = process.env.XDG_DATA_HOME;
      process.env.XDG_DATA_HOME = join(scene.top, 'data');
    });
    afterEach(() => {
      if (before === undefined) delete process.env.XDG_DATA_HOME;
      else process.env.XDG_DATA_HOME = before;
    });

    test('it is moved to the trash, whose path is not revealed', async () => {
      scene.put('dir/f', 'content');
      const client = await scene.client({ revision, extra: { trash: true, confirm: 'never' } });
      const outcome = await call(client, 'delete_file', { path: 'dir', recursive: true });
      expect([outcome.facts, outcome.text]).toEqual([
        { path: 'dir', type: 'directory', entries: 2, trashed: true },
        'moved dir and 1 entry in it to the trash',
      ]);
      expect(readFileSync(join(scene.top, 'data/Trash/files/dir/f'), 'utf8')).toBe('content');
      expect(JSON.stringify(outcome.result)).not.toContain('Trash');
      expect(scene.names()).toEqual([]);
    });
  });
});
