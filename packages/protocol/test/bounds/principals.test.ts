import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Authorizer, createHttpHandler, type ServeHttpOptions } from '../../src/http.ts';
import { sseRoutes } from '../../src/sse.ts';
import { ownerOf } from '../../src/transports/owner.ts';
import { Slots } from '../../src/transports/slots.ts';
import { webSocketEndpoint } from '../../src/ws.ts';
import {
  type Answer,
  ask,
  begin,
  call,
  initialize,
  listen,
  nextEvent,
  readEvents,
  sampleServer,
  stateless,
} from '../http/wire.ts';

/** Authenticates everybody by the name that is the token. */
const authorizer: Authorizer = {
  authorize: ({ header }) => {
    const [, principal] = /^Bearer (\w+)$/.exec(header('authorization') ?? '') ?? [];
    return principal === undefined
      ? { status: 401, challenge: 'Bearer', message: 'a name is needed' }
      : { principal, scopes: [] };
  },
};
const as = (name: string) => ({ Authorization: `Bearer ${name}` });
const sum = { name: 'add', arguments: { a: 1, b: 2 } };

interface Place {
  port: number;
}

function serve(options: Partial<ServeHttpOptions> = {}): Promise<Place> {
  return listen(sampleServer().server, { authorizer, ...options });
}

/** Returns true if a call of a principal gets its result, in both eras. */
async function isServed(to: Place, name: string): Promise<boolean> {
  const plain = await ask(to, stateless(1, 'tools/call', sum, { headers: as(name) }));
  const headers = await initialize(to, '2025-11-25', { headers: as(name) });
  const known = await ask(to, { headers, body: call(1, 'tools/call', sum) });
  return [plain, known].every(({ json }) => json.result?.structuredContent?.sum === 3);
}

/** A POST with an endless body. */
interface Endless {
  /** the response before the end */
  answer: Promise<string>;
  more(bytes: number): void;
}

async function endless({ port }: Place, name: string, length = 100_000): Promise<Endless> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const answer = once(socket, 'data').then(([bytes]) => String(bytes));
  socket.on('error', () => {
    // the server may close it during a write
  });
  await once(socket, 'connect');
  socket.write(
    `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${name}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n{`,
  );
  return { answer, more: (bytes) => void socket.write(' '.repeat(bytes)) };
}

describe('endless bodies', () => {
  const unfinished = { each: 3, eachBytes: 30_000, all: 5, allBytes: 40_000 };

  test('of one principal: the one that has waited longest is refused with the limit, and others are served', async () => {
    const to = await serve({ unfinished });
    const first = await endless(to, 'ada');
    for (let more = 0; more < 3; more += 1) await endless(to, 'ada');
    const answer = await first.answer;
    expect(answer).toMatch(/^HTTP\/1\.1 429 /);
    expect(answer).toContain('Retry-After: 1');
    expect(answer).toContain('too many unfinished bodies: at most 3 of yours; finish one before the next');
    expect([await isServed(to, 'bob'), await isServed(to, 'ada')]).toEqual([true, true]);
  });

  test('of many principals: one of the principal with the most is refused, and the newest are served', async () => {
    const to = await serve({ unfinished });
    const first = await endless(to, 'ada');
    await endless(to, 'ada');
    for (const name of ['bob', 'cyd', 'dan', 'eve']) await endless(to, name);
    const answer = await first.answer;
    expect(answer).toMatch(/^HTTP\/1\.1 503 /);
    expect(answer).toContain('too many unfinished bodies: at most 5 in total');
    expect(await isServed(to, 'fay')).toBe(true);
  });

  test.each([
    ['one principal', ['ada', 'ada'], 429, '30000 bytes of yours'],
    ['several principals', ['ada', 'bob', 'cyd'], 503, '40000 bytes in total'],
  ])(
    'of %s with too many bytes: one is refused, and others are served',
    async (_who, names, status, most) => {
      const to = await serve({ unfinished });
      const bodies: Endless[] = [];
      for (const name of names) bodies.push(await endless(to, name));
      for (const body of bodies) body.more(16_000);
      const answer = await Promise.race(bodies.map((body) => body.answer));
      expect(answer).toContain(`HTTP/1.1 ${status} `);
      expect(answer).toContain(`too many unfinished bodies: at most ${most}`);
      expect(await isServed(to, 'eve')).toBe(true);
    },
  );

  test('a single one may be as long as the body limit', async () => {
    const to = await serve({ unfinished });
    const text = JSON.stringify({ text: 'x'.repeat(60_000) });
    const headers = await initialize(to, '2025-11-25', { headers: as('ada') });
    const { status } = await ask(to, { headers, body: call(1, 'ping', JSON.parse(text) as object) });
    expect(status).toBe(200);
  });

  test('are cut at their timeout, even if node:http sets no limit', async () => {
    const to = await serve({ unfinished: { timeout: 100 }, requestTimeout: 0 });
    const { answer } = await endless(to, 'ada');
    expect(await answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(await answer).toContain('the body did not arrive within 100 ms; send it again');
  });

  test('of a web-standard request are cut at their timeout, and their stream is cancelled', async () => {
    const handler = createHttpHandler(sampleServer().server, { unfinished: { timeout: 100 } });
    onTestFinished(() => handler.close());
    let cancelled: unknown;
    const body = new ReadableStream({
      cancel: (reason) => {
        cancelled = reason;
      },
    });
    const asked = {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
      duplex: 'half',
    } as RequestInit; // the types of fetch lack duplex
    const response = await handler.fetch(new Request('http://localhost/mcp', asked));
    expect([response.status, String(cancelled)]).toEqual([
      408,
      'BodyError: the body did not arrive within 100 ms; send it again',
    ]);
  });
});

/** Opens a stream, and returns its response headers. */
type Opening = (to: Place, name: string) => Promise<IncomingMessage>;

const listening: Opening = (to, name) =>
  begin(to, stateless('listen', 'subscriptions/listen', { notifications: {} }, { headers: as(name) }))
    .response;
const getting: Opening = async (to, name) => {
  const headers = await initialize(to, '2025-11-25', { headers: as(name) });
  return begin(to, { method: 'GET', headers }).response;
};
const holding: Opening = (to, name) =>
  begin(
    to,
    stateless(
      1,
      'tools/call',
      { name: 'hold', arguments: {} },
      { headers: as(name), meta: { progressToken: 1 } },
    ),
  ).response;

describe.each([
  ['subscriptions/listen', listening],
  ['GET of sessions', getting],
  ['calls that last', holding],
])('open streams by %s', (_how, open) => {
  test('of one principal are limited, others are served, and a closed one makes room', async () => {
    const to = await serve({ openShare: 2, openCap: 100 });
    const first = await open(to, 'ada');
    await nextEvent(readEvents(first)).catch(() => undefined);
    await open(to, 'ada');
    const refused = await ask(to, stateless(1, 'tools/call', sum, { headers: as('ada') }));
    expect([refused.status, refused.headers['retry-after'], refused.json.error]).toEqual([
      429,
      '1',
      {
        code: -32603,
        message: 'too many requests and streams of yours are open, at most 2; end some first',
      },
    ]);
    expect(await isServed(to, 'bob')).toBe(true);
    first.destroy();
    await vacant(() => ask(to, stateless(1, 'tools/call', sum, { headers: as('ada') })));
  }, 120_000);

  test('of all are limited', async () => {
    const to = await serve({ openShare: 2, openCap: 3 });
    for (const name of ['ada', 'ada', 'bob']) await open(to, name);
    const { status, headers, json } = await ask(to, stateless(1, 'tools/list', {}, { headers: as('cyd') }));
    expect([status, headers['retry-after'], json.error.message]).toEqual([
      503,
      '1',
      'too many requests and streams are open, at most 3; try again later',
    ]);
  });
});

/** Repeats a request until there is room: the server detects the end of a stream with a delay. */
async function vacant(again: () => Promise<Answer>): Promise<void> {
  while ((await again()).status === 429);
}

test('streams of a web-standard handler make room when they end, in any way', async () => {
  const handler = createHttpHandler(sampleServer().server, { authorizer, openShare: 1 });
  onTestFinished(() => handler.close());
  const send = ({ headers, body }: ReturnType<typeof stateless>): Promise<Response> =>
    handler.fetch(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: { ...(headers as Record<string, string>), 'Content-Type': 'application/json' },
        body: String(body),
      }),
    );
  const extras = { headers: as('ada'), meta: { progressToken: 1 } };
  for (const name of ['hold', 'report', 'add']) {
    const args = name === 'add' ? sum.arguments : {};
    const response = await send(stateless(1, 'tools/call', { name, arguments: args }, extras));
    expect([name, response.status]).toEqual([name, 200]);
    if (name === 'hold') {
      expect((await send(stateless(1, 'tools/call', sum, extras))).status).toBe(429);
      await response.body?.cancel();
    } else await response.text();
  }
});

describe('sessions', () => {
  test('of one principal: its own idle one is ended, and no other principal loses one', async () => {
    const to = await serve({ sessionCap: 8, sessionShare: 2 });
    const other = await initialize(to, '2025-11-25', { headers: as('bob') });
    const own = [];
    for (let one = 0; one < 3; one += 1) own.push(await initialize(to, '2025-11-25', { headers: as('ada') }));
    const statuses = [];
    for (const headers of [other, ...own])
      statuses.push((await ask(to, { headers, body: call(1, 'ping') })).status);
    expect(statuses).toEqual([200, 404, 200, 200]);
  });

  test('of one principal that are all busy: one more is refused with the limit', async () => {
    const to = await serve({ sessionCap: 8, sessionShare: 1 });
    await getting(to, 'ada');
    const refused = await ask(to, { headers: as('ada'), body: call(1, 'initialize', {}) });
    expect([refused.status, refused.headers['retry-after'], refused.json.error.message]).toEqual([
      429,
      '1',
      'too many sessions of yours, at most 1; end one first',
    ]);
    expect(await isServed(to, 'bob')).toBe(true);
  });

  test('of all: the principal with the most loses one', async () => {
    const to = await serve({ sessionCap: 3, sessionShare: 2 });
    const bob = await initialize(to, '2025-11-25', { headers: as('bob') });
    const ada = await initialize(to, '2025-11-25', { headers: as('ada') });
    await initialize(to, '2025-11-25', { headers: as('ada') });
    await initialize(to, '2025-11-25', { headers: as('cyd') });
    const ping = async (headers: Record<string, string>): Promise<number> =>
      (await ask(to, { headers, body: call(1, 'ping') })).status;
    expect([await ping(bob), await ping(ada)]).toEqual([200, 404]);
  });
});

test('HTTP+SSE streams of one principal are limited, and others get theirs', async () => {
  const { server } = sampleServer();
  const routes = sseRoutes(server, { connectionCap: 8 });
  onTestFinished(() => routes.close(0));
  const to = await listen(server, { authorizer, mounts: [routes.route] });
  const open = (name: string) => begin(to, { method: 'GET', path: '/sse', headers: as(name) }).response;
  const statuses = [];
  for (const name of ['ada', 'ada', 'bob']) statuses.push((await open(name)).statusCode);
  const refused = await ask(to, { method: 'GET', path: '/sse', headers: as('ada') });
  expect([...statuses, refused.status, refused.headers['retry-after'], refused.json.error.message]).toEqual([
    200,
    200,
    200,
    429,
    '1',
    'too many sessions of yours, at most 2; close one first',
  ]);
});

test('WebSockets of one principal are limited, and others get theirs', async () => {
  const { server } = sampleServer();
  const endpoint = webSocketEndpoint(server, { authorizer, connectionCap: 8 });
  const to = await listen(server, { authorizer });
  to.listener.on('upgrade', (request, socket, head) => void endpoint.upgrade(request, socket, head));
  onTestFinished(() => endpoint.close(0));
  const upgrade = async (name: string): Promise<string> => {
    const socket = connect(to.port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.write(
      `GET /ws HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${name}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: mcp\r\n\r\n`,
    );
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    return bytes.toString();
  };
  const heads = [];
  for (const name of ['ada', 'ada', 'bob', 'ada']) heads.push(await upgrade(name));
  expect(heads.map((head) => head.slice(9, 12))).toEqual(['101', '101', '101', '429']);
  expect(heads[3]).toContain('too many connections of yours, at most 2; close one first');
  expect([endpoint.connections, (await upgrade('cyd')).slice(9, 12)]).toEqual([3, '101']);
});

test.each([
  ['10.1.2.3', '10.1.2.3'],
  ['::ffff:10.1.2.3', '10.1.2.3'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2:ffff::1', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['fe80::1', 'fe80:0:0:0'],
  ['127.0.0.1', undefined],
  ['127.9.9.9', undefined],
  ['::1', undefined],
  ['::ffff:127.0.0.1', undefined],
  [undefined, undefined],
])('without authorization a connection from %j counts for %j', (address, owner) => {
  expect(ownerOf(address)).toBe(owner);
});

test('freed slots are free, of one owner and of all', () => {
  const places = new Slots({ all: 2, each: 1 });
  expect([places.take('a'), places.take('a'), places.take('b'), places.take('c')]).toEqual([
    undefined,
    'each',
    undefined,
    'all',
  ]);
  places.free('a');
  expect([places.take('a'), places.take(undefined)]).toEqual([undefined, 'all']);
});
