import { expect, test, vi } from 'vitest';
import { AnswerError, ConnectionError, connect, HttpError, http, RpcError, sse } from '../../src/client.ts';
import { type Asked, keeper, session, site, stateless, textResult, use } from './site.ts';

const eras = [
  ['handshake', session],
  ['stateless', stateless],
] as const;
const failing = (client: { callTool(name: string): Promise<unknown> }): Promise<unknown> =>
  client.callTool('x').catch((error: unknown) => error);
const error = { code: -32000, message: 'not today', data: { why: 1 } };

test.each(
  eras.flatMap(([era, begin]) =>
    [400, 401, 403, 404, 405, 409, 413, 415, 429, 500, 502, 503].map((status) => ({ era, begin, status })),
  ),
)('status $status without a JSON-RPC error fails only its request: $era', async ({ begin, status }) => {
  const { client } = await begin((asked) => {
    if (asked.message.params?.name === 'x')
      asked.text(status, '<h1>No\n</h1>', { 'Content-Type': 'text/html' });
    else asked.result({ ...textResult('hi'), resultType: 'complete' });
  });
  const failure = await failing(client);
  // an unknown session is started again first, and is unknown again
  expect(failure).toBeInstanceOf(HttpError);
  expect(failure).toMatchObject({
    status,
    reason: 'closed',
    message: `the server responded to tools/call with HTTP status ${status}`,
  });
  expect(await client.callTool('y')).toMatchObject(textResult('hi'));
});

test.each(
  eras.flatMap(([era, begin]) =>
    [200, 400, 404, 500].flatMap((status) =>
      ['its id', 'null', 'none'].map((id) => ({ era, begin, status, id })),
    ),
  ),
)(
  'a JSON-RPC error with status $status and $id as id is the response: $era',
  async ({ begin, status, id }) => {
    const { client, faults } = await begin((asked) => {
      const ids: Record<string, object> = {
        'its id': { id: asked.message.id },
        null: { id: null },
        none: {},
      };
      asked.json(status, { jsonrpc: '2.0', ...ids[id], error });
    });
    const failure = await failing(client);
    expect(failure).toBeInstanceOf(RpcError);
    expect([failure, faults]).toEqual([expect.objectContaining(error), []]);
  },
);

test.each([
  [
    'an empty body',
    (asked: Asked) => asked.text(202),
    'the server responded to tools/call with HTTP status 202 instead of a message',
  ],
  [
    'a page',
    (asked: Asked) => asked.text(200, '<p>', { 'Content-Type': 'text/html; charset=utf-8' }),
    'the server responded to tools/call with text/html instead of a message',
  ],
  [
    'no type',
    (asked: Asked) => asked.text(200, '{}'),
    'the server responded to tools/call with HTTP status 200 instead of a message',
  ],
  [
    'no JSON',
    (asked: Asked) => asked.text(200, 'secret', { 'Content-Type': 'application/json' }),
    'the server sent an invalid response: "secret"',
  ],
  [
    'the answer to something else',
    (asked: Asked) => asked.json(200, { jsonrpc: '2.0', id: 'other', result: {} }),
    'the server sent a response with another id',
  ],
  [
    'no message',
    (asked: Asked) => asked.json(200, { hello: 1 }),
    'the server sent a response with another id',
  ],
  [
    'a batch',
    (asked: Asked) => asked.json(200, [{ jsonrpc: '2.0', id: asked.message.id, result: {} }]),
    'the server sent a response with another id',
  ],
  [
    'bytes that are no text',
    (asked: Asked) =>
      asked.response
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end(Buffer.from([0x22, 0xff, 0x22])),
    'the server sent a message that is not valid UTF-8',
  ],
  [
    'an event that is no text',
    (asked: Asked) => asked.stream().response.write(Buffer.from([...Buffer.from('data: '), 0xff, 10, 10])),
    'the server sent an event that is not UTF-8',
  ],
])('%s instead of a response fails the request at once', async (_what, answer, message) => {
  for (const [, begin] of eras) {
    const { client } = await begin(answer);
    const failure = await failing(client);
    expect(failure).toBeInstanceOf(AnswerError);
    expect(failure).toMatchObject({ message });
  }
});

test.each(eras)('types may be written in any case and with parameters: %s', async (_era, begin) => {
  const { client } = await begin((asked) => {
    const result = { ...textResult('hi'), resultType: 'complete' };
    const message = { jsonrpc: '2.0', id: asked.message.id, result };
    if (asked.message.params.name === 'a') {
      asked.json(200, message, { 'Content-Type': 'Application/JSON; charset=UTF-8' });
    } else asked.stream({ 'Content-Type': 'TEXT/event-stream;charset=utf-8' }).event({ data: message }).end();
  });
  expect(await client.callTool('a')).toMatchObject(textResult('hi'));
  expect(await client.callTool('b')).toMatchObject(textResult('hi'));
});

test('a byte order mark before a response is ignored', async () => {
  const { client } = await session((asked) => {
    const text = JSON.stringify({ jsonrpc: '2.0', id: asked.message.id, result: textResult('hi') });
    asked.text(200, `\ufeff${text}`, { 'Content-Type': 'application/json' });
  });
  expect(await client.callTool('x')).toEqual(textResult('hi'));
});

test.each(eras)(
  'a response over the limit is an error, and the connection is closed: %s',
  async (_era, begin) => {
    const options = { http: { messageLimit: 4000 } };
    const { client, site: served } = await begin((asked) => {
      const { name } = asked.message.params;
      const result = { ...textResult('x'.repeat(name === 'fits' ? 3000 : 5000)), resultType: 'complete' };
      if (name === 'event') asked.stream().answer(result);
      else if (name === 'endless') {
        asked.stream().response.write('data: ');
        const more = (): void =>
          void asked.response.write('x'.repeat(1000), (failed) => failed ?? setImmediate(more));
        more();
      } else asked.result(result);
    }, options);
    expect(JSON.stringify(await client.callTool('fits')).length).toBeGreaterThan(3000);
    const message = 'the server sent a message longer than 4000 bytes; raise messageLimit to read it';
    for (const name of ['body', 'event', 'endless']) {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      await expect(client.callTool(name)).rejects.toMatchObject({ message });
      const call = await served.hears(({ message }) => message.params?.name === name);
      await vi.advanceTimersByTimeAsync(1000);
      vi.useRealTimers();
      await call.gone;
    }
  },
);

test('an event over the limit on the stream of the server is reported, and the next is delivered', async () => {
  const {
    client,
    site: served,
    faults,
  } = await session(() => {}, { http: { messageLimit: 500 } }, { stream: 'silent' });
  const stream = await served.hears('GET');
  const log = (data: string): object => ({
    jsonrpc: '2.0',
    method: 'notifications/message',
    params: { level: 'info', data },
  });
  const heard = new Promise((resolve) => {
    client.onLog(({ data }) => resolve(data));
  });
  stream.event({ data: log('x'.repeat(600)) }).event({ data: log('short') });
  expect(await heard).toBe('short');
  expect(faults).toEqual(['the server sent a message longer than 500 bytes; raise messageLimit to read it']);
});

test('a refused notification is a fault, not the end', async () => {
  const {
    client,
    site: served,
    fault,
  } = await session(
    (asked) =>
      asked.message.id === undefined
        ? asked.json(400, { jsonrpc: '2.0', error })
        : asked.result(textResult('hi')),
    { roots: () => [] },
  );
  client.rootsChanged();
  await served.hears('notifications/roots/list_changed');
  expect(await fault).toBe('not today');
  expect(await client.callTool('x')).toEqual(textResult('hi'));
});

test('an unreachable server is a clear error', async () => {
  const served = await site(() => {});
  const gone = new URL(served.url);
  gone.port = '1';
  for (const era of ['handshake', 'auto'] as const) {
    const failure = await connect(http(gone), { name: 'x', version: '1', era }).catch(
      (thrown: unknown) => thrown,
    );
    expect(failure).toBeInstanceOf(ConnectionError);
    expect(failure).toMatchObject({ message: 'cannot connect to the server: ECONNREFUSED' });
  }
});

test.each(['ftp://a/mcp', 'nonsense', 'http://me:secret@127.0.0.1/mcp', 'file:///etc'])(
  'the URL %s is refused before anything is sent',
  (url) => {
    expect(() => http(url)).toThrow(TypeError);
    expect(() => sse(url)).toThrow(TypeError);
    try {
      http(url);
    } catch (thrown) {
      expect(String(thrown)).not.toContain('secret');
    }
  },
);

test('initialize that fails gives the error of the server', async () => {
  for (const status of [200, 401, 500]) {
    const served = await site((asked) => asked.json(status, { jsonrpc: '2.0', id: asked.message.id, error }));
    await expect(use(served, { era: 'handshake' })).rejects.toMatchObject(error);
    expect(served.log).toEqual(['initialize']);
  }
});

test('a request of the server before the handshake gets no response', async () => {
  const kept = keeper(() => {});
  const served = await site((asked, whole) => {
    if (asked.message.method !== 'server/discover') return kept(asked, whole);
    asked.stream().event({ data: { jsonrpc: '2.0', id: 'early', method: 'ping' } });
    return asked
      .event({ data: { jsonrpc: '2.0', id: asked.message.id, error: { code: -32601, message: 'no' } } })
      .end();
  });
  const { client } = await use(served);
  expect(client.era).toBe('handshake');
  await served.hears('GET');
  expect(served.asked.some(({ message }) => message.result !== undefined)).toBe(false);
});
