import { expect, test } from 'vitest';
import * as z from 'zod';
import { catalogOf, createServer, tool } from '../../src/index.ts';
import { talkTo, textOf } from './talk.ts';

class Celsius {
  readonly degrees = 21;
  toJSON(): string {
    return `${this.degrees} C`;
  }
}

const day = new Date('2026-01-02T03:04:05.000Z');
const bare = Object.assign(Object.create(null) as object, { a: 1 });

// outputs are checked as the client will read them
test.each<[string, z.ZodType, unknown, unknown]>([
  ['a date is its text', z.object({ at: z.string() }), { at: day }, { at: day.toJSON() }],
  ['a member that is undefined is not there', z.strictObject({}), { gone: undefined }, {}],
  ['what is no number is null', z.object({ n: z.null() }), { n: Number.NaN }, { n: null }],
  ['what is infinite is null', z.object({ n: z.null() }), { n: -Infinity }, { n: null }],
  [
    'an empty place of a list is null',
    z.object({ l: z.array(z.null()) }),
    { l: Array(2) },
    { l: [null, null] },
  ],
  ['a function in a list is null', z.object({ l: z.array(z.null()) }), { l: [() => 1] }, { l: [null] }],
  ['an object may write itself', z.object({ t: z.string() }), { t: new Celsius() }, { t: '21 C' }],
  ['a nested one too', z.object({ l: z.array(z.string()) }), { l: [new Celsius()] }, { l: ['21 C'] }],
  ['an object without a prototype is one', z.object({ a: z.number() }), bare, { a: 1 }],
  ['a map has no members', z.strictObject({ m: z.strictObject({}) }), { m: new Map([['a', 1]]) }, { m: {} }],
])('%s', async (_what, output, given, read) => {
  const faults: unknown[] = [];
  const server = createServer({
    name: 'outputs',
    version: '1.0.0',
    onError: (error) => faults.push(error),
    tools: [tool({ name: 'give', description: 'gives', input: z.object({}), output, run: () => given })],
  });
  const answer = await (await talkTo(server, '2026-07-28')).call('give');
  expect([answer.result.structuredContent, faults]).toEqual([read, []]);
  expect(JSON.parse(textOf(answer))).toEqual(read);
});

test('a listed output schema allows additional members, unless its author closes it', async () => {
  const open = z.object({
    a: z.object({ b: z.string() }),
    c: z.strictObject({}),
    d: z.record(z.string(), z.int()),
  });
  const server = createServer({
    name: 'outputs',
    version: '1.0.0',
    tools: [
      tool({ name: 'give', description: 'gives', input: z.strictObject({}), output: open, run: () => null! }),
    ],
  });
  const { result } = await (await talkTo(server, '2026-07-28')).request('tools/list');
  const [{ inputSchema, outputSchema }] = result.tools;
  expect(inputSchema).toEqual({ type: 'object', properties: {}, additionalProperties: false });
  expect(outputSchema).toEqual({
    type: 'object',
    properties: {
      a: { type: 'object', properties: { b: { type: 'string' } }, required: ['b'] },
      c: { type: 'object', properties: {}, additionalProperties: false },
      d: {
        type: 'object',
        propertyNames: { type: 'string' },
        additionalProperties: { type: 'integer' },
      },
    },
    required: ['a', 'c', 'd'],
  });
});

test('a catalog of shapes lists names and types of outputs, and every valid result stays valid', async () => {
  const output = z.object({
    title: z.string().describe('of the page'),
    size: z.int().min(0).max(9).optional(),
    kinds: z.array(z.object({ enum: z.enum(['a', 'b']), required: z.boolean() })),
  });
  const given = tool({
    name: 'give',
    title: 'Give',
    description: 'gives',
    input: z.object({ n: z.int().min(1).describe('how many') }),
    output,
    run: ({ n }) => ({ title: 't', size: n, kinds: [] }),
  });
  const server = createServer({
    name: 'outputs',
    version: '1.0.0',
    tools: catalogOf([given], { outputs: 'shape' }),
    validateOutput: true,
    onError: () => {},
  });
  const talk = await talkTo(server, '2026-07-28');
  const [listed] = (await talk.request('tools/list')).result.tools;
  expect(listed).toEqual({
    name: 'give',
    title: 'Give',
    description: 'gives',
    inputSchema: {
      type: 'object',
      properties: { n: { type: 'integer', minimum: 1, description: 'how many' } },
      required: ['n'],
    },
    outputSchema: {
      type: 'object',
      properties: {
        title: { type: 'string' },
        size: { type: 'integer' },
        kinds: {
          type: 'array',
          items: { type: 'object', properties: { enum: { type: 'string' }, required: { type: 'boolean' } } },
        },
      },
    },
  });
  // results are validated against the whole schema
  expect((await talk.call('give', { n: 9 })).result.structuredContent).toEqual({
    title: 't',
    size: 9,
    kinds: [],
  });
  expect((await talk.call('give', { n: 10 })).result.isError).toBe(true);
});

test.each(['full', 'shape'] as const)(
  'with outputs %s, unlisted members are in no list, and are validated',
  async (outputs) => {
    const common = { unlisted: true };
    const give = tool({
      name: 'give',
      description: 'gives',
      input: z.object({ n: z.int() }),
      output: z.object({
        own: z.string().optional(),
        unlisted: z.boolean().optional(),
        size: z.int().max(9).describe('of it').meta(common),
        some: z.array(z.object({ a: z.int() }).meta(common)).optional(),
        inner: z.object({ kept: z.int(), left: z.string().optional().meta(common) }).optional(),
      }),
      run: ({ n }) => ({ size: n }),
    });
    const server = createServer({
      name: 'outputs',
      version: '1.0.0',
      tools: catalogOf([give], { outputs }),
      validateOutput: true,
      onError: () => {},
    });
    const talk = await talkTo(server, '2026-07-28');
    const [{ outputSchema }] = (await talk.request('tools/list')).result.tools;
    expect(outputSchema).toMatchObject({
      type: 'object',
      properties: {
        own: { type: 'string' },
        unlisted: { type: 'boolean' },
        some: { type: 'array' },
        inner: { type: 'object', properties: { kept: { type: 'integer' } } },
      },
    });
    const listed = JSON.stringify({ ...outputSchema.properties, unlisted: undefined });
    for (const absent of ['"size"', '"left"', '"a"', '"unlisted"']) expect(listed).not.toContain(absent);
    expect((await talk.call('give', { n: 9 })).result.structuredContent).toEqual({ size: 9 });
    expect((await talk.call('give', { n: 10 })).result.isError).toBe(true);
  },
);

test('a catalog of objects lists that there is an output schema, and results are validated against all of it', async () => {
  const give = tool({
    name: 'give',
    description: 'gives',
    input: z.object({ n: z.int() }),
    output: z.object({ size: z.int().max(9) }),
    run: ({ n }) => ({ size: n }),
  });
  const tools = catalogOf([give], { outputs: 'object' });
  const server = createServer({
    name: 'outputs',
    version: '1.0.0',
    tools,
    validateOutput: true,
    onError: () => {},
  });
  const talk = await talkTo(server, '2026-07-28');
  const [listed] = (await talk.request('tools/list')).result.tools;
  expect(listed.outputSchema).toEqual({ type: 'object' });
  expect((await talk.call('give', { n: 9 })).result.structuredContent).toEqual({ size: 9 });
  expect((await talk.call('give', { n: 10 })).result.isError).toBe(true);
});

test('text and structured content of a result are the same, whatever the text', async () => {
  const given = { text: '"quoted" \\ \u2028 \u{1f600} \ud800', list: [1, [2, { three: null }]] };
  const server = createServer({
    name: 'outputs',
    version: '1.0.0',
    tools: [
      tool({
        name: 'give',
        description: 'gives',
        input: z.object({}),
        output: z.object({ text: z.string(), list: z.array(z.unknown()) }),
        run: () => given,
      }),
    ],
  });
  const { result } = await (await talkTo(server, '2026-07-28')).call('give');
  expect(result).toEqual({
    resultType: 'complete',
    content: [{ type: 'text', text: JSON.stringify(given) }],
    structuredContent: given,
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'outputs', version: '1.0.0' } },
  });
});
