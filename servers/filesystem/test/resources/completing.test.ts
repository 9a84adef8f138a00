import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { inEveryRevision, Scene } from '../harness.ts';

const scene = new Scene();
const template = { type: 'ref/resource', uri: 'file:///{+path}' } as const;
/** Returns a path as a value of the template: percent-encoded, without the leading slash. */
const value = (path: string): string => pathToFileURL(path).href.slice('file:///'.length);

inEveryRevision((revision) => {
  const complete = async (typed: string, setting: object = {}) => {
    const client = await scene.client({ revision, ...setting });
    return client.complete(template, { name: 'path', value: typed });
  };

  test('an empty value and any prefix of the root are completed to the root', async () => {
    for (const typed of ['', value(scene.root).slice(0, 2), value(scene.root)]) {
      expect((await complete(typed)).values, typed).toContain(`${value(scene.root)}/`);
    }
  });

  test('completed names are percent-encoded, so that each URI can be read', async () => {
    const names = ['x a b.txt', 'x c#d.txt', 'x e?f.txt', 'x g%h.txt', 'x ü漢😀.txt'];
    for (const name of names) scene.put(name, name);
    scene.put('other.txt');
    const client = await scene.client({ revision });
    for (const typed of [`${value(scene.root)}/x%20`, `${value(scene.root)}/x`]) {
      const { values, hasMore } = await client.complete(template, { name: 'path', value: typed });
      expect([values.length, hasMore], typed).toEqual([names.length, false]);
      const read: string[] = [];
      for (const found of values) {
        const { contents } = await client.readResource(`file:///${found}`);
        read.push((contents[0] as { text: string }).text);
      }
      expect(read.sort()).toEqual([...names].sort());
    }
  });

  test('folders end in a slash and can be completed further', async () => {
    scene.put('dir/inner.txt');
    mkdirSync(scene.at('dir2'));
    expect((await complete(`${value(scene.root)}/di`)).values).toEqual([
      `${value(scene.root)}/dir/`,
      `${value(scene.root)}/dir2/`,
    ]);
    expect((await complete(`${value(scene.root)}/dir/`)).values).toEqual([
      `${value(scene.root)}/dir/inner.txt`,
    ]);
  });

  test('a dot completes hidden names', async () => {
    scene.put('.hidden');
    scene.put('shown');
    expect((await complete(`${value(scene.root)}/.`)).values).toEqual([`${value(scene.root)}/.hidden`]);
  });

  test('at most 100 values are returned, with hasMore', async () => {
    for (let index = 0; index < 120; index++) scene.put(`entry-${index}`);
    const { values, hasMore } = await complete(`${value(scene.root)}/entry-`);
    expect([values.length, hasMore]).toEqual([100, true]);
  });

  test('paths outside the roots are not completed', async () => {
    mkdirSync(join(scene.outside, 'secret'));
    symlinkSync(scene.outside, scene.at('leak'));
    const inside = `${value(scene.root)}/`;
    for (const typed of [
      `${value(scene.outside)}/`,
      `${value(scene.outside)}/se`,
      `${inside}leak/`,
      `${inside}../outside/`,
      `${inside}%2e%2e/outside/se`,
      'etc/pass',
      '%zz',
    ]) {
      expect((await complete(typed)).values, typed).toEqual([]);
    }
  });

  test('denied paths and paths below them are not completed', async () => {
    for (const name of ['x.txt', 'x.key', '.env', '.git/config']) scene.put(name);
    scene.put('mine/secret/x');
    const setting = { extra: { deny: ['mine/secret'] } };
    const inside = `${value(scene.root)}/`;
    expect((await complete(`${inside}x`, setting)).values).toEqual([`${inside}x.txt`]);
    for (const typed of ['.e', '.git/', 'mine/', 'mine/secret/'])
      expect((await complete(inside + typed, setting)).values, typed).toEqual([]);
  });

  test.each(['explore', 'review_changes', 'explain_file'])(
    'the path of the prompt %s is completed, absolute or from the first root, without denied paths',
    async (name) => {
      scene.put('a dir/b.txt');
      scene.put('a dir/id_rsa');
      scene.put('a.key');
      const client = await scene.client({ revision });
      const completed = async (typed: string) => {
        const argument = { name: 'path', value: typed };
        return (await client.complete({ type: 'ref/prompt', name }, argument)).values;
      };
      expect(await completed(`${scene.root}/a`)).toEqual([`${scene.root}/a dir/`]);
      expect(await completed('a')).toEqual(['a dir/']);
      expect(await completed('a dir/')).toEqual(['a dir/b.txt']);
      expect(await completed('')).toEqual([`${scene.root}/`]);
    },
  );
});
