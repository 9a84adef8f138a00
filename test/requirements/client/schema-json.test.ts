import { createServer as createHttp, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AnswerError } from '@rootbound/protocol/client';
import { expect, onTestFinished } from 'vitest';
import { written } from '../documents.ts';
import { between } from '../revisions.ts';
import { over, type World } from './world.ts';

const since = between('2025-11-25');

/** Validates structured content against a schema; returns `fine` or the error. */
async function check({ script }: World, outputSchema: object, structuredContent: object): Promise<string> {
  const server = script({
    capabilities: { tools: {} },
    answers: {
      'tools/list': () =>
        server.done({ tools: [{ name: 't', inputSchema: { type: 'object' }, outputSchema }] }),
      'tools/call': () => server.done({ content: [], structuredContent }),
    },
  });
  const client = await server.connect();
  await client.listTools();
  return client.callTool('t').then(
    () => 'fine',
    (error: unknown) => (error instanceof AnswerError ? error.message : `unexpected: ${String(error)}`),
  );
}

const object = (a: object, more: object = {}) => ({
  type: 'object',
  properties: { a },
  required: ['a'],
  ...more,
});

over(since, 'keywords of 2020-12 apply, also without a dialect', async (world) => {
  const { proves } = world;
  const schemas: [object, unknown, unknown][] = [
    [{ prefixItems: [{ type: 'string' }], items: false }, ['x'], ['x', 'y']],
    [
      { type: 'object', unevaluatedProperties: false, allOf: [{ properties: { b: {} } }] },
      { b: 1 },
      { c: 1 },
    ],
    [{ contains: { type: 'number' }, minContains: 2 }, [1, 2], [1, 'x']],
    [JSON.parse('{"if":{"type":"string"},"then":{"minLength":2},"else":{"minimum":5}}'), 'ab', 3],
    [{ type: 'object', dependentRequired: { b: ['c'] } }, { b: 1, c: 1 }, { b: 1 }],
    [{ $ref: '#/$defs/n' }, 7, 'x'],
  ];
  const outcomes: boolean[][] = [];
  for (const [schema, good, bad] of schemas) {
    const whole = object(schema, { $defs: { n: { type: 'number' } } });
    outcomes.push([
      (await check(world, whole, { a: good })) === 'fine',
      (await check(world, whole, { a: bad })) === 'fine',
    ]);
  }
  proves('2025-11-25/schema-json/supports-json-schema-2020-12', () =>
    expect(outcomes).toEqual(schemas.map(() => [true, false])),
  );
  proves('2025-11-25/schema-json/schema-without-dialect-is-2020-12', () =>
    expect(outcomes[0]).toEqual([true, false]),
  );
});

over(since, 'a named dialect applies, and an unknown one is an error that names it', async (world) => {
  const { proves } = world;
  // an array of items is a tuple in draft-07 and invalid in 2020-12
  const tuple = { items: [{ type: 'string' }, { type: 'number' }] };
  const draft7 = { $schema: 'http://json-schema.org/draft-07/schema#' };
  const outcomes = [
    await check(world, object(tuple, draft7), { a: ['x', 1] }),
    await check(world, object(tuple, draft7), { a: [1, 'x'] }),
  ];
  proves('2025-11-25/schema-json/validates-with-declared-or-default-dialect', () =>
    expect([outcomes[0], outcomes[1] === 'fine']).toEqual(['fine', false]),
  );
  const unknown = await check(world, object({}, { $schema: 'https://example.com/my-dialect' }), { a: 1 });
  proves('2025-11-25/schema-json/unsupported-dialect-yields-error', () =>
    expect(unknown).toMatch(/dialect|\$schema/),
  );
});

over(
  since,
  'schemas of received forms are validated as well',
  async ({ script, proves, stateless: modern }) => {
    if (modern) return;
    const server = script();
    await server.connect({ elicitation: () => ({ action: 'accept', content: { a: 'x' } }) });
    const requestedSchema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { a: { type: 'string' } },
    };
    const good = await server.ask(1, 'elicitation/create', { message: 'x', requestedSchema });
    const odd = await server.ask(2, 'elicitation/create', {
      message: 'x',
      requestedSchema: { ...requestedSchema, $schema: 'https://example.com/odd' },
    });
    expect([good.result?.action, odd.error?.code]).toEqual(['accept', -32602]);
    proves('2025-11-25/schema-json/published-schemas-valid-in-their-dialect', () =>
      expect(server.heard.filter(({ params }) => params?.requestedSchema)).toEqual([]),
    );
    proves('2025-11-25/schema-json/schemas-written-in-2020-12', () =>
      expect(server.lines.join()).not.toContain('$schema'),
    );
  },
);

over(['2026-07-28'], 'the client publishes no schemas of its own', async ({ script, proves }) => {
  const server = script({
    capabilities: { tools: {} },
    answers: { 'tools/list': () => server.done({ tools: [] }) },
  });
  await (await server.connect()).listTools();
  proves('2026-07-28/schema-json/published-schemas-valid-in-their-dialect', () =>
    expect(server.lines.join()).not.toMatch(/inputSchema|requestedSchema/),
  );
  proves('2026-07-28/schema-json/schemas-written-in-2020-12', () =>
    expect(server.lines.join()).not.toContain('$schema'),
  );
});

async function listening(server: HttpServer): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

over(
  ['2026-07-28'],
  'a reference to another document is not fetched, and the schema is refused',
  async (world) => {
    const { proves } = world;
    let fetched = 0;
    const base = await listening(
      createHttp((_request, response) => {
        fetched += 1;
        response.end('{"type":"number"}');
      }),
    );
    const outcome = await check(world, object({ $ref: `${base}/n.json` }), { a: 1 });
    proves('2026-07-28/schema-json/network-ref-not-dereferenced-automatically', () =>
      expect(fetched).toBe(0),
    );
    proves('2026-07-28/schema-json/ref-fetching-disabled-by-default', () =>
      expect([fetched, outcome === 'fine']).toEqual([0, false]),
    );
    proves('2026-07-28/schema-json/unresolved-external-ref-rejected', () => expect(outcome).toMatch(/refer/));
  },
);

over(['2026-07-28'], 'validation ends for every schema', async (world) => {
  const { proves } = world;
  const $defs: Record<string, object> = { n0: { type: 'number' } };
  for (let level = 1; level <= 40; level++)
    $defs[`n${level}`] = { anyOf: [{ $ref: `#/$defs/n${level - 1}` }, { $ref: `#/$defs/n${level - 1}` }] };
  const bomb = await check(world, object({ $ref: '#/$defs/n40' }, { $defs }), { a: 'x' });
  const loop = await check(world, object({ $ref: '#/$defs/a' }, { $defs: { a: { $ref: '#/$defs/a' } } }), {
    a: 1,
  });
  const slow = await check(world, object({ type: 'string', pattern: '^(a+)+$' }), {
    a: `${'a'.repeat(5000)}!`,
  });
  proves('2026-07-28/schema-json/schema-validation-is-bounded', () =>
    expect([bomb, loop, slow].map((outcome) => outcome === 'fine')).toEqual([false, false, false]),
  );
});

over(since, 'the supported dialects are documented', async (world) => {
  const { proves } = world;
  const text = written('packages/protocol/README.md');
  const outcomes: string[] = [];
  for (const dialect of ['draft/2020-12', 'draft/2019-09', 'draft-07', 'draft-06', 'draft-04'])
    outcomes.push(
      await check(world, object({}, { $schema: `https://json-schema.org/${dialect}/schema` }), { a: 1 }),
    );
  proves('2025-11-25/schema-json/documents-supported-dialects', () => {
    expect(text).toContain('JSON Schema 2020-12, or 2019-09, draft-07 or draft-06 by `$schema`');
    expect(outcomes.map((outcome) => outcome === 'fine')).toEqual([true, true, true, true, false]);
  });
});
