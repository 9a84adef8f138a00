import type { Client } from '@rootbound/protocol/client';
import { beforeEach, describe, expect, test } from 'vitest';
import { toolNames } from '../../src/spec.ts';
import { call, inEveryRevision, newest, Scene, withHandshake } from '../harness.ts';

const scene = new Scene();

beforeEach(() => {
  scene.put('a.txt', 'one');
  scene.put('kept/b.txt', 'two');
  scene.put('kept/open/c.txt', 'three');
});

/** Each tool that writes, with valid arguments. */
const writing: Record<string, Record<string, unknown>> = {
  write_file: { path: 'new.txt', content: 'x' },
  edit_file: { path: 'a.txt', edits: [{ oldText: 'one', newText: 'x' }] },
  create_directory: { path: 'new' },
  move_file: { source: 'a.txt', destination: 'moved.txt' },
  copy_file: { source: 'a.txt', destination: 'copied.txt' },
  delete_file: { path: 'a.txt' },
  set_file_attributes: { path: 'a.txt', mode: '600' },
};

const listed = async (client: Client): Promise<string[]> =>
  (await client.listTools()).map(({ name }) => name);

/** Returns the error of a call to a tool that is not offered. */
async function refusal(client: Client, name: string, args: Record<string, unknown>): Promise<string> {
  return call(client, name, args).then(
    ({ text }) => `answered: ${text}`,
    (error: unknown) => String(error),
  );
}

inEveryRevision((revision) => {
  test('--read-only: no tool that writes is listed or can be called', async () => {
    const client = await scene.client({ revision, readOnly: true, extra: { 'allow-delete': true } });
    const tools = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(toolNames.filter((name) => !(name in writing)));
    if (revision !== '2024-11-05')
      for (const { name, annotations } of tools) expect(annotations?.readOnlyHint, name).toBe(true);
    for (const [name, args] of Object.entries(writing)) {
      expect(await refusal(client, name, args), name).toBe(
        (await refusal(client, 'no_such_tool', args)).replace('no_such_tool', name),
      );
    }
    expect(scene.names()).toEqual(['a.txt', 'kept']);
  });

  test('delete_file is offered with --allow-delete or --trash, and cannot be called otherwise', async () => {
    expect(await listed(await scene.client({ revision }))).not.toContain('delete_file');
    const client = await scene.client({ revision });
    expect(await refusal(client, 'delete_file', { path: 'a.txt' })).toContain('delete_file');
    expect(scene.names()).toContain('a.txt');
    for (const extra of [{ 'allow-delete': true }, { trash: true }])
      expect(await listed(await scene.client({ revision, extra }))).toContain('delete_file');
  });

  test('excluded tools are not listed and cannot be called, under any of their names', async () => {
    const without = (...names: string[]) => toolNames.filter((name) => !names.includes(name));
    const client = await scene.client({ revision, tools: without('read_text_file', 'list_directory') });
    expect(await listed(client)).toEqual(without('read_text_file', 'list_directory', 'delete_file'));
    for (const [name, path] of [
      ['read_text_file', 'a.txt'],
      ['read_file', 'a.txt'],
      ['list_directory', '.'],
      ['list_directory_with_sizes', '.'],
    ] as const)
      expect(await refusal(client, name, { path }), name).not.toMatch(/^answered: /);
    const others = await scene.client({ revision, tools: ['read_text_file'] });
    expect(await listed(others)).toEqual(['read_text_file']);
    expect((await call(others, 'read_file', { path: 'a.txt' })).text).toBe('one');
  });
});

describe('roots of both kinds', () => {
  const roots = () => [
    { path: scene.root, readOnly: false },
    { path: scene.at('kept'), readOnly: true },
    { path: scene.at('kept/open'), readOnly: false },
  ];

  test.each<[string, boolean]>([
    ['new.txt', true],
    ['kept/new.txt', false],
    ['kept/b.txt', false],
    ['kept/open/new.txt', true],
    ['kept/open/c.txt', true],
  ])('the innermost root decides: %s may be written: %s', async (path, may) => {
    const client = await scene.client({ roots: roots() });
    const { failed, code } = await call(client, 'write_file', { path: scene.at(path), content: 'x' });
    expect([failed, code]).toEqual(may ? [false, undefined] : [true, 'read-only']);
  });

  test('nothing is moved or copied into, out of, or over a read-only one', async () => {
    const client = await scene.client({ roots: roots(), extra: { 'allow-delete': true } });
    const moves: [string, string][] = [
      ['kept/b.txt', 'b.txt'],
      ['a.txt', 'kept/a.txt'],
    ];
    for (const [from, to] of moves) {
      const args = { source: scene.at(from), destination: scene.at(to) };
      expect((await call(client, 'move_file', args)).code, from).toBe('read-only');
    }
    const copied = await call(client, 'copy_file', {
      source: scene.at('a.txt'),
      destination: scene.at('kept/a.txt'),
    });
    expect(copied.code).toBe('read-only');
    expect((await call(client, 'delete_file', { path: scene.at('kept/b.txt') })).code).toBe('read-only');
    const freed = { source: scene.at('kept/b.txt'), destination: scene.at('b.txt') };
    expect((await call(client, 'copy_file', freed)).failed).toBe(false);
  });

  test('if all roots are read-only, tools that write are listed and each is refused as read-only', async () => {
    const client = await scene.client({
      roots: [{ path: scene.root, readOnly: true }],
      extra: { 'allow-delete': true },
    });
    for (const [name, args] of Object.entries(writing)) {
      const { code, text } = await call(client, name, args);
      expect([code, text.includes('read-only')], name).toEqual(['read-only', true]);
    }
    expect(scene.names()).toEqual(['a.txt', 'kept']);
    expect(scene.bytes('a.txt').toString()).toBe('one');
  });

  test('each root is listed with its access', async () => {
    const client = await scene.client({ roots: roots() });
    const { text, facts } = await call(client, 'list_allowed_directories');
    expect(facts.roots.map(({ path, readOnly }) => [path, readOnly])).toEqual([
      [scene.root, false],
      [scene.at('kept'), true],
      [scene.at('kept/open'), false],
    ]);
    expect(text).toContain(`${scene.at('kept')} (read-only)\n`);
  });
});

withHandshake((revision) => {
  test('--read-only applies to roots that only the client names', async () => {
    const client = await scene.client({
      revision,
      readOnly: true,
      roots: [],
      offers: () => [{ uri: `file://${scene.root}` }],
    });
    const { text } = await call(client, 'list_allowed_directories');
    expect(text).toContain(`${scene.root} (read-only)`);
  });
});

test(`in ${newest} the same holds for each call`, async () => {
  const client = await scene.client({
    readOnly: true,
    roots: [],
    offers: () => [{ uri: `file://${scene.root}` }],
  });
  expect((await call(client, 'list_allowed_directories')).text).toContain(`${scene.root} (read-only)`);
});
