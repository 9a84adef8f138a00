import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { connect, http } from '@rootbound/protocol/client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { full } from '../extent.ts';
import { type Change, Recipe } from './recipe.ts';

const LIMIT = 4096;
const limited: Change = ['tools: [add] }))', `tools: [add] }), { bodyLimit: ${LIMIT} })`];

const [ownParser, scoped]: readonly [Change, Change] = [
  ["  scope.addContentTypeParser('*', (_request, _body, done) => done(null));\n", ''],
  ['  scope.removeAllContentTypeParsers();\n', ''],
];
const reads: Change = [
  "app.all('/mcp', async (c)",
  "app.use(async (c, next) => { if (c.req.method === 'POST') await c.req.text(); await next(); });\napp.all('/mcp', async (c)",
];
const rawOfHono: Change = ['handler.fetch(await cloneRawRequest(c.req))', 'handler.fetch(c.req.raw)'];

/** Each recipe unchanged, and with its body parser switched. */
const recipes: readonly (readonly [string, string, readonly Change[]])[] = [
  ['express.js', 'with a parser', []],
  ['express.js', 'without a parser', [['app.use(express.json());\n', '']]],
  ['express.js', 'with a parser of text', [['express.json()', "express.text({ type: '*/*' })"]]],
  ['express.js', 'with a parser of bytes', [['express.json()', "express.raw({ type: '*/*' })"]]],
  ['fastify.js', 'without a parser', []],
  ['fastify.js', 'with a parser', [ownParser, scoped]],
  ['koa.js', 'with a parser', []],
  ['koa.js', 'without a parser', [['app.use(bodyParser());\n', '']]],
  ['hono.js', 'with nothing that reads before', []],
  ['hono.js', 'with a middleware that reads before', [reads]],
  ['hono.js', 'without a clone', [rawOfHono]],
  ['route.js', 'as it stands', []],
  ['nest.js', 'with routes before its parser', []],
  [
    'nest.js',
    'with routes behind its parser',
    [["app.getHttpAdapter().all('/mcp'", "app.useBodyParser('json');\napp.getHttpAdapter().all('/mcp'"]],
  ],
];

const call = { name: 'add', arguments: { a: 1, b: 2 } };

/** Calls the tool by a client and closes it. */
type Talk = (url: URL) => Promise<unknown>;

const official =
  (mode: 'legacy' | { pin: string }): Talk =>
  async (url) => {
    const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
    const transport = new StreamableHTTPClientTransport(url);
    await client.connect(transport);
    const { structuredContent } = await client.callTool(call);
    if (mode === 'legacy') await transport.terminateSession();
    await client.close();
    return structuredContent;
  };

const own =
  (era: 'handshake' | 'auto'): Talk =>
  async (url) => {
    const client = await connect(http(url), { name: 'test', version: '1.0.0', era });
    const { structuredContent } = await client.callTool(call.name, call.arguments);
    await client.close();
    return structuredContent;
  };

const clients: readonly (readonly [string, Talk])[] = [
  ['the official client in a session', official('legacy')],
  ['the official client without one', official({ pin: '2026-07-28' })],
  ['our client in a session', own('handshake')],
  ['our client without one', own('auto')],
];

/** All variants in the full run; otherwise one for each way to pass a parsed body. */
const tried = recipes.filter(
  ([name, , changes]) => full || changes.length === 0 || changes.includes(reads) || name === 'fastify.js',
);

describe.each(tried)('%s %s', (name, _how, changes) => {
  let recipe: Recipe;
  beforeAll(() => {
    recipe = new Recipe(name, [limited, ...changes]);
  });
  afterAll(() => recipe.stop());

  test.each(clients)('serves %s', async (_who, talk) => {
    expect(await talk(await recipe.url())).toEqual({ sum: 3 });
  });

  test.each([
    ['a body over the limit', 'application/json', `{"a":"${'x'.repeat(LIMIT)}"}`, 413],
    ['a body that is no JSON', 'application/json', '{', 400],
    ['a body that is no message', 'application/json', '{"jsonrpc":"1.0"}', 400],
    ['another type', 'text/plain', '{}', 415],
  ])('refuses %s', async (_what, type, body, status) => {
    const headers = { 'Content-Type': type, Accept: 'application/json, text/event-stream' };
    const response = await fetch(await recipe.url(), { method: 'POST', headers, body });
    expect([response.status, (await response.text()) !== '']).toEqual([status, true]);
  });

  test('refuses a chunked body over the limit', async () => {
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
    const body = new Blob([`{"a":"${'x'.repeat(LIMIT)}"}`]).stream();
    const asked = { method: 'POST', headers, body, duplex: 'half' } as RequestInit; // RequestInit lacks duplex
    expect((await fetch(await recipe.url(), asked)).status).toBe(413);
  });
});

test('a Hono route that passes on a request with a consumed body is refused with one line', async () => {
  const recipe = new Recipe('hono.js', [reads, rawOfHono]);
  onTestFinished(() => recipe.stop());
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
  const response = await fetch(await recipe.url(), { method: 'POST', headers, body: '{}' });
  expect([response.status, await response.json()]).toMatchObject([
    400,
    { error: { message: expect.stringMatching(/^the body was read before this handler/) } },
  ]);
});
