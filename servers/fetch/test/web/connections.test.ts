import type { Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { asking, failureOf, Loopback, read } from './loopback.ts';

const loopback = new Loopback();
afterEach(() => loopback.close());

/** Starts a server that responds to the first request of each connection and does something else at the next. */
async function fickle(
  onSecond: (socket: Socket, request: string) => void,
): Promise<{ origin: string; requests: string[] }> {
  const requests: string[] = [];
  const origin = await loopback.raw((socket) => {
    let count = 0;
    socket.on('data', (bytes) => {
      const request = bytes.toString();
      requests.push(request.split(' ')[0]!);
      if (++count === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\npage');
      else onSecond(socket, request);
    });
  });
  return { origin, requests };
}

test.each([
  ['closes', (socket: Socket) => socket.end()],
  ['resets', (socket: Socket) => socket.resetAndDestroy()],
])('a request over a connection that the server just %s is sent again over a new one', async (_, end) => {
  const { origin, requests } = await fickle(end);
  const web = loopback.web();
  expect(await read(web, origin)).toBe('page');
  expect(await read(web, origin)).toBe('page');
  expect(requests).toEqual(['GET', 'GET', 'GET']);
});

test('a request that is sent again does not reuse another old connection', async () => {
  const { origin, requests } = await fickle((socket) => socket.end());
  const web = loopback.web();
  await Promise.all([read(web, origin), read(web, origin)]);
  expect(await read(web, origin)).toBe('page');
  expect(requests.length).toBe(4);
});

test('an unsafe request is sent once', async () => {
  const { origin, requests } = await fickle((socket) => socket.end());
  const web = loopback.web();
  expect(await read(web, origin)).toBe('page');
  const error = await failureOf(web, origin, { method: 'POST', body: Buffer.from('x') });
  expect([error.code, requests]).toEqual(['connection-cut', ['GET', 'POST']]);
});

test('a request is sent again only once, and never after a part of the response', async () => {
  const always = await loopback.raw((socket) => {
    socket.once('data', () => {
      if (opened++ === 0) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\npage');
      else socket.end();
      socket.once('data', () => socket.end());
    });
  });
  let opened = 0;
  const web = loopback.web();
  expect(await read(web, always)).toBe('page');
  expect((await failureOf(web, always)).code).toBe('connection-cut');
  expect(opened).toBe(2);
  const { origin, requests } = await fickle((socket) =>
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\npart'),
  );
  expect(await read(web, origin)).toBe('page');
  expect((await failureOf(web, origin)).code).toBe('connection-cut');
  expect(requests.length).toBe(2);
});

test('a connection that the server closes while it is idle is not reused', async () => {
  const sockets: Socket[] = [];
  const origin = await loopback.raw((socket) => {
    sockets.push(socket);
    socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\npage'));
  });
  const web = loopback.web();
  await read(web, origin);
  const closed = vi.fn();
  sockets[0]!.on('close', closed);
  sockets[0]!.end();
  await vi.waitUntil(() => closed.mock.calls.length === 1, { timeout: 120_000 });
  expect(await read(web, origin, { method: 'POST' })).toBe('page');
  expect(sockets.length).toBe(2);
});

test('bytes that a server sends before a request do not answer the next request', async () => {
  let count = 0;
  const origin = await loopback.raw((socket) => {
    socket.on('data', () => {
      const body = `page${++count}`;
      const planted = 'HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\nplanted';
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n${body}`);
      setImmediate(() => socket.write(planted));
    });
  });
  const web = loopback.web();
  for (let index = 1; index <= 5; index++) expect(await read(web, origin)).toBe(`page${index}`);
});

test('a server that closes each connection at once is a failure, without endless retries', async () => {
  let opened = 0;
  const origin = await loopback.raw((socket) => {
    opened++;
    socket.destroy();
  });
  expect((await failureOf(loopback.web(), origin)).code).toMatch(/^(connection-cut|connect-failed)$/);
  expect(opened).toBeLessThanOrEqual(2);
});

test('a connection is only kept for its own origin', async () => {
  const hosts: string[] = [];
  const sockets = new Set<Socket>();
  const origin = await loopback.http((request, response) => {
    sockets.add(request.socket);
    hosts.push(request.headers.host!.split(':')[0]!);
    response.end();
  });
  const web = loopback.web();
  await read(web, origin);
  await read(web, origin.replace('localhost', 'other.org'));
  expect([sockets.size, hosts]).toEqual([2, ['localhost', 'other.org']]);
});

test('a short redirect leaves its connection for the page', async () => {
  const sockets = new Set<Socket>();
  const origin = await loopback.http((request, response) => {
    sockets.add(request.socket);
    if (request.url === '/to') response.end('page');
    else response.writeHead(302, { location: '/to', 'content-length': 5 }).end('moved');
  });
  expect(await read(loopback.web(), origin)).toBe('page');
  expect(sockets.size).toBe(1);
});

test('close closes idle connections', async () => {
  let open = 0;
  const origin = await loopback.raw((socket) => {
    open++;
    socket.on('close', () => open--);
    socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\npage'));
  });
  const web = loopback.web();
  await Promise.all([read(web, origin), read(web, origin)]);
  expect(open).toBe(2);
  await web.close();
  await vi.waitUntil(() => open === 0, { timeout: 120_000 });
});

test('an IP address in brackets is reached by its name', async () => {
  const origin = await loopback.http((request, response) => response.end(request.headers.host));
  const visit = loopback.web().visit(asking(origin.replace('localhost', '[::1]')));
  // nothing listens there, and the failure says so
  await expect(visit).rejects.toMatchObject({ code: 'connect-failed', message: '[::1] refuses connections' });
});
