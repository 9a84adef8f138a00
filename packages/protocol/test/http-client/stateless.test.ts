import { expect, test, vi } from 'vitest';
import { AnswerLostError, type Change, http } from '../../src/client.ts';
import { type Asked, complete, keeper, site, stateless, textResult, use } from './site.ts';

const tagged = (id: unknown): object => ({ _meta: { 'io.modelcontextprotocol/subscriptionId': id } });
const cached = { ttlMs: 0, cacheScope: 'private' };
const results: Record<string, object> = {
  'server/discover': {
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
    ...cached,
  },
  'tools/list': { tools: [], ...cached },
  'tools/call': textResult('hi'),
  'resources/list': { resources: [], ...cached },
  'resources/templates/list': { resourceTemplates: [], ...cached },
  'resources/read': { contents: [], ...cached },
  'prompts/list': { prompts: [], ...cached },
  'prompts/get': { messages: [] },
  'completion/complete': { completion: { values: [] } },
};
const answering = (asked: Asked): void => asked.result(complete(results[asked.message.method] ?? {}));

test('every request is a POST that repeats parts of its body in headers', async () => {
  const { client, site: served, faults } = await stateless(answering, { era: 'auto' });
  await client.listTools();
  await client.callTool('greet', { a: 1 });
  await client.listResources();
  await client.listResourceTemplates();
  await client.readResource('memo://today');
  await client.listPrompts();
  await client.getPrompt('poem');
  await client.complete({ type: 'ref/prompt', name: 'poem' }, { name: 'a', value: '' });
  await client.close();
  expect(
    served.asked.map(({ method, headers, message }) => [
      method,
      headers['mcp-method'],
      headers['mcp-name'],
      message.method,
    ]),
  ).toEqual([
    ['POST', 'server/discover', undefined, 'server/discover'],
    ['POST', 'tools/list', undefined, 'tools/list'],
    ['POST', 'tools/call', 'greet', 'tools/call'],
    ['POST', 'resources/list', undefined, 'resources/list'],
    ['POST', 'resources/templates/list', undefined, 'resources/templates/list'],
    ['POST', 'resources/read', 'memo://today', 'resources/read'],
    ['POST', 'prompts/list', undefined, 'prompts/list'],
    ['POST', 'prompts/get', 'poem', 'prompts/get'],
    ['POST', 'completion/complete', undefined, 'completion/complete'],
  ]);
  for (const { headers, message } of served.asked) {
    expect(headers['mcp-protocol-version']).toBe('2026-07-28');
    expect(message.params._meta['io.modelcontextprotocol/protocolVersion']).toBe('2026-07-28');
    expect([headers.accept, headers['content-type']]).toEqual([
      'application/json, text/event-stream',
      'application/json',
    ]);
    expect([headers['mcp-session-id'], headers['last-event-id']]).toEqual([undefined, undefined]);
  }
  expect(faults).toEqual([]);
});

test.each([
  ['plain', 'plain'],
  ['two words', 'two words'],
  [' space before', '=?base64?IHNwYWNlIGJlZm9yZQ==?='],
  ['space after ', '=?base64?c3BhY2UgYWZ0ZXIg?='],
  ['schön', '=?base64?c2Now7Zu?='],
  ['a\r\nX-Evil: 1', '=?base64?YQ0KWC1FdmlsOiAx?='],
  ['=?base64?YQ==?=', '=?base64?PT9iYXNlNjQ/WVE9PT89?='],
  ['😀', '=?base64?8J+YgA==?='],
])('the name %j is sent in a header as %s', async (name, header) => {
  const { client, site: served } = await stateless(answering);
  await client.callTool(name);
  await client.getPrompt(name);
  await client.readResource(name);
  expect(served.asked.map(({ headers }) => headers['mcp-name'])).toEqual([header, header, header]);
  expect(served.asked[0]?.headers['x-evil']).toBeUndefined();
});

test('a session id of a server is not sent back', async () => {
  const { client, site: served } = await stateless((asked) => {
    asked.result(complete(textResult('hi')), { 'Mcp-Session-Id': 's-1' });
  });
  await client.callTool('a');
  await client.callTool('b');
  await client.close();
  expect(served.asked.map(({ headers }) => headers['mcp-session-id'])).toEqual([undefined, undefined]);
});

test('notifications arrive before the response on its stream, between comments', async () => {
  const { client } = await stateless((asked) => {
    const { progressToken } = asked.message.params._meta;
    asked.stream().response.write(': keep-alive\n\n');
    const params = { progressToken, progress: 1 };
    asked.event({ data: { jsonrpc: '2.0', method: 'notifications/progress', params } });
    asked.response.write(': keep-alive\n\n');
    asked.answer(complete(textResult('done'))).end();
  });
  const steps: number[] = [];
  const onProgress = ({ progress }: { progress: number }): number => steps.push(progress);
  expect((await client.callTool('x', {}, { onProgress })).content).toEqual([{ type: 'text', text: 'done' }]);
  expect(steps).toEqual([1]);
});

test.each(['stream', 'silence'])(
  'a call is cancelled by closing its %s, and nothing else is sent',
  async (how) => {
    const { client, site: served } = await stateless((asked) => {
      if (how === 'stream') asked.stream();
    });
    const controller = new AbortController();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const calls = [
      client.callTool('a', {}, { signal: controller.signal }),
      client.callTool('b', {}, { timeout: 30 }),
    ];
    const ends = calls.map((call) => call.catch((error: { reason: string }) => error.reason));
    const asked = await Promise.all([served.hears('tools/call'), served.hears('tools/call', 2)]);
    controller.abort();
    await vi.advanceTimersByTimeAsync(30);
    vi.useRealTimers();
    await Promise.all(asked.map(({ gone }) => gone));
    expect(await Promise.all(ends)).toEqual(['cancelled', 'timeout']);
    await client.close();
    expect(served.log).toEqual(['tools/call', 'tools/call']);
  },
);

test('closing the client closes open requests, and sends nothing', async () => {
  const { client, site: served } = await stateless((asked) => void asked.stream());
  const calling = client.callTool('x');
  const { gone } = await served.hears('tools/call');
  await Promise.all([client.close(), expect(calling).rejects.toMatchObject({ reason: 'closed' })]);
  await gone;
  expect(served.log).toEqual(['tools/call']);
});

test('a request of the server is a fault and gets no response', async () => {
  const {
    client,
    site: served,
    faults,
  } = await stateless(
    (asked) => {
      asked.stream().event({ data: { jsonrpc: '2.0', id: 1, method: 'roots/list' } });
      asked.answer(complete(textResult('hi'))).end();
    },
    { roots: () => [] },
  );
  await client.callTool('x');
  await client.callTool('y');
  expect(served.log).toEqual(['tools/call', 'tools/call']);
  expect(faults).toEqual(Array(2).fill('the server sent a request, "roots/list"; 2026-07-28 has none'));
});

test('a lost response to a read-only request is requested again with another id, a few times', async () => {
  let cuts = 2;
  const { client, site: served } = await stateless((asked) => {
    if (cuts-- > 0) {
      asked.stream();
      setImmediate(() => asked.cut());
    } else asked.result(complete({ contents: [{ uri: 'memo://a', text: 'a' }], ...cached }));
  });
  expect((await client.readResource('memo://a')).contents).toEqual([{ uri: 'memo://a', text: 'a' }]);
  expect(new Set(served.asked.map(({ message }) => message.id)).size).toBe(3);
  cuts = 3;
  await expect(client.readResource('memo://a')).rejects.toThrow(
    'the response to resources/read was lost: the connection ended',
  );
  expect(served.asked).toHaveLength(6);
});

test('a lost response to a call is an error, unless the tool is idempotent', async () => {
  const tool = (name: string, annotations: object): object => ({
    name,
    annotations,
    inputSchema: { type: 'object' },
  });
  const tools = [
    tool('write', {}),
    tool('read', { readOnlyHint: true }),
    tool('set', { idempotentHint: true }),
  ];
  const { client, site: served } = await stateless((asked) => {
    if (asked.message.method === 'tools/list') asked.result(complete({ tools, ...cached }));
    else asked.stream().end();
  });
  await client.listTools();
  for (const name of ['write', 'read', 'set', 'unknown']) {
    const failure = await client.callTool(name).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(AnswerLostError);
    expect(failure).toMatchObject({
      message: 'the response to tools/call was lost: the server ended its stream',
    });
  }
  const counts = served.asked.map(({ headers }) => headers['mcp-name']);
  expect(
    ['write', 'read', 'set', 'unknown'].map((name) => counts.filter((each) => each === name).length),
  ).toEqual([1, 3, 3, 1]);
});

const acknowledge = (asked: Asked): Asked => {
  const { id, params } = asked.message;
  const { notifications } = params;
  return asked.stream().event({
    data: {
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications, ...tagged(id) },
    },
  });
};
const updated = (asked: Asked, uri: string): Asked =>
  asked.event({
    data: {
      jsonrpc: '2.0',
      method: 'notifications/resources/updated',
      params: { uri, ...tagged(asked.message.id) },
    },
  });

test('a subscription is a stream, and closing it is enough to end it', async () => {
  const { client, site: served } = await stateless((asked) => void acknowledge(asked));
  const changes: Change[] = [];
  let heard: () => void = () => {};
  const change = new Promise<void>((resolve) => {
    heard = resolve;
  });
  const subscription = await client.subscribe('memo://a', (seen) => {
    changes.push(seen);
    heard();
  });
  const stream = await served.hears('subscriptions/listen');
  updated(stream, 'memo://a');
  await change;
  await subscription.close();
  await stream.gone;
  expect(changes).toEqual([{ kind: 'resource', uri: 'memo://a' }]);
  expect(served.log).toEqual(['subscriptions/listen']);
});

test('a subscription that the server ends with a result is over', async () => {
  const { client, site: served } = await stateless((asked) => {
    acknowledge(asked)
      .answer({ ...complete({}), ...tagged(asked.message.id) })
      .end();
  });
  const subscription = await client.subscribe('memo://a', () => {});
  expect(await subscription.ended).toBeUndefined();
  expect(served.log).toEqual(['subscriptions/listen']);
});

test('a subscription whose stream broke is reopened, and every subscribed change is reported', async () => {
  const { client, site: served } = await stateless((asked) => void acknowledge(asked));
  const changes: Change[] = [];
  let heard: () => void = () => {};
  const subscription = await client.subscribe('memo://a', (change) => {
    changes.push(change);
    heard();
  });
  const next = (): Promise<void> =>
    new Promise((resolve) => {
      heard = resolve;
    });
  (await served.hears('subscriptions/listen')).cut();
  await next();
  const second = await served.hears('subscriptions/listen', 2);
  expect(changes).toEqual([{ kind: 'resource', uri: 'memo://a' }]);
  expect(second.message.id).not.toBe(served.asked[0]?.message.id);
  const nextChange = next();
  updated(second, 'memo://a/b');
  await nextChange;
  expect(changes.at(-1)).toEqual({ kind: 'resource', uri: 'memo://a/b' });
  await subscription.close();
  await second.gone;
});

test('a subscription whose stream breaks at once each time is over after a few attempts', async () => {
  const { client, site: served } = await stateless(
    (asked) => {
      acknowledge(asked);
      setImmediate(() => asked.cut());
    },
    { http: { reconnect: { delay: 1, attempts: 3 } } },
  );
  const subscription = await client.subscribe('memo://a', () => {});
  expect(await subscription.ended).toMatchObject({
    message: 'the response to subscriptions/listen was lost: the connection ended',
  });
  expect(served.log).toHaveLength(4);
});

test('a server that cuts a subscription before the acknowledgement gets no second request', async () => {
  const { client, site: served } = await stateless((asked) => asked.cut());
  await expect(client.subscribe('memo://a', () => {})).rejects.toBeInstanceOf(AnswerLostError);
  expect(served.log).toHaveLength(1);
});

const rpc = (code: number, data?: object) => (asked: Asked, status: number) =>
  asked.json(status, { jsonrpc: '2.0', id: asked.message.id, error: { code, message: 'no', data } });

test.each([
  ['does not know the method', 404, rpc(-32601)],
  ['does not know the version', 400, rpc(-32000)],
  [
    'wants a session',
    400,
    (asked: Asked, status: number) =>
      asked.json(status, { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'no session' } }),
  ],
  ['has no words for it', 400, (asked: Asked, status: number) => asked.text(status)],
  ['has nothing there', 404, (asked: Asked, status: number) => asked.text(status)],
  ['wants another media type', 406, (asked: Asked, status: number) => asked.text(status)],
  ['fails', 500, (asked: Asked, status: number) => asked.text(status)],
  ['cuts the connection', 0, (asked: Asked) => asked.cut()],
  [
    'sends a page',
    200,
    (asked: Asked, status: number) => asked.text(status, '<p>', { 'Content-Type': 'text/html' }),
  ],
])('a server that %s when it is probed gets a handshake', async (_what, status, refuse) => {
  const kept = keeper((asked) => asked.result(textResult('old')));
  const served = await site((asked, whole) => {
    if (asked.message.method === 'server/discover') refuse(asked, status);
    else kept(asked, whole);
  });
  const { client, faults } = await use(served);
  expect([client.revision, await client.callTool('x')]).toEqual(['2025-11-25', textResult('old')]);
  const { headers } = await served.hears('initialize');
  expect(Object.keys(headers).filter((name) => name.startsWith('mcp-'))).toEqual([]);
  expect([served.log.filter((name) => name === 'server/discover').length, faults]).toEqual([1, []]);
});

test('a server that does not respond to the probe gets a handshake, and the probe is cancelled', async () => {
  const kept = keeper((asked) => asked.result(textResult('old')));
  const served = await site((asked, whole) => {
    if (asked.message.method !== 'server/discover') kept(asked, whole);
  });
  // long enough for the probe to arrive
  const { client } = await use(served, { probeTimeout: 500 });
  expect(client.era).toBe('handshake');
  await (await served.hears('server/discover')).gone;
});

test.each([-32020, -32021, -32022])(
  'an error that only the stateless era has, %s, does not lead to a handshake',
  async (code) => {
    const served = await site((asked) => rpc(code, { supported: ['2099-01-01'] })(asked, 400));
    await expect(use(served)).rejects.toThrow('no common protocol version');
    expect(served.log).toEqual(['server/discover']);
  },
);

test('a notification of the stateless era has its headers too, and a refused one is a fault', async () => {
  const served = await site((asked, { asked: all }) => asked.text(all.length === 1 ? 202 : 400));
  const channel = await http(served.url).open();
  const fault = new Promise<string>((resolve) => {
    const never = (): never => {
      throw new Error('not expected');
    };
    const rest = {
      message: never,
      closed: never,
      answer: never,
      failed: never,
      waits: never,
      heldUp: never,
      renewed: never,
      missed: never,
    };
    channel.start({ ...rest, fault: ({ message }) => resolve(message) });
  });
  channel.settle?.('2026-07-28');
  const note = { id: undefined, method: 'notifications/own', params: undefined };
  channel.send('{"jsonrpc":"2.0","method":"notifications/own"}', note);
  const { headers } = await served.hears('notifications/own');
  expect([headers['mcp-protocol-version'], headers['mcp-method']]).toEqual([
    '2026-07-28',
    'notifications/own',
  ]);
  channel.send('{"jsonrpc":"2.0","method":"notifications/own"}', note);
  expect(await fault).toBe('the server responded to notifications/own with HTTP status 400');
  // a response, which this era does not have, is not sent
  channel.send('{"jsonrpc":"2.0","id":1,"result":{}}');
  await channel.close();
  expect(served.asked).toHaveLength(2);
});
