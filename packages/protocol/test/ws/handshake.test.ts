import { createServer } from 'node:http';
import type { Duplex } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { Authorizer } from '../../src/http.ts';
import { serveWebSocket, webSocketEndpoint } from '../../src/ws.ts';
import { fixtureServer } from '../wire/fixture.ts';
import { Sockets, sampleAccept, textFrame, upgradeLines } from './raw.ts';

const sockets = new Sockets();
const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const pong = { jsonrpc: '2.0', id: 1, result: {} };

test('an upgrade is answered with the Sec-WebSocket-Accept of RFC 6455, the subprotocol mcp and no extension', async () => {
  const { url } = await sockets.serve(fixtureServer());
  const lines = upgradeLines(url, {
    'Sec-WebSocket-Extensions': 'permessage-deflate; client_max_window_bits',
  });
  const { status, headers, body } = await sockets.ask(url, lines);
  expect([status, body]).toEqual([101, '']);
  expect(Object.fromEntries(headers)).toEqual({
    upgrade: 'websocket',
    connection: 'Upgrade',
    'sec-websocket-accept': sampleAccept,
    'sec-websocket-protocol': 'mcp',
  });
});

test('the URL is that of /ws on loopback', async () => {
  const { url } = await sockets.serve(fixtureServer());
  expect(url).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/ws$/);
});

test('a message in the same packet as the request is served', async () => {
  const { url } = await sockets.serve(fixtureServer());
  const client = await sockets.open(url, textFrame(ping));
  expect(await client.message()).toEqual(pong);
});

describe('no upgrade is made', () => {
  test.each<[string, Readonly<Record<string, string | undefined>>, number, string]>([
    ['another version', { 'Sec-WebSocket-Version': '8' }, 426, 'Sec-WebSocket-Version must be 13'],
    ['no version', { 'Sec-WebSocket-Version': undefined }, 426, 'Sec-WebSocket-Version must be 13'],
    ['no key', { 'Sec-WebSocket-Key': undefined }, 400, 'Sec-WebSocket-Key'],
    ['a key of 15 bytes', { 'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAA' }, 400, 'Sec-WebSocket-Key'],
    [
      'a key that is no base64',
      { 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZ!==' },
      400,
      'Sec-WebSocket-Key',
    ],
    [
      'two keys',
      { 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==, dGhlIHNhbXBsZSBub25jZQ==' },
      400,
      'Sec-WebSocket-Key',
    ],
    ['no subprotocol', { 'Sec-WebSocket-Protocol': undefined }, 400, 'offer the subprotocol mcp'],
    ['other subprotocols', { 'Sec-WebSocket-Protocol': 'soap, MCP, mcp2' }, 400, 'offer the subprotocol mcp'],
    ['another upgrade', { Upgrade: 'h2c' }, 400, 'Upgrade must be websocket'],
    ['a body', { 'Content-Length': '5' }, 400, 'an upgrade must have no body'],
    ['a body in chunks', { 'Transfer-Encoding': 'chunked' }, 400, 'an upgrade must have no body'],
    ['the origin of a web page elsewhere', { Origin: 'https://evil.example' }, 403, 'Origin'],
    ['no origin worth the name', { Origin: 'null' }, 403, 'Origin'],
    ['a name that was rebound to this machine', { Host: 'evil.example' }, 403, 'Host'],
  ])('for %s', async (_what, changes, status, reason) => {
    const { url, ...listener } = await sockets.serve(fixtureServer());
    const answer = await sockets.ask(url, upgradeLines(url, changes));
    expect(answer).toMatchObject({ status, body: expect.stringContaining(reason) });
    expect(answer.body.trim().split('\n')).toHaveLength(1);
    if (status === 426) expect(answer.headers.get('sec-websocket-version')).toBe('13');
    expect(listener.connections).toBe(0);
  });

  test('repeatedly, and the slots are left to others', async () => {
    const { url } = await sockets.serve(fixtureServer(), { connectionCap: 1 });
    for (const Origin of ['https://evil.example', 'https://evil.example', undefined]) {
      const status = Origin === undefined ? 101 : 403;
      expect((await sockets.ask(url, upgradeLines(url, { Origin }))).status).toBe(status);
    }
  });

  test('with another method, or at another path', async () => {
    const { url } = await sockets.serve(fixtureServer());
    const [, ...headers] = upgradeLines(url);
    expect((await sockets.ask(url, ['POST /ws HTTP/1.1', ...headers])).status).toBe(400);
    expect((await sockets.ask(url, ['GET /wss HTTP/1.1', ...headers])).status).toBe(404);
    expect((await sockets.ask(url, ['GET /ws?token=1 HTTP/1.1', ...headers])).status).toBe(101);
  });

  test('without an upgrade request', async () => {
    const { url } = await sockets.serve(fixtureServer());
    const answer = await sockets.ask(url, ['GET /ws HTTP/1.1', 'Host: 127.0.0.1', 'Connection: close']);
    expect(answer).toMatchObject({ status: 426, body: expect.stringContaining('/ws') });
    expect(answer.headers.get('upgrade')).toBe('websocket');
  });
});

test('the pages of this machine and those that are allowed may connect', async () => {
  const { url } = await sockets.serve(fixtureServer(), { allowedOrigins: ['https://app.example'] });
  for (const Origin of ['http://localhost:3000', 'https://app.example'])
    expect((await sockets.ask(url, upgradeLines(url, { Origin }))).status).toBe(101);
});

describe('with authorization', () => {
  const authorizer: Authorizer = {
    authorize: async ({ method, path, header }) => {
      await new Promise(setImmediate);
      const token = header('authorization');
      if (token === 'Bearer good') return { principal: `${method} ${path}`, scopes: [] };
      if (token === 'Bearer weak')
        return { status: 403, challenge: 'Bearer scope="more"', message: 'not enough' };
      return { status: 401, challenge: 'Bearer realm="x"\r\nSet-Cookie: a=b', message: 'a token is needed' };
    },
  };

  test('a client without a valid token gets the challenge, and nothing of it is read', async () => {
    const { url } = await sockets.serve(fixtureServer(), { authorizer });
    const [none, weak, wrong] = [
      await sockets.ask(url, upgradeLines(url)),
      await sockets.ask(url, upgradeLines(url, { Authorization: 'Bearer weak' })),
      // authorization comes before the check of the request
      await sockets.ask(url, upgradeLines(url, { 'Sec-WebSocket-Version': '1' })),
    ];
    expect([none.status, weak.status, wrong.status]).toEqual([401, 403, 401]);
    expect([none.body, weak.body]).toEqual(['a token is needed\n', 'not enough\n']);
    expect(weak.headers.get('www-authenticate')).toBe('Bearer scope="more"');
  });

  test('a challenge cannot add headers', async () => {
    const { url } = await sockets.serve(fixtureServer(), { authorizer });
    const { headers } = await sockets.ask(url, upgradeLines(url));
    expect(headers.get('www-authenticate')).toBe('Bearer realm="x" Set-Cookie: a=b');
    expect(headers.has('set-cookie')).toBe(false);
  });

  test('the principal of the token is that of every request', async () => {
    const principals: (string | undefined)[] = [];
    const server = fixtureServer();
    const handle = server.handle.bind(server);
    server.handle = (call) => {
      principals.push(call.facts.principal);
      return handle(call);
    };
    const { url } = await sockets.serve(server, { authorizer });
    const socket = await sockets.dial(url);
    socket.write(`${upgradeLines(url, { Authorization: 'Bearer good' }).join('\r\n')}\r\n\r\n`);
    socket.write(textFrame(ping));
    await expect.poll(() => principals, { timeout: 120_000 }).toEqual(['GET /ws']);
  });

  test('an authorizer with a fault refuses, and the fault is reported', async () => {
    const faults: unknown[] = [];
    const server = fixtureServer();
    server.report = (error) => faults.push(error);
    const broken: Authorizer = { authorize: () => Promise.reject(new Error('the secret of the authorizer')) };
    const listener = await sockets.serve(server, { authorizer: broken, connectionCap: 1 });
    for (const _again of [1, 2]) {
      const answer = await sockets.ask(listener.url, upgradeLines(listener.url));
      expect([answer.status, answer.body]).toEqual([500, 'internal server error\n']);
    }
    expect(faults).toHaveLength(2);
  });

  test('a client that disconnects during authorization takes no slot', async () => {
    let decide: () => void = () => {};
    const asked = new Promise<void>((resolve) => {
      decide = resolve;
    });
    let reached: () => void = () => {};
    const arrived = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const slow: Authorizer = {
      authorize: async () => {
        reached();
        await asked;
        return { principal: 'p', scopes: [] };
      },
    };
    const listener = await sockets.serve(fixtureServer(), { authorizer: slow, connectionCap: 1 });
    const socket = await sockets.dial(listener.url);
    socket.write(`${upgradeLines(listener.url).join('\r\n')}\r\n\r\n`);
    await arrived;
    // another is refused in the meantime: waiting clients take slots too
    expect((await sockets.ask(listener.url, upgradeLines(listener.url))).status).toBe(503);
    socket.resetAndDestroy();
    await new Promise((resolve) => socket.once('close', resolve));
    decide();
    await expect
      .poll(async () => (await sockets.ask(listener.url, upgradeLines(listener.url))).status, {
        timeout: 120_000,
      })
      .toBe(101);
  });
});

test('a socket that is gone after its authorization takes no slot', async () => {
  const given: Duplex[] = [];
  const endpoint = webSocketEndpoint(fixtureServer(), {
    connectionCap: 1,
    authorizer: {
      authorize: async () => {
        if (given.length === 1)
          await new Promise<void>((resolve) => given[0]?.destroy().once('close', resolve));
        return { principal: 'p', scopes: [] };
      },
    },
  });
  const http = createServer();
  http.on('upgrade', (request, socket, head) => {
    given.push(socket);
    endpoint.upgrade(request, socket, head);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(http.address() as { port: number }).port}/ws`;
  await expect(sockets.ask(url, upgradeLines(url))).resolves.toMatchObject({ body: '' });
  expect(endpoint.connections).toBe(0);
  expect((await sockets.ask(url, upgradeLines(url))).status).toBe(101);
  await endpoint.close(0);
  http.close();
});

test('beyond loopback nobody is served without an authorizer or allowAnyone', async () => {
  await expect(serveWebSocket(fixtureServer(), { host: '0.0.0.0' })).rejects.toThrow(
    'host 0.0.0.0 is not loopback',
  );
  const authorizer: Authorizer = { authorize: () => ({ principal: 'p', scopes: [] }) };
  await sockets.serve(fixtureServer(), { host: '0.0.0.0', authorizer });
  await sockets.serve(fixtureServer(), { host: '0.0.0.0', allowAnyone: true });
});

test('an endpoint shares a port with an HTTP server and leaves other paths to it', async () => {
  const endpoint = webSocketEndpoint(fixtureServer(), { path: '/mcp/ws' });
  const http = createServer((_request, response) => response.end('page'));
  http.on('upgrade', (request, socket, head) => {
    if (!endpoint.upgrade(request, socket, head)) socket.end('HTTP/1.1 418 Other\r\n\r\n');
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as { port: number };
  const base = `http://127.0.0.1:${port}`;
  expect(await (await fetch(`${base}/`)).text()).toBe('page');
  expect((await sockets.ask(`${base}/other`, upgradeLines(`${base}/other`))).status).toBe(418);
  const client = await sockets.open(`${base}/mcp/ws`, textFrame(ping));
  expect(await client.message()).toEqual(pong);
  expect(endpoint.connections).toBe(1);
  const closed = endpoint.close();
  client.socket.end();
  await closed;
  expect((await sockets.ask(`${base}/mcp/ws`, upgradeLines(`${base}/mcp/ws`))).status).toBe(503);
  http.closeAllConnections();
  http.close();
});
