import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type ClientOptions, connect, streams } from '../../src/client.ts';
import { createServer, form, tool } from '../../src/index.ts';
import type { ElicitRequestFormParams, ElicitResult } from '../../src/protocol/types.ts';
import { serveMemory } from '../../src/testing.ts';
import { Tap } from '../client/tap.ts';

const revisions = ['2025-06-18', '2025-11-25', '2026-07-28'] as const;
type Form = ElicitRequestFormParams['requestedSchema'];
type Content = NonNullable<ElicitResult['content']>;

const titled = z.union([
  z.literal('r').meta({ title: 'Red' }),
  z.literal('g').meta({ title: 'Green' }),
  z.literal('b').meta({ title: 'Blue' }),
]);

/** One field of each kind that forms have. */
const order = z.object({
  name: z.string().min(2).max(20).meta({ title: 'Name', description: 'who it is for' }),
  mail: z.email().default('ada@example.com'),
  day: z.iso.date().optional(),
  count: z.int().positive().max(9).default(1),
  weight: z.number().min(0.5),
  gift: z.boolean().default(true),
  size: z.enum(['s', 'm', 'l']).default('m'),
  color: titled,
  old: z.enum(['x', 'y']).meta({ enumNames: ['Ex', 'Why'] }),
  extras: z
    .array(z.enum(['bow', 'card']))
    .max(2)
    .meta({ title: 'Extras' }),
  stripes: z.array(titled).min(1).max(2).default(['g']),
});

/**
 * Returns the content that a tool gets from a form, and the client's request; all messages are checked
 * against the official schema.
 */
async function ask(
  revision: (typeof revisions)[number],
  fields: z.ZodObject,
  answer: (schema: Form) => ElicitResult,
): Promise<{ asked: Form | undefined; text: string; isError: boolean | undefined }> {
  let asked: Form | undefined;
  const server = createServer({
    name: 'forms',
    version: '1.0.0',
    onError: (error) => {
      throw error;
    },
    tools: [
      tool({
        name: 'ask',
        description: 'Asks.',
        input: z.object({}),
        ask: async (_args, ask) => (await ask({ form: form('What?', fields) })).form,
        run: (_args, { answers }) => JSON.stringify(answers),
      }),
    ],
  });
  const tap = new Tap(
    streams(() => serveMemory(server)),
    revision,
  );
  const chosen: Partial<ClientOptions> =
    revision === '2026-07-28' ? { era: { pinned: revision } } : { era: 'handshake', revision };
  const client = await connect(tap, {
    name: 'tester',
    version: '1.0.0',
    ...chosen,
    elicitation: {
      form: ({ requestedSchema }) => {
        asked = requestedSchema;
        return answer(requestedSchema);
      },
    },
  });
  const { content, isError } = await client.callTool('ask');
  await client.close();
  expect(tap.faults).toEqual([]);
  return { asked, text: content.map((block) => (block.type === 'text' ? block.text : '')).join(), isError };
}

const accept = (content: Content): ElicitResult => ({ action: 'accept', content });

/** Returns the content that the user must fill in, depending on the revision. */
function minimum(schema: Form): Content {
  const boxes = 'extras: bow' in schema.properties;
  return {
    name: 'Grace',
    weight: 2,
    color: 'b',
    old: 'y',
    ...(boxes
      ? {
          'extras: card': true,
          'extras: bow': false,
          'stripes: r': true,
          'stripes: b': true,
          'stripes: g': false,
        }
      : { extras: ['card'], stripes: ['r', 'b'] }),
  };
}

describe.each(revisions)('%s', (revision) => {
  test('a form with a field of each kind is sent and answered, with its defaults', async () => {
    const { text } = await ask(revision, order, (schema) => accept(minimum(schema)));
    expect(JSON.parse(text)).toEqual({
      name: 'Grace',
      mail: 'ada@example.com',
      count: 1,
      weight: 2,
      gift: true,
      size: 'm',
      color: 'b',
      old: 'y',
      extras: ['card'],
      stripes: ['r', 'b'],
    });
  });

  test('a form without its lists returns the default of those that have one', async () => {
    const { text } = await ask(revision, z.object({ stripes: order.shape.stripes }), () => accept({}));
    expect(JSON.parse(text)).toEqual({ stripes: ['g'] });
  });

  test.each([
    ['decline', 'the user declined the question "What?"'],
    ['cancel', 'the user dismissed the question "What?"'],
  ] as const)('a response %s ends the call, and the tool does not get it', async (action, words) => {
    const { text, isError } = await ask(revision, order, () => ({ action, content: { name: 'secret' } }));
    expect(isError).toBe(true);
    expect(text).toContain(words);
    expect(text).not.toContain('secret');
  });

  test('constraints that a form cannot express are checked when the response is read', async () => {
    const fields = z.object({ code: z.string().regex(/^[a-z]+$/), even: z.number().multipleOf(2) });
    const fine = await ask(revision, fields, () => accept({ code: 'abc', even: 4 }));
    expect(JSON.parse(fine.text)).toEqual({ code: 'abc', even: 4 });
    await expect(ask(revision, fields, () => accept({ code: '123', even: 4 }))).rejects.toMatchObject({
      code: -32602,
      message: 'the answer to "What?" does not match its form',
    });
  });
});

test('before 2025-11-25 titles are enumNames, lists are boolean fields, and only boolean fields have defaults', async () => {
  const { asked } = await ask('2025-06-18', order, (schema) => accept(minimum(schema)));
  const box = (title: string, about: string, ticked = false): object => ({
    type: 'boolean',
    title,
    description: about,
    default: ticked,
  });
  expect(asked).toEqual({
    type: 'object',
    properties: {
      name: { type: 'string', title: 'Name', description: 'who it is for', minLength: 2, maxLength: 20 },
      mail: { type: 'string', format: 'email' },
      day: { type: 'string', format: 'date' },
      count: { type: 'integer', minimum: 1, maximum: 9 },
      weight: { type: 'number', minimum: 0.5 },
      gift: { type: 'boolean', default: true },
      size: { type: 'string', enum: ['s', 'm', 'l'] },
      color: { type: 'string', enum: ['r', 'g', 'b'], enumNames: ['Red', 'Green', 'Blue'] },
      old: { type: 'string', enum: ['x', 'y'], enumNames: ['Ex', 'Why'] },
      'extras: bow': box('bow', 'Extras; choose at most 2'),
      'extras: card': box('card', 'Extras; choose at most 2'),
      'stripes: r': box('Red', 'stripes; choose 1 to 2'),
      'stripes: g': box('Green', 'stripes; choose 1 to 2', true),
      'stripes: b': box('Blue', 'stripes; choose 1 to 2'),
    },
    required: ['name', 'weight', 'color', 'old'],
  });
});

test.each(['2025-11-25', '2026-07-28'] as const)(
  'at %s choices have titles and lists are lists',
  async (revision) => {
    const { asked } = await ask(revision, order, (schema) => accept(minimum(schema)));
    const choices = [
      { const: 'r', title: 'Red' },
      { const: 'g', title: 'Green' },
      { const: 'b', title: 'Blue' },
    ];
    expect(asked?.properties).toMatchObject({
      count: { type: 'integer', minimum: 1, maximum: 9, default: 1 },
      size: { type: 'string', enum: ['s', 'm', 'l'], default: 'm' },
      color: { type: 'string', oneOf: choices },
      old: { type: 'string', enum: ['x', 'y'], enumNames: ['Ex', 'Why'] },
      extras: {
        type: 'array',
        title: 'Extras',
        maxItems: 2,
        items: { type: 'string', enum: ['bow', 'card'] },
      },
      stripes: { type: 'array', minItems: 1, maxItems: 2, items: { anyOf: choices }, default: ['g'] },
    });
    expect(JSON.stringify(asked)).not.toMatch(/pattern|exclusive|\$schema|additionalProperties/);
  },
);

test('an integer without bounds has none in the form', async () => {
  const { asked } = await ask('2025-11-25', z.object({ any: z.int() }), () => accept({ any: -3 }));
  expect(asked?.properties).toEqual({ any: { type: 'integer' } });
});

test('a boolean field with a name in use gets another one, and its value goes to the right list', async () => {
  const fields = z.object({ 'a: x': z.boolean(), a: z.array(z.enum(['x', 'y'])) });
  const { asked, text } = await ask('2025-06-18', fields, () =>
    accept({ 'a: x': false, 'a: x_': true, 'a: y': false }),
  );
  expect(Object.keys(asked!.properties)).toEqual(['a: x', 'a: x_', 'a: y']);
  expect(JSON.parse(text)).toEqual({ 'a: x': false, a: ['x'] });
});

test('a list with too many values is not accepted', async () => {
  const fields = z.object({ stripes: z.array(titled).max(1) });
  await expect(
    ask('2025-06-18', fields, () => accept({ 'stripes: r': true, 'stripes: g': true })),
  ).rejects.toMatchObject({ code: -32602 });
});

test('the client adds defaults itself, and refuses an invalid response before it is sent', async () => {
  const { text } = await ask('2025-11-25', order, () =>
    accept({ name: 'Grace', weight: 2, color: 'b', old: 'y', extras: [] }),
  );
  expect(JSON.parse(text)).toMatchObject({ mail: 'ada@example.com', size: 'm', stripes: ['g'] });
  const { text: failure, isError } = await ask('2025-11-25', order, () => accept({ color: 'purple' }));
  expect([isError, failure]).toEqual([
    true,
    expect.stringContaining('the client did not answer elicitation/create'),
  ]);
});
