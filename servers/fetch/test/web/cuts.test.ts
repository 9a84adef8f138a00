import type { Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, expect, test, vi } from 'vitest';
import { asking, failureOf, Loopback, read, readAll } from './loopback.ts';

const loopback = new Loopback();
afterEach(() => loopback.close());

const text = 'x'.repeat(5000);
const ends = {
  'ends the connection': (socket: Socket) => socket.end(),
  'resets the connection': (socket: Socket) => socket.resetAndDestroy(),
};
const heads = {
  'before any answer': '',
  'within the status line': 'HTTP/1.1 20',
  'within the head': 'HTTP/1.1 200 OK\r\ncontent-le',
  'before the first byte of its length': 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n',
  'before the last byte of its length': `HTTP/1.1 200 OK\r\ncontent-length: 5001\r\n\r\n${text}`,
  'after the same, said to close': `HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 5001\r\n\r\n${text}`,
  'within a chunk': 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nff\r\nabc',
  'between chunks': 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n',
  'between chunks, said to close':
    'HTTP/1.1 200 OK\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n',
  'before the last line of its chunks':
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n',
};

for (const [how, end] of Object.entries(ends))
  test.each(Object.entries(heads))(
    `a server that ${how} %s never returns a truncated page`,
    async (_, bytes) => {
      const origin = await loopback.raw((socket) => {
        socket.once('data', () => {
          if (bytes === '') end(socket);
          else socket.write(bytes, () => setImmediate(end, socket));
        });
      });
      const error = await failureOf(loopback.web(), origin);
      expect([error.code, error.retryable]).toEqual(['connection-cut', true]);
    },
  );

test('a page without length is complete when the connection ends, and cut when it is reset', async () => {
  const bytes = `HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n${text}`;
  const web = loopback.web();
  expect(await read(web, await loopback.answering(bytes))).toBe(text);
  const reset = await loopback.raw((socket) => {
    socket.once('data', () => socket.write(bytes, () => setTimeout(() => socket.resetAndDestroy(), 20)));
  });
  expect((await failureOf(web, reset)).code).toBe('connection-cut');
});

test('a reset while nobody reads fails only that page', async () => {
  const thrown = vi.fn();
  process.on('uncaughtException', thrown);
  loopback.later(() => process.off('uncaughtException', thrown));
  const sockets: Socket[] = [];
  const origin = await loopback.raw((socket) => {
    sockets.push(socket);
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n');
      socket.write(Buffer.alloc(300_000));
    });
  });
  const visit = await loopback.web().visit(asking(origin));
  await vi.waitUntil(() => visit.wireBytes() > 256 * 1024, { timeout: 120_000 });
  sockets[0]!.resetAndDestroy();
  await expect(readAll(visit)).rejects.toMatchObject({ code: 'connection-cut' });
  expect(thrown).not.toHaveBeenCalled();
});

const big = Buffer.from(Array.from({ length: 20_000 }, (_, index) => (index * 7919) % 251));

test.each([
  ['gzip', gzipSync(big)],
  ['deflate', deflateSync(big)],
  ['br', brotliCompressSync(big)],
  ['gzip, br', brotliCompressSync(gzipSync(big))],
])('a page in %s that ends too early is cut, with any framing', async (encoding, bytes) => {
  const web = loopback.web();
  for (const length of [1, Math.floor(bytes.length / 2), bytes.length - 1]) {
    const part = bytes.subarray(0, length);
    const framed = await loopback.http((_, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(part),
    );
    const head = `HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-encoding: ${encoding}\r\n\r\n`;
    const unframed = await loopback.answering(Buffer.concat([Buffer.from(head), part]));
    for (const origin of [framed, unframed])
      expect([length, (await failureOf(web, origin)).code]).toEqual([length, 'connection-cut']);
  }
});

test('an encoded page without length that ends before its first byte is cut', async () => {
  const origin = await loopback.answering(
    'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-encoding: gzip\r\n\r\n',
  );
  expect((await failureOf(loopback.web(), origin)).code).toBe('connection-cut');
});

test.each(['gzip', 'deflate', 'br'])(
  'text that is declared as %s is an invalid response',
  async (encoding) => {
    const origin = await loopback.http((_, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end('<p>plain text, not encoded at all</p>');
    });
    const error = await failureOf(loopback.web(), origin);
    expect([error.code, error.retryable]).toEqual(['invalid-response', false]);
  },
);

test('a page with a wrong checksum is an invalid response', async () => {
  const bytes = gzipSync(big);
  bytes[bytes.length - 8]! ^= 0xff;
  const origin = await loopback.http((_, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(bytes),
  );
  expect((await failureOf(loopback.web(), origin)).code).toBe('invalid-response');
});

test('an unknown coding is named', async () => {
  const origin = await loopback.http((_, response) =>
    response.writeHead(200, { 'content-encoding': 'lzma' }).end('x'),
  );
  const error = await failureOf(loopback.web(), origin);
  expect([error.code, error.message]).toEqual([
    'invalid-response',
    'the response has an unknown content coding, lzma',
  ]);
});

test.each([
  ['SSH', 'SSH-2.0-OpenSSH_9.2\r\n'],
  ['a bare page', '<html></html>'],
  ['a space in a field name', 'HTTP/1.1 200 OK\r\nbad name: x\r\n\r\n'],
  ['two different lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 3\r\ncontent-length: 4\r\n\r\nabcd'],
  [
    'a length beside chunks',
    'HTTP/1.1 200 OK\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  ['a chunk size that is no number', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n'],
])('%s instead of HTTP is an invalid response', async (_, bytes) => {
  const error = await failureOf(loopback.web(), await loopback.answering(bytes));
  expect(error.code).toBe('invalid-response');
  expect(error.message).not.toMatch(/127\.0|\n|at /);
});

test('bytes beyond the length are not part of the page', async () => {
  const origin = await loopback.answering(
    'HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nabcHTTP/1.1 200 OK\r\n\r\nsmuggled',
  );
  const web = loopback.web();
  expect(await read(web, origin)).toBe('abc');
  expect(await read(web, origin)).toBe('abc');
});
