import { allRevisions, type Tool } from '@rootbound/protocol';
import { expect, test } from 'vitest';
import { catalog } from '../../src/catalog.ts';
import { toolNames } from '../../src/spec.ts';
import { inEveryRevision, newest, run, Scene, stateless, structuredRevisions } from '../harness.ts';

const scene = new Scene();
const KILOBYTE = 1024;

test('the names that the command line knows are those of the catalog, in order', async () => {
  expect((await catalog.entries()).map((entry) => entry.name)).toEqual([...toolNames]);
});

inEveryRevision((revision) => {
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

  test('the built server and the server from its tools answer the same bytes', async () => {
    const { stdout } = await run([scene.root], requests());
    const built = stdout.trimEnd().split('\n');
    expect(built.toSorted((a, b) => idOf(a) - idOf(b))).toEqual(await inProcess());
  });

  test('the list of tools is one page under 16 KB', async () => {
    const { stdout } = await run([scene.root], requests());
    const list = stdout.split('\n').find((line) => line !== '' && idOf(line) === 2)!;
    expect(Buffer.byteLength(list)).toBeLessThan(16 * KILOBYTE);
    expect((JSON.parse(list) as { result: object }).result).not.toHaveProperty('nextCursor');
  });

  test('every schema is an object without keywords that vendors refuse', async () => {
    const client = await scene.client({ revision });
    for (const tool of await client.listTools()) {
      expect(tool.inputSchema.type, tool.name).toBe('object');
      for (const schema of [tool.inputSchema, tool.outputSchema]) {
        expect(refused(schema), tool.name).toEqual([]);
      }
    }
  });

  test('every tool says what the revision can say of it', async () => {
    const client = await scene.client({ revision });
    for (const tool of await client.listTools()) {
      expect(tool.description, tool.name).toMatch(/^[A-Z].*\.$/);
      expect(tool.outputSchema !== undefined, tool.name).toBe(structuredRevisions.includes(revision));
      if (revision !== '2024-11-05') expectComplete(tool);
    }
  });
});

test('the list is the same for every call and every connection', async () => {
  for (const revision of allRevisions) {
    const filesystem = scene.filesystem();
    const one = await scene.join(filesystem, { revision });
    const other = await scene.join(filesystem, { revision });
    expect(JSON.stringify(await one.listTools())).toBe(JSON.stringify(await other.listTools()));
  }
});

function expectComplete({ name, annotations }: Tool): void {
  expect(annotations, name).toMatchObject({ readOnlyHint: expect.any(Boolean), openWorldHint: false });
  // these two say something only of tools that write
  if (annotations?.readOnlyHint === false)
    expect(annotations, name).toMatchObject({
      destructiveHint: expect.any(Boolean),
      idempotentHint: expect.any(Boolean),
    });
}

function idOf(line: string): number {
  return (JSON.parse(line) as { id: number }).id;
}

const refusedKeywords = ['$schema', 'format', 'exclusiveMinimum', 'patternProperties', '$ref'];

/** The keywords that some vendor refuses, wherever they are in a schema; names of properties are no keywords. */
function refused(schema: unknown, isProperties = false): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) => [
    ...(!isProperties && refusedKeywords.includes(key) ? [key] : []),
    ...refused(value, !isProperties && key === 'properties'),
  ]);
}
