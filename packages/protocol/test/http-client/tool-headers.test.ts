import { expect, test } from 'vitest';
import { RpcError } from '../../src/client.ts';
import { type Asked, complete, session, stateless, textResult } from './site.ts';

const cached = { ttlMs: 0, cacheScope: 'private' };
const tool = (name: string, properties: object, more: object = {}): object => ({
  name,
  inputSchema: { type: 'object', properties, ...more },
});
const mirror = (name: unknown, type: unknown = 'string'): object => ({ type, 'x-mcp-header': name });
const listing =
  (tools: readonly object[]) =>
  (asked: Asked): void =>
    asked.result(complete(asked.message.method === 'tools/list' ? { tools, ...cached } : textResult('hi')));
const paramsOf = ({ headers }: Asked): Record<string, unknown> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('mcp-param-')));

const query = tool('query', {
  region: mirror('Region'),
  limit: mirror('Limit', 'integer'),
  dry: mirror('Dry-Run', 'boolean'),
  where: { type: 'object', properties: { tenant: mirror('Tenant') } },
  plain: { type: 'string' },
});

test.each([
  [{ region: 'us-west1' }, { 'mcp-param-region': 'us-west1' }],
  [{ region: 'two words' }, { 'mcp-param-region': 'two words' }],
  [{ region: '' }, { 'mcp-param-region': '' }],
  [{ region: ' padded ' }, { 'mcp-param-region': '=?base64?IHBhZGRlZCA=?=' }],
  [{ region: 'Hello, 世界' }, { 'mcp-param-region': '=?base64?SGVsbG8sIOS4lueVjA==?=' }],
  [{ region: 'a\r\nb' }, { 'mcp-param-region': '=?base64?YQ0KYg==?=' }],
  [{ region: '=?base64?x?=' }, { 'mcp-param-region': '=?base64?PT9iYXNlNjQ/eD89?=' }],
  [{ limit: 42 }, { 'mcp-param-limit': '42' }],
  [{ limit: -0 }, { 'mcp-param-limit': '0' }],
  [{ limit: 9007199254740991 }, { 'mcp-param-limit': '9007199254740991' }],
  [{ limit: -9007199254740991 }, { 'mcp-param-limit': '-9007199254740991' }],
  [{ dry: true }, { 'mcp-param-dry-run': 'true' }],
  [{ dry: false }, { 'mcp-param-dry-run': 'false' }],
  [{ where: { tenant: 'acme' } }, { 'mcp-param-tenant': 'acme' }],
  [{ tenant: 'acme', 'where.tenant': 'acme' }, {}],
  [{ region: null, limit: null, where: null }, {}],
  [{ where: { tenant: null } }, {}],
  [{ plain: 'x' }, {}],
  [{}, {}],
  [
    { region: 'eu', limit: 1, dry: true, where: { tenant: 't' } },
    {
      'mcp-param-region': 'eu',
      'mcp-param-limit': '1',
      'mcp-param-dry-run': 'true',
      'mcp-param-tenant': 't',
    },
  ],
])('the arguments %j are sent as the headers %j', async (args, headers) => {
  const { client, site: served } = await stateless(listing([query]));
  await client.listTools();
  await client.callTool('query', args);
  const call = await served.hears('tools/call');
  expect([paramsOf(call), call.message.params.arguments]).toEqual([
    headers,
    JSON.parse(JSON.stringify(args)),
  ]);
});

test.each([2 ** 53, -(2 ** 53), 1.5, 1e300])(
  'an integer argument that a header cannot carry, %s, is not sent',
  async (limit) => {
    const { client, site: served } = await stateless(listing([query]));
    await client.listTools();
    await expect(client.callTool('query', { limit })).rejects.toThrow(
      'argument limit is sent as a header and must be an integer below 2^53',
    );
    expect(served.log).toEqual(['tools/list']);
  },
);

test('an inherited property is not an argument', async () => {
  const { client, site: served } = await stateless(
    listing([tool('t', { toString: mirror('A'), __proto__: mirror('B') })]),
  );
  await client.listTools();
  await client.callTool('t', {});
  expect(paramsOf(await served.hears('tools/call'))).toEqual({});
});

test.each([
  ['an empty name', { a: mirror('') }, {}],
  ['a name with a space', { a: mirror('A B') }, {}],
  ['a name with a line break', { a: mirror('A\r\nX: 1') }, {}],
  ['a name with a colon', { a: mirror('A:') }, {}],
  ['a name beyond ASCII', { a: mirror('Ä') }, {}],
  ['a name that is no text', { a: mirror(1) }, {}],
  ['the same name twice', { a: mirror('Same'), b: mirror('sAME') }, {}],
  ['a number', { a: mirror('A', 'number') }, {}],
  ['an object', { a: mirror('A', 'object') }, {}],
  ['an array', { a: mirror('A', 'array') }, {}],
  ['null', { a: mirror('A', 'null') }, {}],
  ['no type', { a: { 'x-mcp-header': 'A' } }, {}],
  [
    'a place in an array',
    { a: { type: 'array', items: { type: 'object', properties: { b: mirror('A') } } } },
    {},
  ],
  ['a place in a choice', { a: { oneOf: [mirror('A')] } }, {}],
  ['a place in another schema', {}, { $defs: { a: mirror('A') } }],
  ['a place in a condition', {}, { if: { properties: { a: mirror('A') } } }],
  ['the schema itself', {}, { 'x-mcp-header': 'A' }],
])(
  'a tool whose header has %s is left out of the list, and the fault names it',
  async (_what, properties, more) => {
    const { client, faults } = await stateless(
      listing([tool('good', {}), tool('bad', properties, more), query]),
    );
    expect((await client.listTools()).map(({ name }) => name)).toEqual(['good', 'query']);
    expect(faults).toEqual([expect.stringMatching(/^tool bad is left out: x-mcp-header .+$/)]);
  },
);

test('a property that only looks like x-mcp-header is ignored', async () => {
  const properties = {
    'x-mcp-header': { type: 'string' },
    a: { type: 'object', default: { 'x-mcp-header': 1 }, examples: [{ 'x-mcp-header': 1 }] },
  };
  const { client, faults, site: served } = await stateless(listing([tool('fine', properties)]));
  expect(await client.listTools()).toHaveLength(1);
  await client.callTool('fine', { 'x-mcp-header': 'x', a: {} });
  expect([paramsOf(await served.hears('tools/call')), faults]).toEqual([{}, []]);
});

const mismatch = (asked: Asked): void =>
  asked.json(400, {
    jsonrpc: '2.0',
    id: asked.message.id,
    error: { code: -32020, message: 'header mismatch' },
  });

test('a call without required headers makes the client list the tools and call once more', async () => {
  const { client, site: served } = await stateless((asked) => {
    const { method, params } = asked.message;
    if (method === 'tools/list' && params.cursor === undefined) {
      asked.result(complete({ tools: [tool('other', {})], nextCursor: 'b', ...cached }));
    } else if (method === 'tools/list') asked.result(complete({ tools: [query], ...cached }));
    else if (paramsOf(asked)['mcp-param-region'] === 'eu') asked.result(complete(textResult('hi')));
    else mismatch(asked);
  });
  const { content } = await client.callTool('query', { region: 'eu' }, { onProgress: () => {} });
  expect(content).toEqual([{ type: 'text', text: 'hi' }]);
  expect(served.log).toEqual(['tools/call', 'tools/list', 'tools/list', 'tools/call']);
  const [first, list, , second] = served.asked.map(({ message }) => message);
  expect(new Set(served.asked.map(({ message }) => message.id)).size).toBe(4);
  expect(second.params._meta).toEqual({ ...first.params._meta, progressToken: second.id });
  expect(list.params._meta).toEqual({ ...first.params._meta, progressToken: undefined });
});

test('headers that have changed since the last list are learnt again', async () => {
  let name = 'Old';
  const { client, site: served } = await stateless((asked) => {
    if (asked.message.method === 'tools/list')
      asked.result(complete({ tools: [tool('t', { a: mirror(name) })], ...cached }));
    else if (Object.keys(paramsOf(asked))[0] === `mcp-param-${name.toLowerCase()}`)
      asked.result(complete(textResult('hi')));
    else mismatch(asked);
  });
  await client.listTools();
  await client.callTool('t', { a: 'x' });
  name = 'New';
  await client.callTool('t', { a: 'x' });
  expect(served.log).toEqual(['tools/list', 'tools/call', 'tools/call', 'tools/list', 'tools/call']);
});

test('a call that is refused for its headers twice is an error', async () => {
  const { client, site: served } = await stateless((asked) => {
    if (asked.message.method === 'tools/list') listing([query])(asked);
    else mismatch(asked);
  });
  const failure = await client.callTool('query', {}).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(RpcError);
  expect(failure).toMatchObject({ code: -32020 });
  expect(served.log).toEqual(['tools/call', 'tools/list', 'tools/call']);
});

test('a handshake server may use any x-mcp-header', async () => {
  const {
    client,
    site: served,
    faults,
  } = await session((asked) =>
    asked.result(
      asked.message.method === 'tools/list'
        ? { tools: [tool('bad', { a: mirror('') }), query] }
        : textResult('hi'),
    ),
  );
  expect(await client.listTools()).toHaveLength(2);
  await client.callTool('query', { region: 'eu' });
  expect([paramsOf(await served.hears('tools/call')), faults]).toEqual([{}, []]);
});
