import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { type RawData, WebSocketServer } from 'ws';
import { proves } from '../../../../test/requirements/prove.ts';
import { connect } from '../../src/client.ts';
import { serveMemory } from '../../src/testing.ts';
import { webSocket, webSocketEndpoint } from '../../src/ws.ts';
import { fixtureServer, Stage } from '../wire/fixture.ts';
import type { Message } from '../wire/message.ts';
import { selfSigned } from './certificate.ts';
import { frame, type RawSocket, Sockets } from './raw.ts';

const sockets = new Sockets();
const REVISION = '2025-06-18';
const me = { name: 'tester', version: '1.0.0' };
const id = (name: string): string => `2025-06-18/transport-websocket/${name}`;
const hello = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: REVISION, capabilities: { elicitation: {} }, clientInfo: me },
};

const ends: (() => void)[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const end of ends.splice(0)) end();
});

const call = (number: number, name: string, args: object = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id: number, method: 'tools/call', params: { name, arguments: args } });

/** Returns a raw client after its handshake. */
async function introduced(url: string): Promise<RawSocket> {
  const client = await sockets.open(url);
  client.say(JSON.stringify(hello));
  await client.message();
  return client;
}

/**
 * Starts a server of ws in front of a server of this package; it records the clients' messages, and may send
 * others.
 */
async function theirs(): Promise<{
  url: string;
  received: Message[];
  kinds: string[];
  server: WebSocketServer;
}> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  ends.push(() => {
    for (const client of server.clients) client.terminate();
    server.close();
  });
  await new Promise((resolve) => server.once('listening', resolve));
  const received: Message[] = [];
  const kinds: string[] = [];
  server.on('connection', (socket) => {
    const { input, output } = serveMemory(fixtureServer());
    input.setEncoding('utf8').on('data', (text: string) => {
      for (const line of text.split('\n').filter((each) => each !== ''))
        socket.send(JSON.stringify(JSON.parse(line), null, 2));
    });
    socket.on('message', (data: RawData, binary) => {
      const text = String(data as Buffer); // nothing else was requested
      received.push(JSON.parse(text));
      kinds.push(binary ? 'binary' : 'text');
      output.write(`${text}\n`);
    });
    socket.on('close', () => output.end());
  });
  const { port } = server.address() as AddressInfo;
  return { url: `ws://127.0.0.1:${port}/`, received, kinds, server };
}

test('a server sends one message per frame, both ways at any time, after a handshake within the socket', async () => {
  const { url } = await sockets.serve(fixtureServer());
  const client = await sockets.open(url);
  client.say(call(9, 'echo', { text: 'too early' }));
  const early = await client.message();
  client.say(JSON.stringify(hello));
  const welcome = await client.message();
  proves('server', id('handshake-runs-inside-the-socket'), () => {
    expect(early.error.code).toBe(-32602);
    expect(welcome.result).toMatchObject({ protocolVersion: REVISION, serverInfo: { name: 'fixture' } });
  });
  client.say(`{\n"jsonrpc": "2.0",\n"id": 1,\n"method": "ping"\n}`);
  client.say(call(2, 'echo', { text: 'a\nb' }));
  const answers = [await client.next(), await client.next()];
  proves('server', id('no-newline-delimiter-required'), () =>
    expect(answers.map((heard) => JSON.parse(String(heard?.payload)).id)).toEqual([1, 2]),
  );
  proves('server', id('one-json-message-per-text-frame'), () => {
    for (const heard of client.heard) {
      expect(heard).toMatchObject({ opcode: 1, fin: true });
      expect(JSON.parse(heard.payload.toString())).toMatchObject({ jsonrpc: '2.0' });
    }
  });
  client.say(call(3, 'deploy', { env: 'prod' }));
  const question = await client.message();
  client.say(call(4, 'echo', { text: 'meanwhile' }));
  const meanwhile = await client.message();
  client.say(
    JSON.stringify({
      jsonrpc: '2.0',
      id: question.id,
      result: { action: 'accept', content: { confirm: true } },
    }),
  );
  const last = await client.message();
  proves('server', id('full-duplex-both-sides-send'), () =>
    expect([question.method, meanwhile.id, last.id]).toEqual(['elicitation/create', 4, 3]),
  );
});

test('a session is its socket, and is released when that closes', async () => {
  const stage = new Stage();
  const listener = await sockets.serve(fixtureServer(stage));
  const [first, second] = [await introduced(listener.url), await sockets.open(listener.url)];
  first.say('{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"memo://today"}}');
  await first.message();
  second.say(call(1, 'echo', { text: 'x' }));
  const refused = await second.message();
  proves('server', id('session-is-tied-to-the-socket'), () => expect(refused.error.code).toBe(-32602));
  first.say(call(2, 'hold', { text: 'held' }));
  first.say('{"jsonrpc":"2.0","id":3,"method":"ping"}');
  await first.message();
  first.write(frame({ opcode: 8, payload: Buffer.from([3, 232]) }));
  const goodbye = await first.goodbye();
  await vi.waitFor(() => expect(listener.connections).toBe(1), { timeout: 120_000 });
  proves('server', id('close-handshake-ends-session'), () =>
    expect([goodbye, stage.aborted]).toEqual([[1000, ''], ['held']]),
  );
  proves('server', id('server-cleans-up-on-close'), () =>
    expect([stage.watchers('memo://today'), listener.connections]).toEqual([0, 1]),
  );
});

test('an endpoint is protected by TLS and tokens, and our client uses both', async () => {
  const tokens: (string | undefined)[] = [];
  const endpoint = webSocketEndpoint(fixtureServer(), {
    authorizer: {
      authorize: ({ header }) => {
        tokens.push(header('authorization'));
        if (header('authorization') === 'Bearer good') return { principal: 'p', scopes: [] };
        return { status: 401, challenge: 'Bearer', message: 'a token is needed' };
      },
    },
  });
  const https = createSecureServer(selfSigned());
  ends.push(() => {
    https.closeAllConnections();
    https.close();
  });
  https.on('upgrade', (request, socket, head) => endpoint.upgrade(request, socket, head));
  await new Promise<void>((resolve) => https.listen(0, '127.0.0.1', resolve));
  const url = `wss://127.0.0.1:${(https.address() as AddressInfo).port}/ws`;
  const warning = vi.spyOn(process, 'emitWarning').mockReturnValue();
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  const refused = await connect(webSocket(url), me).catch((error: Error) => error.message);
  proves('server', id('connection-secured-like-a-web-api'), () =>
    expect(refused).toContain('the server responded with 401'),
  );
  const client = await connect(webSocket(url, { headers: { Authorization: 'Bearer good' } }), me);
  warning.mockRestore();
  const { content } = await client.callTool('echo', { text: 'let in' });
  proves('client', id('connection-secured-like-a-web-api'), () =>
    expect([content[0], ...tokens]).toEqual([{ type: 'text', text: 'let in' }, undefined, 'Bearer good']),
  );
  await client.close();
  await endpoint.close();
});

test('a client sends one message per frame, both ways at any time, after a handshake within the socket', async () => {
  const { url, received, kinds, server } = await theirs();
  const closed = new Promise<number>((resolve) =>
    server.on('connection', (socket) => socket.on('close', (code: number) => resolve(code))),
  );
  const client = await connect(webSocket(url), {
    ...me,
    era: 'handshake',
    revision: REVISION,
    elicitation: async () => {
      await client.callTool('echo', { text: 'asked while asked' });
      return { action: 'accept', content: { confirm: true } };
    },
  });
  const { content } = await client.callTool('echo', { text: 'a\nb' });
  proves('client', id('handshake-runs-inside-the-socket'), () =>
    expect(received.map(({ method }) => method).slice(0, 3)).toEqual([
      'initialize',
      'notifications/initialized',
      'tools/call',
    ]),
  );
  proves('client', id('no-newline-delimiter-required'), () =>
    expect(content[0]).toMatchObject({ text: 'a\nb' }),
  );
  const deployed = await client.callTool('deploy', { env: 'prod' });
  proves('client', id('full-duplex-both-sides-send'), () => {
    expect(deployed.content[0]).toMatchObject({ text: 'deployed' });
    expect(received.map(({ method }) => method).slice(-3)).toEqual(['tools/call', 'tools/call', undefined]);
  });
  proves('client', id('one-json-message-per-text-frame'), () => {
    expect(new Set(kinds)).toEqual(new Set(['text']));
    for (const message of received) expect(message).toMatchObject({ jsonrpc: '2.0' });
  });
  await client.close();
  const code = await closed;
  const late = await client.callTool('echo', { text: 'too late' }).catch((error: Error) => error.name);
  proves('client', id('close-handshake-ends-session'), () =>
    expect([code, late]).toEqual([1000, 'ConnectionError']),
  );
});

test('a client whose socket was dropped starts again', async () => {
  const endpoint = webSocketEndpoint(fixtureServer());
  const http = createServer();
  const open: Socket[] = [];
  http.on('upgrade', (request, socket, head) => {
    open.push(socket as Socket); // as node:http passes it
    endpoint.upgrade(request, socket, head);
  });
  ends.push(() => http.close());
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const transport = webSocket(`ws://127.0.0.1:${(http.address() as AddressInfo).port}/ws`);
  const client = await connect(transport, { ...me, era: 'handshake', revision: REVISION });
  open[0]?.resetAndDestroy();
  await expect(client.callTool('echo', { text: 'x' })).rejects.toThrow('connection was lost');
  const again = await connect(transport, { ...me, era: 'handshake', revision: REVISION });
  const { content } = await again.callTool('echo', { text: 'anew' });
  proves('client', id('dropped-socket-needs-fresh-initialize'), () =>
    expect([open.length, again.revision, content[0]]).toEqual([2, REVISION, { type: 'text', text: 'anew' }]),
  );
  await again.close();
  await endpoint.close();
});
