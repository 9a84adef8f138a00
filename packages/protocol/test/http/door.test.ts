import { once } from 'node:events';
import {
  Agent,
  createServer as createNodeServer,
  request as httpRequest,
  type IncomingMessage,
} from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type Authorizer, createHttpHandler, Guard, serveHttp } from '../../src/http.ts';
import { ask, begin, call, initialize, listen, readEvents, sampleServer, stateless } from './wire.ts';

const list = stateless(1, 'tools/list');
const withHeaders = (headers: Record<string, string>) => ({
  ...list,
  headers: { ...list.headers, ...headers },
});

test.each([
  ['http://127.0.0.1:3000', 200],
  ['http://localhost', 200],
  ['http://[::1]:1', 200],
  ['https://app.example', 200],
  ['http://evil.example', 403],
  ['https://app.example.evil', 403],
  ['http://localhost.evil.example', 403],
  ['http://127.0.0.1.evil.example', 403],
  ['http://127.0.0.1@evil.example', 403],
  ['file://localhost', 403],
  ['null', 403],
  ['', 403],
])('a page of the origin %j gets %d', async (origin, status) => {
  const to = await listen(sampleServer().server, { allowedOrigins: ['https://app.example'] });
  const answer = await ask(to, withHeaders({ Origin: origin }));
  expect(answer.status).toBe(status);
  expect(answer.headers['access-control-allow-origin']).toBe(status === 200 ? origin : undefined);
});

test.each([
  ['127.0.0.1:80', 200],
  ['localhost', 200],
  ['sub.localhost:1', 200],
  ['[::1]', 200],
  ['files.example', 200],
  ['files.example:8080', 200],
  ['evil.example', 403],
  ['127.0.0.1.evil.example', 403],
  ['localhost.evil.example:80', 403],
  ['user@localhost', 403],
  ['localhost/x', 403],
])('a request to the host %j gets %d', async (host, status) => {
  const to = await listen(sampleServer().server, { allowedHosts: ['files.example'] });
  expect((await ask(to, withHeaders({ Host: host }))).status).toBe(status);
});

test('the guard comes before everything, also for GET, DELETE, preflight and other paths', async () => {
  const to = await listen(sampleServer().server);
  const headers = { Origin: 'http://evil.example' };
  for (const method of ['GET', 'DELETE', 'OPTIONS', 'PUT'])
    expect([method, (await ask(to, { method, headers })).status]).toEqual([method, 403]);
  expect((await ask(to, { path: '/other', headers })).status).toBe(403);
});

test('a preflight lists the methods and headers that a page may use', async () => {
  const to = await listen(sampleServer().server);
  const { status, headers } = await ask(to, {
    method: 'OPTIONS',
    headers: {
      Origin: 'http://localhost:5173',
      'Access-Control-Request-Headers': 'mcp-param-region, x-other',
    },
  });
  expect(status).toBe(204);
  expect(headers['access-control-allow-methods']).toBe('POST, GET, DELETE');
  for (const name of [
    'Mcp-Session-Id',
    'Last-Event-ID',
    'Mcp-Method',
    'Mcp-Name',
    'Authorization',
    'mcp-param-region',
  ])
    expect(headers['access-control-allow-headers']).toContain(name);
  expect(headers['access-control-allow-headers']).not.toContain('x-other');
  const answer = await ask(to, withHeaders({ Origin: 'http://localhost:5173' }));
  for (const name of ['Mcp-Session-Id', 'WWW-Authenticate', 'Retry-After'])
    expect(answer.headers['access-control-expose-headers']).toContain(name);
});

test('a response without content has no Content-Length, and a request without a body keeps its connection', async () => {
  const to = await listen(sampleServer().server);
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const [port, headers] = [to.port, { Origin: 'http://localhost' }];
  for (const [method, path, status] of [
    ['OPTIONS', '/mcp', 204],
    ['GET', '/healthz', 200],
    ['GET', '/elsewhere', 404],
  ] as const) {
    const request = httpRequest({ host: '127.0.0.1', port, method, path, headers, agent }).end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
    expect([path, response.statusCode, response.headers.connection]).toEqual([path, status, 'keep-alive']);
    if (status === 204) expect(response.headers).not.toHaveProperty('content-length');
  }
});

test('invalid origins are refused when the server is created', () => {
  expect(() => new Guard({ allowedOrigins: ['app.example'] })).toThrow(/must be like https:\/\/app\.example/);
});

test.each([
  ['a body that is no JSON', { body: '{' }, 400, -32700],
  ['an empty body', { body: '' }, 400, -32700],
  ['a body that is not UTF-8', { body: Buffer.from([0x22, 0xff, 0x22]) }, 400, -32600],
  ['a body that is no message', { body: '{"jsonrpc":"1.0"}' }, 400, -32600],
  ['a body that is too long', { body: ' '.repeat(5000) }, 413, -32600],
  ['another type', { headers: { 'Content-Type': 'text/plain' } }, 415, -32600],
  ['no type', { headers: { 'Content-Type': undefined } }, 415, -32600],
  ['a type that only begins alike', { headers: { 'Content-Type': 'application/jsonx' } }, 415, -32600],
  ['an Accept without streams', { headers: { Accept: 'application/json' } }, 406, -32600],
  ['an Accept without JSON', { headers: { Accept: 'text/event-stream' } }, 406, -32600],
  ['another method', { method: 'PUT' }, 405, -32600],
  ['another path', { path: '/' }, 404, -32600],
])('%s is refused with a status and one line', async (_what, asking, status, code) => {
  const to = await listen(sampleServer().server, { bodyLimit: 4096 });
  const answer = await ask(to, { body: call(1, 'tools/list'), ...asking });
  expect([answer.status, answer.json.error.code]).toEqual([status, code]);
  expect(answer.json.error.message).not.toContain('\n');
});

test('a body over the limit is cut off while it arrives', async () => {
  const to = await listen(sampleServer().server, { bodyLimit: 4096 });
  const { request, response } = begin(to, {
    headers: { 'Transfer-Encoding': 'chunked' },
    body: 'x'.repeat(100_000),
  });
  request.on('error', () => {
    // the connection is closed during a write
  });
  expect((await response).statusCode).toBe(413);
});

test('a body that does not arrive is given up', async () => {
  const to = await listen(sampleServer().server, { requestTimeout: 100, headersTimeout: 100 });
  const socket = connect(to.port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write(
    'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
  );
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 408 /);
});

test.each([
  [{ requestTimeout: 100 }, 100],
  [{ requestTimeout: 100_000 }, 15_000],
  [{ requestTimeout: 0 }, 15_000],
  [{ requestTimeout: 0, headersTimeout: 90_000 }, 90_000],
  [{ requestTimeout: 100, headersTimeout: 0 }, 0],
])('with %j the headers of a request have %d milliseconds', async (bounds, milliseconds) => {
  expect((await listen(sampleServer().server, bounds)).listener.headersTimeout).toBe(milliseconds);
});

test.each([
  [
    { headersTimeout: 90_000 },
    'headersTimeout 90000 must not exceed requestTimeout 60000; lower it or raise requestTimeout',
  ],
  [
    { requestTimeout: 1000, headersTimeout: 1001 },
    'headersTimeout 1001 must not exceed requestTimeout 1000; lower it or raise requestTimeout',
  ],
  [{ requestTimeout: -1 }, 'requestTimeout must be an integer of at least 0'],
  [{ headersTimeout: Number.NaN }, 'headersTimeout must be an integer of at least 0'],
  [{ idleTimeout: 0.5 }, 'idleTimeout must be an integer of at least 0'],
  [{ headerLimit: -1 }, 'headerLimit must be an integer of at least 0'],
])('invalid limits, %j, are refused with the names of the options', async (bounds, message) => {
  const refused = serveHttp(sampleServer().server, { port: 0, ...bounds });
  await expect(refused).rejects.toThrow(new TypeError(message));
});

test('too long headers are refused', async () => {
  const to = await listen(sampleServer().server);
  expect((await ask(to, withHeaders({ 'X-Long': 'x'.repeat(40_000) }))).status).toBe(431);
});

test('beyond loopback a server listens only with an authorizer or allowAnyone', async () => {
  const { server } = sampleServer();
  await expect(serveHttp(server, { port: 0, host: '0.0.0.0' })).rejects.toThrow(/is not loopback/);
  const open = await listen(server, { host: '0.0.0.0', allowAnyone: true });
  expect((await ask(open, list)).status).toBe(200);
});

const authorizer: Authorizer = {
  authorize: ({ header }) =>
    header('authorization') === 'Bearer good'
      ? { principal: 'ann', scopes: ['read'] }
      : { status: 401, challenge: 'Bearer resource_metadata="x"', message: 'a token is needed' },
  permit: (_identity, requests) =>
    requests.some(({ method }) => method === 'tools/call')
      ? {
          status: 403,
          challenge: 'Bearer error="insufficient_scope", scope="call"',
          message: 'call is needed',
        }
      : undefined,
  document: (path) => (path === '/.well-known/x' ? { resource: 'y' } : undefined),
};

test('an unauthorized request is refused before its body is read', async () => {
  const to = await listen(sampleServer().server, { authorizer });
  const { status, headers } = await ask(to, { body: '{ not even JSON' });
  expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer resource_metadata="x"']);
  const good = { Authorization: 'Bearer good' };
  expect((await ask(to, withHeaders(good))).status).toBe(200);
  const call403 = stateless(1, 'tools/call', { name: 'add', arguments: {} }, { headers: good });
  const refused = await ask(to, call403);
  expect([refused.status, refused.headers['www-authenticate']]).toEqual([
    403,
    'Bearer error="insufficient_scope", scope="call"',
  ]);
  const document = await ask(to, { method: 'GET', path: '/.well-known/x' });
  expect([document.status, document.json]).toEqual([200, { resource: 'y' }]);
});

test.each([
  [{ status: 503, message: 'no' }, '5'],
  [{ status: 503, message: 'no', retryAfter: 60 }, '60'],
  [{ status: 403, message: 'no', retryAfter: 60 }, undefined],
] as const)('the refusal %j has Retry-After: %s', async (refusal, seconds) => {
  const to = await listen(sampleServer().server, { authorizer: { authorize: () => refusal } });
  const { status, headers } = await ask(to, list);
  expect([status, headers['retry-after']]).toEqual([refusal.status, seconds]);
});

test('health is served without the protocol, also during shutdown', async () => {
  const hooks = sampleServer();
  const to = await listen(hooks.server, { authorizer });
  const healthy = await ask(to, { method: 'GET', path: '/healthz', headers: { Host: 'probe.example' } });
  expect([healthy.status, healthy.json]).toEqual([200, { status: 'ok' }]);
  await to.handler.drain();
  const draining = await ask(to, { method: 'GET', path: '/healthz' });
  expect([draining.status, draining.headers['retry-after'], draining.json]).toEqual([
    503,
    '10',
    { status: 'draining' },
  ]);
});

test('closing lets a call end, refuses new sessions and cuts what takes too long', async () => {
  const hooks = sampleServer();
  const to = await listen(hooks.server);
  const headers = await initialize(to, '2025-11-25');
  const body = call(1, 'tools/call', { name: 'hold', arguments: {} });
  const answer = ask(to, { headers, body });
  await hooks.started.passed;
  const closed = to.close(60_000);
  hooks.finish.open();
  expect((await answer).json.result.content[0].text).toBe('held');
  await closed;
  await expect(ask(to, list)).rejects.toThrow('ECONNREFUSED');
});

test('a server that is shutting down serves calls, and refuses listen streams that would delay it', async () => {
  const to = await listen(sampleServer().server);
  await to.handler.drain();
  expect((await ask(to, list)).status).toBe(200);
  const wanted = { notifications: { toolsListChanged: true } };
  const refused = await ask(to, stateless(7, 'subscriptions/listen', wanted));
  expect([refused.status, refused.headers['retry-after'], refused.json]).toEqual([
    503,
    '10',
    { jsonrpc: '2.0', id: 7, error: { code: -32603, message: 'the server is shutting down' } },
  ]);
});

test('the same server works as a web-standard handler', async () => {
  const hooks = sampleServer();
  const handler = createHttpHandler(hooks.server);
  onTestFinished(() => handler.close());
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
  const send = (
    asking: { headers?: Record<string, string | undefined>; body?: unknown },
    signal?: AbortSignal,
  ) =>
    handler.fetch(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: { ...headers, ...(asking.headers as Record<string, string>) },
        body: String(asking.body),
        ...(signal !== undefined && { signal }),
      }),
    );
  const plain = await send(stateless(1, 'tools/call', { name: 'add', arguments: { a: 1, b: 2 } }));
  expect(plain.status).toBe(200);
  expect(
    ((await plain.json()) as { result: { structuredContent: object } }).result.structuredContent,
  ).toEqual({ sum: 3 });
  const response = await send(
    stateless(2, 'tools/call', { name: 'report', arguments: {} }, { meta: { progressToken: 1 } }),
  );
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  expect(await response.text()).toContain('"id":2');
  const held = await send(
    stateless(3, 'tools/call', { name: 'hold', arguments: {} }, { meta: { progressToken: 1 } }),
  );
  await held.body?.cancel();
  await hooks.cancelled.passed;
  const elsewhere = await handler.fetch(new Request('http://evil.example/mcp', { method: 'POST' }));
  expect(elsewhere.status).toBe(403);
});

test('your own listener serves it too', async () => {
  const handler = createHttpHandler(sampleServer().server, { path: '/here' });
  const listener = createNodeServer(handler.node).listen(0, '127.0.0.1');
  onTestFinished(() => {
    handler.close();
    listener.close();
  });
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  expect((await ask({ port }, { ...list, path: '/here' })).status).toBe(200);
});

test('mounts are served behind the same guard and authorization', async () => {
  const to = await listen(sampleServer().server, {
    authorizer,
    mounts: [
      (exchange, identity) => {
        if (exchange.path !== '/who') return false;
        exchange.respond(200, { 'Content-Type': 'text/plain' }, identity?.principal ?? 'nobody');
        return true;
      },
    ],
  });
  expect((await ask(to, { method: 'GET', path: '/who' })).status).toBe(401);
  const known = await ask(to, { method: 'GET', path: '/who', headers: { Authorization: 'Bearer good' } });
  expect([known.status, known.text]).toEqual([200, 'ann']);
});

test('for a client that does not read, the server drops messages that may be lost', async () => {
  const hooks = sampleServer();
  const to = await listen(hooks.server);
  const wanted = { notifications: { toolsListChanged: true } };
  const response = await begin(to, stateless(1, 'subscriptions/listen', wanted)).response;
  response.pause();
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < 200_000; i++) hooks.server.listChanged('tools');
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(64 * 1024 * 1024);
  const events = readEvents(response);
  expect((await events.next()).done).toBe(false);
});

test('a connection without a request does not delay the end', async () => {
  const listening = await serveHttp(sampleServer().server, { port: 0 });
  const silent = connect(listening.port, listening.host);
  await once(listening.listener, 'connection');
  await listening.close(3_600_000);
  await once(silent.resume(), 'close');
});
