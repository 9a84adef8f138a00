import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { full } from '../../../../test/extent.ts';
import type { ClientAuth } from '../../src/auth/client-auth.ts';
import type { Channel, ChannelEvents } from '../../src/client.ts';
import { connect } from '../../src/client.ts';
import { type WebSocketClientOptions, webSocket } from '../../src/ws.ts';
import { holdClock, settle } from '../socket/clock.ts';
import { fixtureServer, Stage } from '../wire/fixture.ts';
import { frame, RawSocket, Sockets } from './raw.ts';

const sockets = new Sockets();
const me = { name: 'tester', version: '1.0.0' };
const servers: Server[] = [];

afterEach(() => {
  vi.useRealTimers();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Starts a server with bytes of the test. */
async function scripted(answer: (request: IncomingMessage, socket: Socket) => void): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(200).end('a page'));
  server.on('upgrade', (request, socket) => answer(request, socket as Socket));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `ws://127.0.0.1:${(server.address() as { port: number }).port}/ws`;
}

async function accept(
  request: IncomingMessage,
  socket: Socket,
  changes: Record<string, string> = {},
): Promise<void> {
  const { createHash } = await import('node:crypto');
  const proof = createHash('sha1').update(
    `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`,
  );
  const headers = {
    Upgrade: 'websocket',
    Connection: 'Upgrade',
    'Sec-WebSocket-Accept': proof.digest('base64'),
    'Sec-WebSocket-Protocol': 'mcp',
    ...changes,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.write(['HTTP/1.1 101 Switching Protocols', ...lines, '', ''].join('\r\n'));
}

/** Events that are ignored. */
const deaf: ChannelEvents = {
  message: () => {},
  fault: () => {},
  closed: () => {},
  answer: () => {},
  failed: () => {},
  waits: () => false,
  heldUp: () => {},
  renewed: () => {},
  missed: () => {},
};

interface Opened {
  channel: Channel;
  /** the server's end */
  server: RawSocket;
  messages: string[];
  /** resolves with the reason when the client is closed */
  closed: Promise<string>;
}

async function open(options: WebSocketClientOptions = {}): Promise<Opened> {
  let given: (socket: RawSocket) => void = () => {};
  const server = new Promise<RawSocket>((resolve) => {
    given = resolve;
  });
  const url = await scripted((request, socket) => {
    void accept(request, socket).then(() => given(new RawSocket(socket)));
  });
  const channel = await webSocket(url, options).open();
  const messages: string[] = [];
  const closed = new Promise<string>((resolve) =>
    channel.start({ ...deaf, message: (text) => messages.push(text), closed: resolve }),
  );
  return { channel, server: await server, messages, closed };
}

const fromServer = (opcode: number, payload: string | Uint8Array = ''): Buffer =>
  frame({ opcode, payload, mask: undefined });

test('a client masks every frame with its own key, offers mcp and no extension, and sends its headers', async () => {
  let asked: IncomingMessage | undefined;
  let serving: (request: IncomingMessage, socket: Socket) => void = () => {};
  const server = new Promise<RawSocket>((resolve) => {
    serving = (request, socket) => {
      asked = request;
      void accept(request, socket).then(() => resolve(new RawSocket(socket)));
    };
  });
  const url = await scripted((request, socket) => serving(request, socket));
  const channel = await webSocket(`${url}?team=a`, { headers: { 'X-Team': 'a', Upgrade: 'nothing' } }).open();
  channel.start(deaf);
  channel.send('{}');
  channel.send(['{', Buffer.from('"a":1'), '}']);
  const [first, second] = [await (await server).next(), await (await server).next()];
  expect([String(first?.payload), String(second?.payload)]).toEqual(['{}', '{"a":1}']);
  expect([first?.mask, second?.mask]).toEqual([expect.any(String), expect.any(String)]);
  expect(first?.mask).not.toBe(second?.mask);
  expect(asked?.url).toBe('/ws?team=a');
  expect(asked?.headers).toMatchObject({
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-protocol': 'mcp',
    'x-team': 'a',
  });
  expect(Buffer.from(asked?.headers['sec-websocket-key'] ?? '', 'base64')).toHaveLength(16);
  expect(asked?.headers).not.toHaveProperty('sec-websocket-extensions');
});

describe('a connection is refused', () => {
  test.each<[string, Record<string, string>, string]>([
    [
      'without proof',
      { 'Sec-WebSocket-Accept': 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=' },
      'wrong Sec-WebSocket-Accept',
    ],
    ['without the subprotocol', { 'Sec-WebSocket-Protocol': '' }, 'subprotocol mcp'],
    ['with another subprotocol', { 'Sec-WebSocket-Protocol': 'soap' }, 'subprotocol mcp'],
    [
      'with an extension',
      { 'Sec-WebSocket-Extensions': 'permessage-deflate' },
      'an extension that was not offered',
    ],
    ['with another upgrade', { Upgrade: 'h2c' }, 'a protocol other than websocket'],
  ])('%s', async (_what, changes, reason) => {
    const url = await scripted((request, socket) => void accept(request, socket, changes));
    await expect(connect(webSocket(url), me)).rejects.toThrow(reason);
  });

  test('if the server responds with a page, in one line without the query', async () => {
    const url = await scripted((_request, socket) =>
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npage'),
    );
    await expect(connect(webSocket(`${url}?token=secret`), me)).rejects.toThrow(
      `cannot connect to ${new URL(url).host}/ws: the server responded with 200 instead of an upgrade`,
    );
  });

  test('if the server does not respond, after a while', async () => {
    const url = await scripted(() => {});
    await expect(connect(webSocket(url, { connectTimeout: 30 }), me)).rejects.toThrow(
      'no response within 30 ms',
    );
  });

  test('if nobody listens', async () => {
    const { url, close } = await sockets.serve(fixtureServer());
    await close();
    await expect(connect(webSocket(url), me)).rejects.toThrow(
      /cannot connect to 127\.0\.0\.1:\d+\/ws: .*ECONNREFUSED/,
    );
  });

  test('for a URL that is not a WebSocket URL', () => {
    expect(() => webSocket('http://127.0.0.1/')).toThrow('url must begin with ws: or wss:, not http:');
  });
});

describe('credentials', () => {
  test('are requested for each attempt, and others are used if the server refuses them', async () => {
    const calls: unknown[] = [];
    const auth: ClientAuth = {
      headers: async (request) => {
        calls.push([request.method, String(request.url)]);
        return { Authorization: `Bearer ${calls.length}` };
      },
      challenged: async ({ status, header, url }, attempt) => {
        calls.push([status, header('www-authenticate'), String(url), attempt]);
        return attempt < 2;
      },
    };
    const { url } = await sockets.serve(fixtureServer(), {
      authorizer: {
        authorize: ({ header }) =>
          header('authorization') === 'Bearer 3'
            ? { principal: 'p', scopes: [] }
            : { status: 401, challenge: 'Bearer realm="r"', message: 'no' },
      },
    });
    const client = await connect(webSocket(url, { auth }), me);
    await client.close();
    const http = url.replace('ws:', 'http:');
    expect(calls).toEqual([
      ['GET', http],
      [401, 'Bearer realm="r"', http, 1],
      ['GET', http],
    ]);
  });

  test('that are finally refused end the attempt', async () => {
    const auth: ClientAuth = {
      headers: async () => ({}),
      challenged: async (_response, attempt) => attempt < 3,
    };
    const { url } = await sockets.serve(fixtureServer(), {
      authorizer: { authorize: () => ({ status: 403, challenge: 'Bearer', message: 'no' }) },
    });
    await expect(connect(webSocket(url, { auth }), me)).rejects.toThrow('the server responded with 403');
  });
});

describe('a server that violates the protocol is disconnected, with the code for it', () => {
  test.each<[string, Buffer, number]>([
    ['a masked frame', frame({ opcode: 1, payload: '{}' }), 1002],
    ['a compressed frame', frame({ opcode: 1, payload: '{}', reserved: 4, mask: undefined }), 1002],
    ['a binary message', fromServer(2, '{}'), 1003],
    ['text that is no UTF-8', fromServer(1, Buffer.from([0xff])), 1007],
    ['a message over the limit', fromServer(1, 'x'.repeat(1001)), 1009],
  ])('%s', async (_what, bytes, code) => {
    const { server, closed, messages } = await open({ messageLimit: 1000 });
    server.write(Buffer.concat([fromServer(1, '{}'), bytes, fromServer(1, '{}')]));
    const heard = await server.next();
    expect([heard?.opcode, heard?.mask]).toEqual([8, expect.any(String)]);
    expect(heard?.payload.readUInt16BE()).toBe(code);
    await closed;
    expect(messages).toEqual(['{}']);
  });
});

test('pings of the server are answered, and those of the client must be', async () => {
  holdClock();
  const { server, closed } = await open({ pingInterval: 1000 });
  server.write(fromServer(9, 'alive?'));
  expect(await server.next()).toMatchObject({ opcode: 10, payload: Buffer.from('alive?') });
  vi.advanceTimersByTime(1000);
  expect((await server.next())?.opcode).toBe(9);
  server.write(fromServer(10));
  await settle();
  vi.advanceTimersByTime(1000);
  expect((await server.next())?.opcode).toBe(9);
  vi.advanceTimersByTime(1000);
  expect(await closed).toBe('the other side does not respond');
});

test('of pings whose pongs are not read, only the newest is answered in the end', async () => {
  const { server, messages } = await open();
  server.socket.pause();
  const pings = full ? 400_000 : 100_000;
  const payload = Buffer.alloc(125);
  for (let number = 1; number <= pings; number++) {
    payload.writeUInt32BE(number);
    server.socket.write(fromServer(9, payload));
  }
  server.write(fromServer(1, '"fence"'));
  await vi.waitFor(() => expect(messages).toEqual(['"fence"']), { timeout: 120_000 });
  server.socket.resume();
  let answers = 0;
  for (let number = 0; number < pings; answers++) {
    const heard = await server.next();
    expect(heard?.opcode).toBe(10);
    number = heard!.payload.readUInt32BE();
  }
  expect(answers).toBeLessThan(pings / 2);
});

test('the close of the server is reported with its reason', async () => {
  const { server, closed } = await open();
  server.write(fromServer(8, Buffer.concat([Buffer.from([3, 233]), Buffer.from('going home')])));
  expect(await closed).toBe('the other side closed the connection with code 1001: going home');
  expect((await server.next())?.opcode).toBe(8);
});

test('a lost connection is reported, and ends waiting requests', async () => {
  const { server, closed, channel } = await open();
  server.socket.destroy();
  expect(await closed).toContain('the connection was lost');
  await channel.close();
});

test('closing sends 1000 and waits for the server, but not for ever', async () => {
  const { server, channel } = await open();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const closing = channel.close();
    expect((await server.next())?.opcode).toBe(8);
    vi.advanceTimersByTime(2000);
    await closing;
  } finally {
    vi.useRealTimers();
  }
});

test('requests wait while the server does not read', async () => {
  const { server, channel } = await open();
  server.socket.pause();
  const text = 'x'.repeat(1_000_000);
  let sent = 0;
  while (channel.drained() === undefined) {
    channel.send(text);
    sent += 1;
    await new Promise(setImmediate);
    expect(sent).toBeLessThan(50);
  }
  const drained = channel.drained();
  expect(channel.drained()).toBe(drained);
  server.socket.resume();
  await drained;
  for (let heard = 0; heard < sent; heard++) expect(await server.next()).toBeDefined();
});

test('a call in progress ends with its connection', async () => {
  const stage = new Stage();
  const listener = await sockets.serve(fixtureServer(stage));
  const client = await connect(webSocket(listener.url), me);
  const call = client.callTool('hold', { text: 'held' });
  const refused = expect(call).rejects.toThrow('the other side closed the connection with code 1001');
  await client.callTool('echo', { text: 'fence' });
  stage.release = () => {};
  const closing = listener.close(50);
  await Promise.allSettled([refused, closing]);
  await expect(call).rejects.toThrow();
});
