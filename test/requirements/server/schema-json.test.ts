import { createServer as createHttp } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer, tool } from '@rootbound/protocol';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, onTestFinished } from 'vitest';
import * as z from 'zod';
import { written } from '../documents.ts';
import type { Message } from '../message.ts';
import { between } from '../revisions.ts';
import { files } from './files.ts';
import { everything, person } from './tour.ts';
import { over } from './world.ts';

const since = between('2025-11-25');

/** Returns every schema that a server publishes. */
async function schemasOf(
  talk: Awaited<ReturnType<Parameters<Parameters<typeof over>[2]>[0]['open']>>,
): Promise<Message[]> {
  const { tools } = (await talk.request('tools/list')).result;
  return tools.flatMap(({ inputSchema, outputSchema }: Message) => [
    inputSchema,
    ...(outputSchema === undefined ? [] : [outputSchema]),
  ]);
}

over(
  since,
  'schemas that the server writes are valid 2020-12',
  async ({ open, proves, stateless: modern }) => {
    const talk = await open(undefined, { capabilities: everything });
    if (!modern) talk.reply((await talk.awaitMessage('roots/list')).id, { roots: [] });
    const { questions } = await talk.settleCall('register', {}, person);
    const { server } = files();
    const schemas = [
      ...(await schemasOf(talk)),
      questions[0].params.requestedSchema,
      ...(await schemasOf(await open(server))),
    ];
    const ajv = new Ajv2020({
      strict: true,
      allowUnionTypes: true,
      formats: { email: true, date: true, uri: true, 'date-time': true },
    });
    proves('2025-11-25/schema-json/published-schemas-valid-in-their-dialect', () => {
      expect(schemas.length).toBeGreaterThan(30);
      for (const schema of schemas) expect(ajv.validateSchema(schema)).toBe(true);
    });
    proves('2025-11-25/schema-json/schemas-written-in-2020-12', () => {
      const dialects = schemas.map(({ $schema = 'https://json-schema.org/draft/2020-12/schema' }) => $schema);
      expect(new Set(dialects)).toEqual(new Set(['https://json-schema.org/draft/2020-12/schema']));
    });
    proves('2026-07-28/schema-json/network-ref-not-dereferenced-automatically', () =>
      expect(JSON.stringify(schemas)).not.toMatch(/"\$ref":"[^#]/),
    );
  },
);

over(since, 'arguments are validated against their published schema', async ({ open, proves }) => {
  const input = z.object({
    pair: z.tuple([z.string(), z.number()]),
    list: z.array(z.string()).min(1).max(2),
    choice: z.enum(['a', 'b']),
    either: z.union([z.string(), z.number()]).optional(),
  });
  const server = createServer({
    name: 's',
    version: '1',
    tools: [tool({ name: 't', description: 'x', input, run: () => 'x' })],
  });
  const talk = await open(server);
  const [schema] = await schemasOf(talk);
  const ajv = new Ajv2020({ strict: false }).compile(schema);
  const samples: object[] = [
    { pair: ['a', 1], list: ['x'], choice: 'a' },
    { pair: ['a', 1], list: ['x', 'y'], choice: 'b', either: 7 },
    { pair: [1, 'a'], list: ['x'], choice: 'a' },
    { pair: ['a', 1], list: [], choice: 'a' },
    { pair: ['a', 1], list: ['x'], choice: 'c' },
    { pair: ['a', 1], list: ['x'], choice: 'a', either: true },
  ];
  const byServer: boolean[] = [];
  for (const sample of samples) byServer.push((await talk.call('t', sample)).result.isError !== true);
  const bySchema = samples.map((sample) => ajv(sample));
  proves('2025-11-25/schema-json/supports-json-schema-2020-12', () =>
    expect(byServer).toEqual([true, true, false, false, false, false]),
  );
  proves('2025-11-25/schema-json/schema-without-dialect-is-2020-12', () => {
    expect(schema).not.toHaveProperty('$schema');
    expect(byServer).toEqual(bySchema);
  });
  proves('2025-11-25/schema-json/validates-with-declared-or-default-dialect', () =>
    expect(schema.properties.pair).toHaveProperty('prefixItems'),
  );
});

over(since, 'a schema in another dialect is an error that names it', async ({ open, proves }) => {
  const faults: unknown[] = [];
  const serve = (dialect: string) => {
    const input = z.object({ a: z.tuple([z.string()]) }).meta({ $schema: dialect });
    const only = tool({ name: 't', description: 'x', input, run: () => 'x' });
    return createServer({ name: 's', version: '1', onError: (error) => faults.push(error), tools: [only] });
  };
  const named = await open(serve('https://json-schema.org/draft/2020-12/schema'));
  const [schema] = await schemasOf(named);
  const other = await open(serve('http://json-schema.org/draft-04/schema#'));
  const { error } = await other.request('tools/list');
  proves('2025-11-25/schema-json/unsupported-dialect-yields-error', () => {
    expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
    expect([error?.code, String(faults[0])]).toEqual([
      -32603,
      expect.stringContaining('draft-04/schema#" is not supported'),
    ]);
  });
});

over(['2026-07-28'], 'a schema with an external reference is refused without a fetch', async (world) => {
  const { open, proves } = world;
  const asked: string[] = [];
  const site = createHttp((request, response) => {
    asked.push(request.url ?? '');
    response.end('{"type":"number"}');
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void site.close());
  const $ref = `http://127.0.0.1:${(site.address() as AddressInfo).port}/n.json`;
  const faults: unknown[] = [];
  const input = z.object({ a: z.unknown().meta({ $ref }) });
  const server = createServer({
    name: 's',
    version: '1',
    onError: (error) => faults.push(error),
    tools: [tool({ name: 't', description: 'x', input, run: () => 'x' })],
  });
  const { error } = await (await open(server)).request('tools/list');
  proves('2026-07-28/schema-json/unresolved-external-ref-rejected', () =>
    expect([error?.code, String(faults[0])]).toEqual([
      -32603,
      expect.stringContaining('must stay within its schema'),
    ]),
  );
  proves('2026-07-28/schema-json/ref-fetching-disabled-by-default', () => expect(asked).toEqual([]));
});

over(['2026-07-28'], 'arguments of any depth are validated or refused', async ({ open, proves }) => {
  const Nested = z.object({
    get next() {
      return Nested.optional();
    },
  });
  const deep = tool({ name: 'deep', description: 'x', input: z.object({ node: Nested }), run: () => 'x' });
  const talk = await open(createServer({ name: 's', version: '1', onError: () => {}, tools: [deep] }));
  const calls = [10, 100_000].map((depth) => {
    const node = `${'{"next":'.repeat(depth)}{}${'}'.repeat(depth)}`;
    return talk
      .line(depth, 'tools/call', { name: 'deep', arguments: {} })
      .replace('"arguments":{}', `"arguments":{"node":${node}}`);
  });
  talk.write(`${calls.join('\n')}\n`);
  const [shallow, beyond] = [await talk.answer(10), await talk.answer(100_000)];
  proves('2026-07-28/schema-json/schema-validation-is-bounded', () => {
    expect(shallow.result.content[0].text).toBe('x');
    expect(beyond.error?.code ?? beyond.result.isError).toBe(-32603);
  });
  expect((await talk.call('deep', { node: {} })).result.content[0].text).toBe('x');
});

over(since, 'the supported dialects are documented', async ({ proves }) => {
  const text = written('packages/protocol/README.md');
  proves('2025-11-25/schema-json/documents-supported-dialects', () =>
    expect(text).toContain('JSON Schema 2020-12, or 2019-09, draft-07 or draft-06 by `$schema`'),
  );
});
