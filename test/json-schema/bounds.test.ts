import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from '@rootbound/protocol/client';
import { describe, expect, test } from 'vitest';
import { compileSchema } from '../../packages/protocol/src/protocol/json-schema/schema.ts';
import { scripted } from '../../packages/protocol/test/client/scripted.ts';

const refusal = (schema: unknown, value: unknown = 1): string => {
  try {
    return compileSchema(schema).mismatch(value) ?? 'fits';
  } catch (error) {
    expect((error as Error).name).toBe('SchemaError');
    return (error as Error).message;
  }
};

/** Returns a schema or a value with this nesting depth. */
function nested(depth: number, wrap: (inner: unknown) => unknown, core: unknown): unknown {
  let made = core;
  for (let i = 0; i < depth; i++) made = wrap(made);
  return made;
}

describe('schemas and values that cost too much are refused', () => {
  test.each<[name: string, schema: unknown, value: unknown, words: string]>([
    [
      'a schema that is too deep',
      nested(300, (not) => ({ not }), true),
      1,
      'the schema is nested deeper than 200',
    ],
    [
      'a schema of too many parts',
      { allOf: Array.from({ length: 60_000 }, () => ({})) },
      1,
      'the schema has more than 50000 parts',
    ],
    ['a reference to itself', { $ref: '#' }, 1, 'the check goes deeper than 400 schemas'],
    [
      'a circle of references',
      { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
      1,
      'the check goes deeper than 400 schemas',
    ],
    [
      'a value that is too deep for its schema',
      { items: { $ref: '#' } },
      nested(5000, (inner) => [inner], 1),
      'the check goes deeper than 400 schemas',
    ],
    [
      'a value that is too deep to compare',
      { enum: [{}] },
      nested(5000, (inner) => [inner], 1),
      'the check goes deeper than 400 schemas',
    ],
    [
      'choices that multiply',
      {
        $ref: '#/$defs/d30',
        $defs: Object.fromEntries(
          Array.from({ length: 31 }, (_, i) => [
            `d${i}`,
            i === 0 ? false : { anyOf: [{ $ref: `#/$defs/d${i - 1}` }, { $ref: `#/$defs/d${i - 1}` }] },
          ]),
        ),
      },
      1,
      'the check takes too many steps',
    ],
    [
      'elements that are compared',
      { contains: { enum: [Array.from({ length: 5000 }, (_, i) => i)] } },
      Array.from({ length: 5000 }, () => Array.from({ length: 5000 }, () => 1)),
      'the check takes too many steps',
    ],
  ])('%s', (_name, schema, value, words) => {
    expect(refusal(schema, value)).toBe(words);
  });
});

test.each<[schema: unknown, words: string]>([
  [7, 'the schema must be an object, true or false'],
  [null, 'the schema must be an object, true or false'],
  [[], 'the schema must be an object, true or false'],
  [{ type: 'text' }, 'type "text" is none of array, boolean, integer, null, number, object, string'],
  [{ properties: [] }, 'properties must be an object'],
  [{ properties: { a: 1 } }, 'properties must be an object, true or false'],
  [{ required: 'a' }, 'required must be a list'],
  [{ required: [1] }, 'required must be a list of names'],
  [{ minLength: -1 }, 'minLength must be an integer of at least 0'],
  [{ maximum: '5' }, 'maximum must be a number'],
  [{ multipleOf: 0 }, 'multipleOf must be a number above 0'],
  [{ allOf: [] }, 'allOf must list at least one schema'],
  [{ enum: 'a' }, 'enum must be a list'],
  [{ pattern: 7 }, 'a pattern must be a string'],
  [{ $ref: 7 }, 'a reference must be a string'],
  [{ $ref: '#/nothing' }, 'the reference "#/nothing" names no schema'],
  [{ $ref: '#nothing' }, 'the reference "#nothing" names no anchor'],
  [
    { $ref: '#/$defs/a', $defs: { a: 7 } },
    'the value at the reference "#/$defs/a" must be an object, true or false',
  ],
  [{ $ref: 'http://[' }, '"http://[" is not a URI'],
  [{ $ref: '#%ff' }, 'the fragment "%ff" is not percent-encoded UTF-8'],
  [{ $ref: 'other.json' }, 'the reference "other.json" is outside the schema; nothing is fetched'],
  [
    { $schema: 'http://json-schema.org/draft-04/schema#' },
    'the dialect "http://json-schema.org/draft-04/schema#" is not supported; use 2020-12, 2019-09, draft-07 or draft-06',
  ],
  [{ $schema: {} }, 'the dialect {} is not supported; use 2020-12, 2019-09, draft-07 or draft-06'],
])('%j is refused', (schema, words) => {
  expect(refusal(schema)).toBe(words);
});

test.each<[schema: unknown, value: unknown, words: string]>([
  [{ type: 'object' }, [], 'expected object, received array'],
  [{ properties: { a: { items: { minimum: 1 } } } }, { a: [2, 0] }, 'a.1: expected at least 1'],
  [{ required: ['sum'] }, {}, 'sum: is required'],
  [{ additionalProperties: false }, { 'a\nb': 1 }, '"a\\nb": no value is allowed here'],
  [{ anyOf: [{ type: 'null' }, { type: 'string' }] }, 1, 'matches none of the 2 allowed schemas'],
  [{ oneOf: [true, true] }, 1, 'matches 2 schemas; one is allowed'],
  [{ enum: ['x'.repeat(500)] }, 1, `expected one of ["${'x'.repeat(58)}...`],
  [{ maxLength: 1 }, 'abc', 'expected at most 1 characters, received 3'],
  [
    { items: { $ref: '#' }, type: 'array' },
    nested(20, (inner) => [inner], 1),
    '0.0.0.0.0.0.0.0....: expected array, received number',
  ],
])('an invalid value of %j is reported with its path and reason in one line', (schema, value, words) => {
  expect(refusal(schema, value)).toBe(words);
});

test('a tool whose schema refers to a URL is refused, and the URL is never fetched', async () => {
  let requests = 0;
  const http = createHttpServer((_request, response) => {
    requests += 1;
    response.end('{}');
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(http.address() as AddressInfo).port}/schema.json`;
  const schemas = [{ $ref: address }, { $id: address, $ref: 'other.json' }, { $schema: address }];
  const server = scripted(({ id, method, params }, act) => {
    if (method === 'initialize')
      act.say({
        id,
        result: {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 's', version: '1' },
        },
      });
    if (method === 'tools/list')
      act.say({
        id,
        result: {
          tools: schemas.map((more, i) => ({
            name: `t${i}`,
            inputSchema: { type: 'object' },
            outputSchema: { type: 'object', ...more },
          })),
        },
      });
    if (method === 'tools/call') act.say({ id, result: { content: [], structuredContent: {} } });
  });
  const client = await connect(server.transport, { name: 'tester', version: '1.0.0', era: 'handshake' });
  await client.listTools();
  for (const i of schemas.keys())
    await expect(client.callTool(`t${i}`)).rejects.toThrow(
      `the output of tool t${i} cannot be checked: the `,
    );
  expect(requests).toBe(0);
  await client.close();
  http.close();
});
