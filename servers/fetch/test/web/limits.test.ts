import type { Socket } from 'node:net';
import { brotliCompressSync, constants, createGzip, gzipSync } from 'node:zlib';
import { afterEach, expect, test, vi } from 'vitest';
import { asking, failureOf, Loopback, read } from './loopback.ts';

const loopback = new Loopback();
afterEach(() => loopback.close());

const zeros = Buffer.alloc(64 * 1024 * 1024);
const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } };

async function encoded(encoding: string, bytes: Uint8Array): Promise<string> {
  return await loopback.http((_, response) => {
    response.writeHead(200, { 'content-encoding': encoding }).end(bytes);
  });
}

test.each([
  ['gzip', () => gzipSync(zeros)],
  ['br', () => brotliCompressSync(zeros, quick)],
  ['gzip, gzip', () => gzipSync(gzipSync(zeros))],
  ['gzip, br', () => brotliCompressSync(gzipSync(zeros))],
])('a compression bomb in %s stops at the limit, and no more of it is returned', async (encoding, make) => {
  const origin = await encoded(encoding, make());
  const limits = { bodyBytes: 1_000_000 };
  const visit = await loopback.web().visit(asking(origin, { limits }));
  let bytes = 0;
  const reading = (async () => {
    for await (const piece of visit.body) bytes += piece.length;
  })();
  await expect(reading).rejects.toMatchObject({ code: 'too-large', retryable: false });
  expect(bytes).toBeLessThanOrEqual(1_000_000);
});

test('a bomb that never ends on the wire is stopped, and its connection closed', async () => {
  let closed = false;
  const origin = await loopback.http((request, response) => {
    request.socket.on('close', () => {
      closed = true;
    });
    response.writeHead(200, { 'content-encoding': 'gzip' });
    const zip = createGzip();
    zip.pipe(response);
    const more = () => {
      while (!closed && zip.write(zeros.subarray(0, 1_000_000)));
      if (!closed) zip.once('drain', more);
    };
    more();
  });
  expect((await failureOf(loopback.web(), origin, { limits: { bodyBytes: 5_000_000 } })).code).toBe(
    'too-large',
  );
  await vi.waitUntil(() => closed, { timeout: 120_000 });
});

test('a response encoded six times is not decoded, one of five is', async () => {
  const wrap = (times: number) =>
    Array.from({ length: times }).reduce<Uint8Array>((bytes) => gzipSync(bytes), Buffer.from('deep'));
  const codings = (times: number) => Array.from({ length: times }, () => 'gzip').join(', ');
  const web = loopback.web();
  expect(await read(web, await encoded(codings(5), wrap(5)))).toBe('deep');
  expect((await failureOf(web, await encoded(codings(6), wrap(6)))).code).toBe('invalid-response');
});

test('a stream without end stops at the limit of the wire, and its connection is closed', async () => {
  let closed = false;
  const origin = await loopback.http((request, response) => {
    request.socket.on('close', () => {
      closed = true;
    });
    const more = () => {
      while (!closed && response.write(zeros.subarray(0, 65_536)));
      if (!closed) response.once('drain', more);
    };
    more();
  });
  const error = await failureOf(loopback.web(), origin, { limits: { wireBytes: 1_000_000 } });
  expect([error.code, error.way.status]).toEqual(['too-large', 200]);
  expect(error.message).toBe('the response of localhost has more than 1,000,000 bytes, the limit');
  await vi.waitUntil(() => closed, { timeout: 120_000 });
});

test('a length over the limit is reported with the headers, and the body fails without being read', async () => {
  let sent = false;
  const origin = await loopback.http((_, response) => {
    response.writeHead(200, { 'content-length': 50_000_000, 'content-type': 'video/mp4' });
    response.flushHeaders();
    response.on('drain', () => {
      sent = true;
    });
  });
  const visit = await loopback.web().visit(asking(origin));
  expect([visit.length, visit.headers['content-type']]).toEqual([50_000_000, 'video/mp4']);
  await expect(visit.body[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'too-large' });
  expect(sent).toBe(false);
});

test('a body of exactly the limit is complete', async () => {
  const origin = await loopback.http((_, response) => response.end(zeros.subarray(0, 1000)));
  const web = loopback.web();
  expect((await read(web, origin, { limits: { wireBytes: 1000, bodyBytes: 1000 } })).length).toBe(1000);
  expect((await failureOf(web, origin, { limits: { bodyBytes: 999 } })).code).toBe('too-large');
});

async function flood(make: (socket: Socket) => void): Promise<string> {
  return await loopback.raw((socket) => {
    socket.once('data', () => make(socket));
  });
}

test('a head without end is cut off', async () => {
  let closed = false;
  const origin = await flood((socket) => {
    socket.on('close', () => {
      closed = true;
    });
    socket.write('HTTP/1.1 200 OK\r\n');
    let count = 0;
    const more = () => {
      while (!closed && socket.write(`x-${count++}: ${'a'.repeat(1000)}\r\n`));
      if (!closed) socket.once('drain', more);
    };
    more();
  });
  expect((await failureOf(loopback.web(), origin)).code).toBe('too-large');
  await vi.waitUntil(() => closed, { timeout: 120_000 });
});

test('one header without end is aborted', async () => {
  const origin = await flood((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(2_000_000)}`);
  });
  expect((await failureOf(loopback.web(), origin)).code).toBe('too-large');
});

test('headers beyond the limits are refused, in bytes or in number', async () => {
  const origin = await loopback.http((_, response) => {
    for (let index = 0; index < 50; index++) response.setHeader(`x-${index}`, 'a'.repeat(100));
    response.end('page');
  });
  const web = loopback.web();
  expect(await read(web, origin)).toBe('page');
  expect((await failureOf(web, origin, { limits: { headerBytes: 4000 } })).code).toBe('too-large');
  expect((await failureOf(web, origin, { limits: { headerFields: 40 } })).code).toBe('too-large');
});

test('informational responses without end are aborted', async () => {
  const origin = await flood((socket) => {
    const more = () => {
      while (!socket.destroyed && socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'));
      if (!socket.destroyed) socket.once('drain', more);
    };
    more();
  });
  expect((await failureOf(loopback.web(), origin)).code).toBe('invalid-response');
});

test('an early hint before the response is ignored', async () => {
  const origin = await loopback.http((_, response) => {
    response.writeEarlyHints({ link: '</style.css>; rel=preload' });
    response.end('page');
  });
  expect(await read(loopback.web(), origin)).toBe('page');
});
