import { createRequire } from 'node:module';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type RawData, WebSocket, WebSocketServer } from 'ws';
import { connect } from '../../src/client.ts';
import { serveMemory } from '../../src/testing.ts';
import { webSocket } from '../../src/ws.ts';
import { holdClock, settle } from '../socket/clock.ts';
import { fixtureServer, Stage } from '../wire/fixture.ts';
import { Sockets } from './raw.ts';

const sockets = new Sockets();
const me = { name: 'tester', version: '1.0.0' };
const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const pong = { jsonrpc: '2.0', id: 1, result: {} };

/** Returns a message of ws, which is one Buffer by default, as text. */
const textOf = (data: RawData): string => String(data as Buffer);

describe('the client of ws', () => {
  const clients: WebSocket[] = [];
  afterEach(() => {
    vi.useRealTimers();
    for (const client of clients.splice(0)) client.terminate();
  });

  async function open(url: string, options: object = {}): Promise<WebSocket> {
    const client = new WebSocket(url, 'mcp', options);
    clients.push(client);
    await new Promise((resolve, reject) => client.once('open', resolve).once('error', reject));
    return client;
  }

  const heard = (client: WebSocket): Promise<unknown> =>
    new Promise((resolve, reject) => {
      client.once('message', (data, binary) => resolve(binary ? 'binary' : JSON.parse(textOf(data))));
      client.once('close', (code, reason) => reject(new Error(`${code} ${String(reason)}`)));
    });

  test('is served, without the compression that it offers', async () => {
    const { url } = await sockets.serve(fixtureServer());
    const client = await open(url, { perMessageDeflate: true });
    expect([client.protocol, client.extensions]).toEqual(['mcp', '']);
    client.send(ping, { compress: true });
    expect(await heard(client)).toEqual(pong);
  });

  test('is understood in fragments, and answered when it pings', async () => {
    const { url } = await sockets.serve(fixtureServer());
    const client = await open(url);
    const pongs: string[] = [];
    client.on('pong', (data) => pongs.push(String(data)));
    client.send(ping.slice(0, 10), { fin: false });
    client.ping('in between');
    client.send(ping.slice(10), { fin: true });
    expect(await heard(client)).toEqual(pong);
    expect(pongs).toEqual(['in between']);
  });

  test('closes and gets a Close frame', async () => {
    const { url } = await sockets.serve(fixtureServer());
    const client = await open(url);
    const over = heard(client);
    client.close(1000, 'done');
    await expect(over).rejects.toThrow('1000');
  });

  test('answers our pings by itself', async () => {
    holdClock();
    const { url } = await sockets.serve(fixtureServer(), { pingInterval: 1000 });
    const client = await open(url);
    for (let pings = 0; pings < 3; pings++) {
      const pinged = new Promise((resolve) => client.once('ping', resolve));
      vi.advanceTimersByTime(1000);
      await pinged;
      await settle();
    }
    client.send(ping);
    expect(await heard(client)).toEqual(pong);
  });

  test.each([
    ['a binary message', (client: WebSocket) => client.send(Buffer.from(ping)), 1003],
    ['a message over the limit', (client: WebSocket) => client.send('x'.repeat(2000)), 1009],
  ])('gets the reason after %s', async (_what, act, code) => {
    const { url } = await sockets.serve(fixtureServer(), { messageLimit: 1000 });
    const client = await open(url);
    const over = heard(client);
    act(client);
    await expect(over).rejects.toThrow(String(code));
  });

  test('is refused without the subprotocol', async () => {
    const { url } = await sockets.serve(fixtureServer());
    const client = new WebSocket(url);
    await expect(new Promise((_resolve, reject) => client.once('error', reject))).rejects.toThrow('400');
  });

  test('gets and sends messages of 20 MiB', async () => {
    const { url } = await sockets.serve(fixtureServer());
    const client = await open(url, { maxPayload: 64 * 1024 * 1024 });
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: me };
    client.send(JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }));
    await heard(client);
    const size = 20 * 1024 * 1024;
    const call = (id: number, name: string, args: object): string =>
      JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } });
    client.send(call(1, 'big', { size }));
    expect(
      ((await heard(client)) as { result: { content: [{ text: string }] } }).result.content[0].text,
    ).toHaveLength(size);
    client.send(call(2, 'length', { text: 'é'.repeat(size / 2) }));
    expect(await heard(client)).toMatchObject({ result: { structuredContent: { length: size / 2 } } });
  });
});

describe('the server of ws', () => {
  test('understands our client, in messages of every size', async () => {
    const theirs = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: true });
    await new Promise((resolve) => theirs.once('listening', resolve));
    theirs.on('connection', (socket) => {
      // another server behind it, which uses lines
      const { input, output } = serveMemory(fixtureServer());
      let rest = '';
      input.setEncoding('utf8').on('data', (text: string) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) socket.send(line);
      });
      socket.on('message', (data, binary) => {
        expect(binary).toBe(false);
        output.write(`${textOf(data)}\n`);
      });
      socket.on('close', () => output.end());
    });
    const { port } = theirs.address() as { port: number };
    const closed = new Promise((resolve) =>
      theirs.on('connection', (socket) => socket.once('close', (code: number) => resolve(code))),
    );
    const client = await connect(webSocket(`ws://127.0.0.1:${port}/`), me);
    for (const length of [0, 1, 20, 100, 1000, 65_400, 70_000, 3_000_000]) {
      const text = '漢'.repeat(length / 3);
      expect((await client.callTool('echo', { text })).content[0]).toEqual({ type: 'text', text });
    }
    await client.close();
    expect(await closed).toBe(1000);
    theirs.close();
  });
});

describe('the WebSocket client of the official SDK', () => {
  const interop = createRequire(new URL('../../../../test/interop/package.json', import.meta.url));
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  test.each([
    ['sdk-2024-11-05', '2024-11-05'],
    ['sdk-2025-03-26', '2025-03-26'],
    ['sdk-2025-06-18', '2025-06-18'],
    ['sdk-2025-11-25', '2025-11-25'],
  ])('%s is served', async (sdk) => {
    // Node 20 has none, and the transport uses that of the page
    vi.stubGlobal('WebSocket', WebSocket);
    const load =
      sdk === 'sdk-2024-11-05'
        ? (path: string) => import(interop.resolve(path))
        : async (path: string) => interop(path);
    const { Client } = await load(`${sdk}/client/index.js`);
    const { WebSocketClientTransport } = await load(`${sdk}/client/websocket.js`);
    const stage = new Stage();
    const listener = await sockets.serve(fixtureServer(stage));
    const client = new Client(me, { capabilities: {} });
    const closed = new Promise<void>((resolve) => {
      client.onclose = resolve;
    });
    await client.connect(new WebSocketClientTransport(new URL(listener.url)));
    const progress: unknown[] = [];
    const { tools } = await client.listTools();
    const call = { name: 'steps', arguments: { values: [1, 2] } };
    const steps = await client.callTool(call, undefined, {
      onprogress: (update: unknown) => progress.push(update),
    });
    const { contents } = await client.readResource({ uri: 'memo://today' });
    expect([tools.length > 5, steps.content[0].text, contents[0].text]).toEqual([
      true,
      'done',
      'water the plants',
    ]);
    const controller = new AbortController();
    const held = client.callTool({ name: 'hold' }, undefined, { signal: controller.signal });
    await client.ping();
    controller.abort('enough');
    await expect(held).rejects.toThrow();
    await vi.waitFor(() => expect(stage.aborted).toHaveLength(1), { timeout: 120_000 });
    await client.close();
    await closed;
    await vi.waitFor(() => expect(listener.connections).toBe(0), { timeout: 120_000 });
  });

  test('is notified when the server shuts down', async () => {
    vi.stubGlobal('WebSocket', WebSocket);
    const { Client } = interop('sdk-2025-11-25/client/index.js');
    const { WebSocketClientTransport } = interop('sdk-2025-11-25/client/websocket.js');
    const listener = await sockets.serve(fixtureServer());
    const client = new Client(me);
    const closed = new Promise<void>((resolve) => {
      client.onclose = resolve;
    });
    await client.connect(new WebSocketClientTransport(new URL(listener.url)));
    await listener.close();
    await closed;
  });
});
