import { allRevisions, type Tool } from '@rootbound/protocol';
import { describe, expect, test } from 'vitest';
import { outermost } from '../../../../test/extent.ts';
import { catalog } from '../../src/catalog.ts';
import { formerNames, toolNames } from '../../src/spec.ts';
import { call, newest, run, Scene, type Setting, stateless, structuredRevisions } from '../harness.ts';

const scene = new Scene();
/** All tools of the server. */
const everything: Setting = { extra: { 'allow-delete': true } };

test('the command line and the list of tools have the same names, in order', async () => {
  const entries = await catalog.entries();
  expect(entries.filter(({ listed }) => listed !== false).map(({ name }) => name)).toEqual([...toolNames]);
  expect(entries.filter(({ listed }) => listed === false).map(({ name }) => name)).toEqual(
    Object.keys(formerNames),
  );
});

describe.each(outermost(allRevisions))('in %s', (revision) => {
  const requests = (): object[] => {
    const list = (id: number, method: string) => ({
      jsonrpc: '2.0',
      id,
      method,
      params: revision === newest ? { _meta: stateless() } : {},
    });
    const hello = { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    return [
      revision === newest
        ? list(1, 'server/discover')
        : { jsonrpc: '2.0', id: 1, method: 'initialize', params: hello },
      list(2, 'tools/list'),
      list(3, 'prompts/list'),
      list(4, 'resources/templates/list'),
    ];
  };

  const inProcess = async (): Promise<string[]> => {
    const wire = scene.wire();
    for (const request of requests()) wire.say(request);
    for (const id of [1, 2, 3, 4]) await wire.answer(id);
    return wire.heard
      .toSorted((a, b) => Number(a.id) - Number(b.id))
      .map((message) => JSON.stringify(message));
  };

  test('the built server and the server from source answer the same bytes', async () => {
    const { stdout } = await run([scene.root], requests());
    const built = stdout.trimEnd().split('\n');
    expect(built.toSorted((a, b) => idOf(a) - idOf(b))).toEqual(await inProcess());
  });

  test('the list of all tools is one page', async () => {
    const { stdout } = await run(['--allow-delete', scene.root], requests());
    const list = stdout.split('\n').find((line) => line !== '' && idOf(line) === 2)!;
    const { result } = JSON.parse(list) as { result: { tools: { name: string }[] } };
    expect(result.tools.map(({ name }) => name)).toEqual([...toolNames]);
    expect(result).not.toHaveProperty('nextCursor');
  });

  test('every schema is an object with keywords that all vendors of models accept', async () => {
    const client = await scene.client({ revision, ...everything });
    for (const tool of await client.listTools()) {
      for (const schema of [tool.inputSchema, tool.outputSchema]) {
        expect(strange(schema), tool.name).toEqual([]);
        if (schema !== undefined) expect(schema.type, tool.name).toBe('object');
      }
      expect(tool.inputSchema.additionalProperties, tool.name).toBe(false);
    }
  });

  test('every tool has the fields of the revision', async () => {
    const client = await scene.client({ revision, ...everything });
    for (const tool of await client.listTools()) {
      expect(tool.description, tool.name).toMatch(/^[A-Z].*\.$/s);
      expect(tool.outputSchema !== undefined, tool.name).toBe(structuredRevisions.includes(revision));
      // 2025-03-26 has the title in the annotations
      const { title: _title, ...hints } = tool.annotations ?? {};
      expect(hints, tool.name).toEqual(revision === '2024-11-05' ? {} : annotationsOf(tool.name));
    }
  });

  test('the former names can be called and are not listed, and are excluded with their tools', async () => {
    scene.put('a.txt', 'one\n');
    const client = await scene.client({ revision });
    expect((await client.listTools()).map(({ name }) => name)).not.toContain('read_file');
    const [read, readText] = [
      await call(client, 'read_file', { path: 'a.txt', head: 1 }),
      await call(client, 'read_text_file', { path: 'a.txt', head: 1 }),
    ];
    expect(read.result).toEqual(readText.result);
    const kept = toolNames.filter((name) => name !== 'read_text_file');
    const less = await scene.client({ revision, tools: kept, readOnly: true });
    await expect(call(less, 'read_file', { path: 'a.txt' })).rejects.toThrow(/unknown tool/);
    expect((await call(less, 'list_directory_with_sizes', { path: '.' })).failed).toBe(false);
  });
});

test('the built server accepts the former names and lists none', async () => {
  scene.put('a.txt', 'one\n');
  const ask = (id: number, method: string, params: object): object => ({
    jsonrpc: '2.0',
    id,
    method,
    params: { ...params, _meta: stateless() },
  });
  const { stdout, stderr } = await run(
    [scene.root],
    [
      ask(1, 'tools/call', { name: 'read_file', arguments: { path: 'a.txt' } }),
      ask(2, 'tools/call', { name: 'list_directory_with_sizes', arguments: { path: '.' } }),
      ask(3, 'tools/list', {}),
    ],
  );
  const lines = stdout
    .trimEnd()
    .split('\n')
    .toSorted((a, b) => idOf(a) - idOf(b));
  expect([lines[0], lines[1], stderr]).toEqual([
    expect.stringContaining('"text":"one\\n"'),
    expect.stringContaining('Total: 1 files, 0 directories'),
    '',
  ]);
  expect(lines[2]).not.toMatch(/"read_file"|list_directory_with_sizes/);
});

test('the list is the same for every call and every connection', async () => {
  for (const revision of allRevisions) {
    const filesystem = scene.filesystem();
    const one = await scene.join(filesystem, { revision });
    const other = await scene.join(filesystem, { revision });
    expect(JSON.stringify(await one.listTools())).toBe(JSON.stringify(await other.listTools()));
  }
});

/** The destructive and idempotent hints of the tools that write. */
const writing: Readonly<Record<string, { destructiveHint: boolean; idempotentHint: boolean }>> = {
  write_file: { destructiveHint: true, idempotentHint: false },
  edit_file: { destructiveHint: true, idempotentHint: false },
  create_directory: { destructiveHint: false, idempotentHint: true },
  move_file: { destructiveHint: true, idempotentHint: false },
  copy_file: { destructiveHint: false, idempotentHint: false },
  delete_file: { destructiveHint: true, idempotentHint: true },
  set_file_attributes: { destructiveHint: true, idempotentHint: false },
};

function annotationsOf(name: string): Tool['annotations'] {
  const writes = writing[name];
  // the other two hints apply to tools that write
  if (writes === undefined) return { readOnlyHint: true, openWorldHint: false };
  return { readOnlyHint: false, ...writes, openWorldHint: false };
}

function idOf(line: string): number {
  return (JSON.parse(line) as { id: number }).id;
}

const keywords = new Set([
  'type',
  'description',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'enum',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
]);

/** Returns other keywords anywhere in a schema; property names are not keywords. */
function strange(schema: unknown, isProperties = false): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  if (Array.isArray(schema)) return schema.flatMap((one) => strange(one));
  return Object.entries(schema).flatMap(([key, value]) => [
    ...(!isProperties && !keywords.has(key) ? [key] : []),
    ...strange(value, !isProperties && key === 'properties'),
  ]);
}
