import { unlinkSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { call, newest, Scene } from '../harness.ts';

/** Names on which lstat was called. */
const looks = vi.hoisted(() => [] as string[]);

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  return {
    ...fs,
    lstatSync(...args: Parameters<typeof fs.lstatSync>) {
      looks.push(String(args[0]).split('/').at(-1)!);
      return fs.lstatSync(...args);
    },
  };
});

const scene = new Scene();

test('a directory sorted by name is listed without lstat of its entries, unless details are set', async () => {
  for (const path of ['a.txt', 'b/inner']) scene.put(path);
  const client = await scene.client({ revision: newest });
  const types = [
    { name: 'a.txt', type: 'file' },
    { name: 'b', type: 'directory' },
  ];
  for (const [details, looked] of [
    [false, []],
    [true, ['a.txt', 'b']],
  ]) {
    looks.length = 0;
    const { result } = await call(client, 'list_directory', { path: '.', details });
    expect(looks.filter((name) => types.some((entry) => entry.name === name))).toEqual(looked);
    expect(result.structuredContent).toMatchObject({ entries: types });
  }
});

test('a later page omits entries that were deleted since the first', async () => {
  for (const path of ['a', 'b', 'c']) scene.put(path);
  const client = await scene.client({ revision: newest });
  const first = await call(client, 'list_directory', { path: '.', limit: 1 });
  unlinkSync(scene.at('b'));
  const args = { path: '.', limit: 1, cursor: first.facts.nextCursor };
  const second = await call(client, 'list_directory', args);
  expect(second.result.structuredContent).toMatchObject({ entries: [{ name: 'c', type: 'file' }] });
});
