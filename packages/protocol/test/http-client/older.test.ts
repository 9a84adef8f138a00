import { expect, onTestFinished, test, vi } from 'vitest';
import { type Client, connect, http, sse } from '../../src/client.ts';
import { type Asked, type Site, site, textResult, type Using } from './site.ts';

/** A server of 2024-11-05: a stream at one path, and messages at another that the stream names. */
class Older {
  site!: Site;
  stream!: Asked;
  endpoint = '/messages?session=1';
  /** responds to a message other than `initialize` and notifications */
  play: (message: Asked['message'], say: (message: object) => void) => void = () => {};
  /** responds to a POST to the path of the stream */
  refuse: (asked: Asked) => void = (asked) => asked.text(405);

  say = (message: object): void =>
    void this.stream.event({ event: 'message', data: { jsonrpc: '2.0', ...message } });

  take(asked: Asked): void {
    const { method, path, message } = asked;
    if (method === 'GET' && path === '/mcp') {
      this.stream = asked.stream().event({ event: 'endpoint', data: this.endpoint });
    } else if (path === '/mcp') this.refuse(asked);
    else {
      asked.text(202, 'Accepted');
      if (message.method === 'initialize') {
        const { protocolVersion } = message.params;
        const serverInfo = { name: 'older', version: '1' };
        this.say({ id: message.id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo } });
      } else this.play(message, this.say);
    }
  }
}

async function older(): Promise<Older> {
  const server = new Older();
  server.site = await site((asked) => server.take(asked));
  return server;
}

const me = { name: 'tester', version: '1.0.0' };
const both = [
  ['known to be old', sse],
  ['found to be old', http],
] as const;

async function use(
  { site: { url } }: Older,
  transport: typeof sse,
  { http: settings = {}, ...options }: Using = {},
): Promise<{ client: Client; faults: string[]; closed: Promise<string> }> {
  const faults: string[] = [];
  let close: (reason: string) => void = () => {};
  const closed = new Promise<string>((resolve) => {
    close = resolve;
  });
  const onError = ({ message }: Error): number => faults.push(message);
  const client = await connect(transport(url, settings), { ...me, onError, onClose: close, ...options });
  onTestFinished(() => client.close());
  return { client, faults, closed };
}

test.each(both)(
  'a server %s gets messages at the URL that it names, and its messages arrive on its stream',
  async (_how, transport) => {
    const server = await older();
    server.play = ({ id, method }, say) => {
      if (method !== 'tools/call') return;
      say({ method: 'notifications/message', params: { level: 'info', data: 'on the way' } });
      say({ id, result: textResult('hi') });
    };
    const { client, faults } = await use(server, transport, { revision: '2024-11-05' });
    const logs: unknown[] = [];
    client.onLog(({ data }) => logs.push(data));
    expect([client.revision, await client.callTool('x')]).toEqual(['2024-11-05', textResult('hi')]);
    await client.close();
    await server.stream.gone;
    expect([logs, faults]).toEqual([['on the way'], []]);
    const later = server.site.asked.filter(({ path }) => path !== '/mcp');
    expect(later.map(({ method, path, message }) => [method, path, message.method])).toEqual(
      ['initialize', 'notifications/initialized', 'tools/call'].map((name) => [
        'POST',
        '/messages?session=1',
        name,
      ]),
    );
    const got = server.site.asked
      .filter(({ path }) => path === '/mcp')
      .map(({ method, headers }) => [method, headers.accept]);
    expect(got.at(-1)).toEqual(['GET', 'text/event-stream']);
    expect(got.length).toBe(transport === sse ? 1 : 3);
  },
);

test('a server that is known to be old is not probed', async () => {
  const server = await older();
  await use(server, sse);
  expect(server.site.log.slice(0, 2)).toEqual(['GET', 'initialize']);
});

test.each([400, 404, 405])(
  'status %s to initialize makes the client try the stream of the old transport',
  async (status) => {
    const server = await older();
    server.refuse = (asked) => asked.text(status);
    const { client } = await use(server, http, { era: 'handshake' });
    expect(server.site.log.slice(0, 3)).toEqual(['initialize', 'GET', 'initialize']);
    await client.close();
    await server.stream.gone;
  },
);

const refusals: [string, (asked: Asked) => void, object][] = [
  ['status 401', (asked) => asked.text(401), { status: 401 }],
  ['status 500', (asked) => asked.text(500), { status: 500 }],
  ...[-32020, -32021, -32022].map((code): [string, (asked: Asked) => void, object] => [
    `the error ${code}`,
    (asked) => asked.json(400, { jsonrpc: '2.0', id: 1, error: { code, message: 'no' } }),
    { code },
  ]),
];

test.each(refusals)('%s to initialize does not', async (_what, refuse, failure) => {
  const server = await older();
  server.refuse = refuse;
  await expect(use(server, http, { era: 'handshake' })).rejects.toMatchObject(failure);
  expect(server.site.log).toEqual(['initialize']);
});

test.each([
  ['has no stream', (asked: Asked) => asked.text(405)],
  ['has a page', (asked: Asked) => asked.text(200, '<p>', { 'Content-Type': 'text/html' })],
  ['has a stream that ends', (asked: Asked) => asked.stream().end()],
  [
    'has a stream that begins otherwise',
    (asked: Asked) => void asked.stream().event({ data: { jsonrpc: '2.0', method: 'x' } }),
  ],
  ['cuts the connection', (asked: Asked) => asked.cut()],
])('a server that refuses initialize and %s causes the error of its refusal', async (_what, listen) => {
  const served = await site((asked) => {
    if (asked.method === 'GET') listen(asked);
    else asked.json(404, { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'nothing here' } });
  });
  await expect(connect(http(served.url), { ...me, era: 'handshake' })).rejects.toThrow('nothing here');
  expect([...new Set(served.log)]).toEqual(['initialize', 'GET']);
  expect(new Set(served.asked.map(({ path }) => path)).size).toBe(1);
});

test('a stream that does not begin is not waited for long', async () => {
  const served = await site((asked) => {
    if (asked.method === 'GET') asked.stream();
    else asked.text(405);
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const connecting = connect(http(served.url), { ...me, era: 'handshake' });
  const failed = expect(connecting).rejects.toMatchObject({ status: 405 });
  const { gone } = await served.hears('GET');
  await vi.advanceTimersByTimeAsync(5000);
  vi.useRealTimers();
  await Promise.all([failed, gone]);
});

test.each([
  ['//other.example/messages', 'the endpoint that the server names has another origin, http://other.example'],
  ['https://127.0.0.1/messages', 'the endpoint that the server names has another origin, https://127.0.0.1'],
  ['javascript:alert(1)', 'the endpoint that the server names has another origin, null'],
  ['http://', 'the endpoint that the server names is not a URL'],
])('messages are not sent to %s', async (endpoint, message) => {
  const server = await older();
  server.endpoint = endpoint;
  await expect(use(server, sse, { http: { headers: { Authorization: 'secret' } } })).rejects.toThrow(message);
  expect(server.site.log).toEqual(['GET']);
});

test.each(['/elsewhere', 'here?x=1', '?only=query'])(
  'the URL %s is relative to the stream',
  async (endpoint) => {
    const server = await older();
    server.endpoint = endpoint;
    if (endpoint.startsWith('?'))
      server.refuse = (asked) => server.take(Object.assign(asked, { path: '/post' }));
    await use(server, sse);
    const { path } = await server.site.hears('initialize');
    const { pathname, search } = new URL(endpoint, server.site.url);
    expect(path === '/post' ? `/mcp${search}` : path).toBe(pathname + search);
  },
);

test.each(both)('the end of the stream ends a connection that was %s', async (_how, transport) => {
  for (const stop of [(asked: Asked) => asked.end(), (asked: Asked) => asked.cut()]) {
    const server = await older();
    const { client, closed } = await use(server, transport);
    const calling = client.callTool('x');
    await server.site.hears('tools/call');
    stop(server.stream);
    await expect(calling).rejects.toMatchObject({ reason: 'closed' });
    expect(await closed).toMatch(/^(the server closed its stream|the connection ended)$/);
    await expect(client.callTool('y')).rejects.toMatchObject({ reason: 'closed' });
  }
});

test('a refused message fails only its request', async () => {
  const server = await older();
  const { client } = await use(server, sse);
  const take = server.site.play;
  server.site.play = (asked, whole) =>
    asked.message.params?.name === 'x' ? asked.text(500) : take(asked, whole);
  server.play = ({ id }, say) => say({ id, result: textResult('hi') });
  await expect(client.callTool('x')).rejects.toMatchObject({ status: 500 });
  expect(await client.callTool('y')).toEqual(textResult('hi'));
});

test('an old server sends requests on its stream, and cancellations are notifications', async () => {
  const server = await older();
  server.play = ({ method }, say) => {
    if (method === 'tools/call') say({ id: 'q', method: 'roots/list' });
  };
  const { client } = await use(server, sse, { roots: () => [{ uri: 'file:///a' }] });
  const controller = new AbortController();
  const calling = client.callTool('x', {}, { signal: controller.signal });
  const { message } = await server.site.hears(({ message }) => message.result !== undefined);
  expect(message).toEqual({ jsonrpc: '2.0', id: 'q', result: { roots: [{ uri: 'file:///a' }] } });
  controller.abort();
  await expect(calling).rejects.toMatchObject({ reason: 'cancelled' });
  const call = await server.site.hears('tools/call');
  expect((await server.site.hears('notifications/cancelled')).message.params.requestId).toBe(call.message.id);
});

test.each([
  ['2024-11-05', undefined],
  ['2025-03-26', undefined],
  ['2025-06-18', '2025-06-18'],
] as const)('the version header is sent if the revision has it: %s', async (revision, header) => {
  const server = await older();
  server.play = ({ id, method }, say) => {
    if (method === 'ping') say({ id, result: {} });
  };
  const { client } = await use(server, sse, { revision });
  await client.ping();
  const { headers } = await server.site.hears('ping');
  expect(headers['mcp-protocol-version']).toBe(header);
});

test('closing a client that waits for the stream ends', async () => {
  const served = await site(() => {});
  const controller = new AbortController();
  const connecting = connect(sse(served.url), { ...me, signal: controller.signal });
  const { gone } = await served.hears('GET');
  controller.abort();
  await expect(connecting).rejects.toMatchObject({ reason: 'cancelled' });
  await gone;
});
