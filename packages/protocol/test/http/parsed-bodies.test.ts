import { once } from 'node:events';
import { createServer as createNodeServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createHttpHandler, type HttpOptions } from '../../src/http.ts';
import { sseRoutes } from '../../src/sse.ts';
import { ask, call, initialize, sampleServer, stateless } from './wire.ts';

const LIMIT = 4096;
const sum = { name: 'add', arguments: { a: 1, b: 2 } };
const consumed =
  'the body was read before this handler; put it in request.body, or mount the handler before the body parser';

/** Does to a request what a framework does before its handlers run. */
type Reading = (request: IncomingMessage) => unknown;

const readings: Readonly<Record<string, Reading>> = {
  'nothing read': () => {},
  'the parsed value in request.body': async (request) =>
    Object.assign(request, { body: JSON.parse(await text(request)) as unknown }),
  'the text in request.body': async (request) => Object.assign(request, { body: await text(request) }),
  'the bytes in request.body': async (request) => Object.assign(request, { body: await buffer(request) }),
  'an empty object in request.body, as Express 4 leaves it, and nothing read': (request) =>
    Object.assign(request, { body: {} }),
};

/** Starts a listener that reads a request before it passes it on. */
async function behind(reading: Reading, options: HttpOptions = {}): Promise<{ port: number }> {
  const { server } = sampleServer();
  const routes = sseRoutes(server, { messageLimit: LIMIT });
  const handler = createHttpHandler(server, { bodyLimit: LIMIT, mounts: [routes.route], ...options });
  const listener = createNodeServer((request, response) => {
    void Promise.resolve(reading(request)).then(() => handler.node(request, response));
  });
  listener.listen(0, '127.0.0.1');
  onTestFinished(async () => {
    handler.close();
    await routes.close(0);
    listener.closeAllConnections();
    listener.close();
  });
  await once(listener, 'listening');
  return { port: (listener.address() as AddressInfo).port };
}

describe.each(Object.keys(readings))('with %s', (name) => {
  const reading = readings[name]!; // the names are its keys

  test('a stateless call and one of a session get their results', async () => {
    const to = await behind(reading);
    const plain = await ask(to, stateless(1, 'tools/call', sum));
    expect([plain.status, plain.json.result.structuredContent]).toEqual([200, { sum: 3 }]);
    const headers = await initialize(to, '2025-11-25');
    const known = await ask(to, { headers, body: call(1, 'tools/call', sum) });
    expect([known.status, known.json.result.structuredContent]).toEqual([200, { sum: 3 }]);
  });

  test('a batch of 2025-03-26 gets its responses', async () => {
    const to = await behind(reading);
    const headers = await initialize(to, '2025-03-26');
    const { status, json } = await ask(to, { headers, body: `[${call(1, 'ping')},${call(2, 'ping')}]` });
    expect([status, json.length]).toEqual([200, 2]);
  });

  test.each([
    ['a value that is no message', { body: '{"jsonrpc":"1.0"}' }, 400, -32600],
    ['null', { body: 'null' }, 400, -32600],
    ['a body that is too long', { body: `{"a":"${'x'.repeat(LIMIT)}"}` }, 413, -32600],
    [
      'a chunked body that is too long',
      { body: `{"a":"${'x'.repeat(LIMIT)}"}`, headers: { 'Transfer-Encoding': 'chunked' } },
      413,
      -32600,
    ],
    ['another type', { body: '{}', headers: { 'Content-Type': 'text/plain' } }, 415, -32600],
  ])('%s is refused as without a framework', async (_what, asking, status, code) => {
    const to = await behind(reading);
    const answer = await ask(to, asking);
    expect([answer.status, answer.json.error.code]).toEqual([status, code]);
    expect(answer.json).toEqual((await ask(await behind(() => {}), asking)).json);
  });
});

test.each([
  ['text that is no JSON', text, '{', -32700],
  ['bytes that are no JSON', buffer, '{', -32700],
  ['nothing at all', text, '', -32700],
  ['bytes that are no UTF-8', buffer, Buffer.from([0x22, 0xff, 0x22]), -32600],
])('%s in request.body is refused as without a framework', async (_what, read, body, code) => {
  const to = await behind(async (request) => Object.assign(request, { body: await read(request) }));
  const answer = await ask(to, { body });
  expect([answer.status, answer.json.error.code]).toEqual([400, code]);
  expect(answer.json).toEqual((await ask(await behind(() => {}), { body })).json);
});

test('a parsed value that is not JSON is refused in one line', async () => {
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  const to = await behind(async (request) => {
    await text(request);
    return Object.assign(request, { body: circle });
  });
  const { status, json } = await ask(to, { body: '{}' });
  expect([status, json.error.message]).toEqual([
    400,
    'request.body is not JSON; put the parsed JSON, the text or the bytes there',
  ]);
});

describe('a body that was read and not stored is refused in one line', () => {
  const lost: readonly (readonly [string, Reading])[] = [
    ['when all of it was read', (request) => text(request)],
    [
      'when its beginning was read',
      async (request) => {
        await once(request, 'data');
        request.pause();
      },
    ],
  ];
  test.each(lost)('%s', async (_when, reading) => {
    const to = await behind(reading);
    const answers = [
      await ask(to, stateless(1, 'tools/call', sum)),
      await ask(to, { body: call(1, 'initialize', {}) }),
    ];
    for (const { status, json } of answers)
      expect([status, json.error]).toEqual([400, { code: -32600, message: consumed }]);
  });
});

describe('a web-standard request', () => {
  const fetched = async (spoil: (request: Request) => unknown): Promise<[number, unknown]> => {
    const handler = createHttpHandler(sampleServer().server);
    onTestFinished(() => handler.close());
    const { headers, body } = stateless(1, 'tools/call', sum);
    const request = new Request('http://localhost/mcp', {
      method: 'POST',
      headers: { ...(headers as Record<string, string>), 'Content-Type': 'application/json' },
      body: String(body),
    });
    await spoil(request);
    const response = await handler.fetch(request);
    return [response.status, await response.json()];
  };
  const refused = [
    400,
    {
      jsonrpc: '2.0',
      id: null,
      error: {
        code: -32600,
        message: 'the body was read before this handler; pass new Request(request, { body }) with its text',
      },
    },
  ];

  test('whose body was read is refused in one line', async () => {
    expect(await fetched((request) => request.text())).toEqual(refused);
  });

  test('whose body is being read is refused in one line', async () => {
    expect(await fetched((request) => request.body?.getReader())).toEqual(refused);
  });

  test('that was cloned before is served', async () => {
    expect((await fetched((request) => request.clone().text()))[0]).toBe(200);
  });
});
