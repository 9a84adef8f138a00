import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test, vi } from 'vitest';
import { asking, failureOf, Loopback, readAll } from './loopback.ts';

const loopback = new Loopback();
afterEach(() => loopback.close());

const limits = { deadlineMs: 200 };

/** Starts a server whose open connections are counted. */
async function watched(onRequest: (socket: Socket) => void): Promise<{ origin: string; open: Set<Socket> }> {
  const open = new Set<Socket>();
  const origin = await loopback.raw((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.once('data', () => onRequest(socket));
  });
  return { origin, open };
}

function drip(bytes: Uint8Array): (socket: Socket) => void {
  return (socket) => {
    let index = 0;
    const timer = setInterval(() => socket.write(bytes.subarray(index, ++index)), 10);
    socket.on('close', () => clearInterval(timer));
  };
}

const zipped = gzipSync(Buffer.from(Array.from({ length: 5000 }, (_, index) => (index * 7919) % 251)));
const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';

test.each<[string, string, (socket: Socket) => void]>([
  ['silence after the connection', 'a response', () => {}],
  ['a head that drips', 'a response', drip(Buffer.from(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(5000)}`))],
  ['silence after the head', 'the rest of the response', (socket) => socket.write(chunked)],
  [
    'a body that drips',
    'the rest of the response',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n');
      drip(Buffer.alloc(5000, 'x'))(socket);
    },
  ],
  [
    'an encoded body that drips',
    'the rest of the response',
    (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${zipped.length}\r\n\r\n`);
      drip(zipped)(socket);
    },
  ],
])('%s ends at the deadline, and the connection is closed', async (_, waiting, onRequest) => {
  const { origin, open } = await watched(onRequest);
  const error = await failureOf(loopback.web(), origin, { limits });
  expect([error.code, error.retryable, error.message]).toEqual([
    'timeout',
    true,
    `no complete response within 0.2 s; the last wait was for ${waiting}`,
  ]);
  await vi.waitUntil(() => open.size === 0, { timeout: 120_000 });
});

test('a name service that does not answer ends at the deadline', async () => {
  const origin = await loopback.http((_, response) => response.end());
  const error = await failureOf(loopback.web({ guard: loopback.guard({ lookup: () => {} }) }), origin, {
    limits,
  });
  expect([error.code, error.message]).toEqual([
    'timeout',
    'no complete response within 0.2 s; the last wait was for a connection',
  ]);
});

test('a TLS handshake without answer ends at the deadline, and the connection is closed', async () => {
  const { origin, open } = await watched(() => {});
  const error = await failureOf(loopback.web(), origin.replace('http', 'https'), { limits });
  expect(error.code).toBe('timeout');
  await vi.waitUntil(() => open.size === 0, { timeout: 120_000 });
});

test('redirects do not win time', async () => {
  let asked = 0;
  const origin = await loopback.http((_, response) => {
    setTimeout(() => response.writeHead(302, { location: `/${++asked}` }).end(), 60);
  });
  const error = await failureOf(loopback.web(), origin, { limits: { ...limits, redirects: 100 } });
  expect([error.code, error.way.status]).toEqual(['timeout', 302]);
  expect(error.way.redirects!.length).toBeLessThan(4);
});

test('the time in which nobody reads counts', async () => {
  const { origin, open } = await watched((socket) => socket.write(`${chunked}1\r\nx\r\n`));
  const visit = await loopback.web().visit(asking(origin, { limits }));
  await vi.waitUntil(() => open.size === 0, { timeout: 120_000 });
  await expect(readAll(visit)).rejects.toMatchObject({ code: 'timeout', way: { status: 200 } });
});

test('a page that was received completely is not affected by the deadline', async () => {
  const { origin } = await watched((socket) =>
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\npage'),
  );
  const visit = await loopback.web().visit(asking(origin, { limits: { deadlineMs: 50 } }));
  await vi.waitUntil(() => visit.elapsedMs() > 80, { timeout: 120_000 });
  expect((await readAll(visit)).toString()).toBe('page');
});

test('a wait for other pages of the host ends at the deadline', async () => {
  const { origin } = await watched(() => {});
  const web = loopback.web({ perHost: 1 });
  const first = failureOf(web, origin, { limits: { deadlineMs: 400 } });
  const error = await failureOf(web, origin, { limits });
  expect([error.code, error.message]).toEqual([
    'timeout',
    'no complete response within 0.2 s; the last wait was for a turn at the host',
  ]);
  expect((await first).message).toContain('a response');
});
