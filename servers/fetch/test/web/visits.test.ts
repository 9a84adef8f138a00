import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, expect, test, vi } from 'vitest';
import { asking, failureOf, Loopback, read, readAll } from './loopback.ts';

const loopback = new Loopback();
afterEach(() => loopback.close());

test('a response has its URL, status, headers and length, without cookies', async () => {
  const origin = await loopback.http((_, response) => {
    response.setHeader('set-cookie', ['a=1', 'b=2']);
    response.setHeader('link', ['<a>', '<b>']);
    response.writeHead(404, { 'content-type': 'text/plain', 'content-length': 4, date: 'then' }).end('none');
  });
  const visit = await loopback.web().visit(asking(`${origin}/page?a=1#part`));
  expect({ ...visit.headers, 'keep-alive': undefined, connection: undefined }).toEqual({
    'content-type': 'text/plain',
    'content-length': '4',
    date: 'then',
    link: '<a>, <b>',
  });
  expect([visit.url.href, visit.status, visit.length, visit.redirects]).toEqual([
    `${origin}/page?a=1#part`,
    404,
    4,
    [],
  ]);
  expect((await readAll(visit)).toString()).toBe('none');
  expect(visit.wireBytes()).toBe(4);
  expect(visit.elapsedMs()).toBeGreaterThan(0);
});

test('programs and users have their own User-Agents, unless the operator gives one', async () => {
  const origin = await loopback.http((request, response) => response.end(request.headers['user-agent']));
  const web = loopback.web();
  expect(await read(web, origin)).toBe('Rootbound-Fetch/1.2.3 (autonomous)');
  expect(await read(web, origin, { identity: 'user' })).toBe('Rootbound-Fetch/1.2.3 (user-specified)');
  expect(await read(loopback.web({ userAgent: 'Mine/1' }), origin, { identity: 'user' })).toBe('Mine/1');
});

test('a body, a method and headers of the caller are sent', async () => {
  const origin = await loopback.http((request, response) => {
    response.write(`${request.method} ${String(request.headers['x-test'])} `);
    request.pipe(response);
  });
  const more = { method: 'post', headers: { 'X-Test': 'yes' }, body: Buffer.from('text') };
  expect(await read(loopback.web(), origin, more)).toBe('POST yes text');
});

test.each([
  ['authorization', 'a'],
  ['Cookie', 'a=1'],
  ['proxy-authorization', 'a'],
  ['host', 'other'],
  ['transfer-encoding', 'chunked'],
  ['x\r\ny', 'a'],
  ['x', 'a\r\nb: c'],
])('a caller may not set the header %j to %j, and nothing is sent', async (name, value) => {
  const requests = vi.fn();
  const origin = await loopback.http(requests);
  const error = await failureOf(loopback.web(), origin, { headers: { [name]: value } });
  expect([error.code, requests.mock.calls.length]).toEqual(['invalid-request', 0]);
});

test('an unsupported method is refused', async () => {
  const web = loopback.web();
  for (const method of ['CONNECT', 'TRACE', 'GET /x', ''])
    expect((await failureOf(web, 'http://localhost/', { method })).code).toBe('invalid-request');
});

test('a HEAD request has a length and no body', async () => {
  const origin = await loopback.http((_, response) =>
    response.setHeader('content-length', 5_000_000_000).end(),
  );
  const visit = await loopback.web().visit(asking(origin, { method: 'HEAD' }));
  expect([visit.length, (await readAll(visit)).length]).toEqual([5_000_000_000, 0]);
});

test.each([
  ['gzip', gzipSync('encoded')],
  ['x-gzip', gzipSync('encoded')],
  ['deflate', deflateSync('encoded')],
  ['deflate', deflateRawSync('encoded')],
  ['br', brotliCompressSync('encoded')],
  ['gzip, br', brotliCompressSync(gzipSync('encoded'))],
  ['GZIP , identity', gzipSync('encoded')],
  ['utf-8', Buffer.from('encoded')],
  ['gzip', Buffer.concat([gzipSync('enc'), gzipSync('oded')])],
])('the coding %s is decoded', async (encoding, bytes) => {
  const origin = await loopback.http((_, response) => {
    response.writeHead(200, { 'content-encoding': encoding, 'content-length': bytes.length }).end(bytes);
  });
  const visit = await loopback.web().visit(asking(origin));
  expect(visit.length).toBeUndefined();
  expect((await readAll(visit)).toString()).toBe('encoded');
  expect(visit.wireBytes()).toBe(bytes.length);
});

test('an encoded response without any bytes is an empty page', async () => {
  const origin = await loopback.http((request, response) => {
    response.writeHead(request.url === '/304' ? 304 : 200, { 'content-encoding': 'gzip' }).end();
  });
  const web = loopback.web();
  expect(await read(web, `${origin}/`)).toBe('');
  expect(await read(web, `${origin}/304`)).toBe('');
});

test('pages of one origin share a connection', async () => {
  const sockets = new Set<Socket>();
  const origin = await loopback.http((request, response) => {
    sockets.add(request.socket);
    response.end(request.url);
  });
  const web = loopback.web();
  for (const path of ['/1', '/2', '/3']) expect(await read(web, origin + path)).toBe(path);
  expect(sockets.size).toBe(1);
});

async function endlessPage(): Promise<{ origin: string; closed: () => boolean }> {
  let closed = false;
  const origin = await loopback.http((request: IncomingMessage, response: ServerResponse) => {
    request.socket.on('close', () => {
      closed = true;
    });
    const more = () => {
      while (!closed && response.write(Buffer.alloc(65_536)));
      if (!closed) response.once('drain', more);
    };
    more();
  });
  return { origin, closed: () => closed };
}

test('ending the iteration early closes the connection', async () => {
  const { origin, closed } = await endlessPage();
  const visit = await loopback
    .web()
    .visit(asking(origin, { limits: { wireBytes: Infinity, bodyBytes: Infinity } }));
  for await (const piece of visit.body) if (piece.length > 0) break;
  await vi.waitUntil(closed, { timeout: 120_000 });
});

test('a discarded response closes the connection, and has no body any more', async () => {
  const { origin, closed } = await endlessPage();
  const visit = await loopback.web().visit(asking(origin));
  visit.discard();
  await vi.waitUntil(closed, { timeout: 120_000 });
  await expect(readAll(visit)).rejects.toThrow('discarded');
});

test('a page that nobody reads is paused instead of kept in memory', async () => {
  const size = 16 * 1024 * 1024;
  const origin = await loopback.http((_, response) => {
    response.writeHead(200, { 'content-length': size }).end(Buffer.alloc(size));
  });
  const limits = { wireBytes: Infinity, bodyBytes: Infinity };
  const web = loopback.web();
  const visit = await web.visit(asking(origin, { limits }));
  await vi.waitUntil(() => visit.wireBytes() > 256 * 1024, { timeout: 120_000 });
  // another page of the same size would be received completely
  await read(web, await loopback.http((_, response) => response.end(Buffer.alloc(size))), { limits });
  expect(visit.wireBytes()).toBeLessThan(1024 * 1024);
  expect((await readAll(visit)).length).toBe(size);
});

function resolvers() {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

test('close ends pending visits, and nothing is fetched after it', async () => {
  const asked = resolvers();
  const ended = resolvers();
  const origin = await loopback.http((request) => {
    asked.resolve();
    request.socket.on('close', ended.resolve);
  });
  const web = loopback.web();
  const failure = failureOf(web, origin);
  await asked.promise;
  await web.close();
  expect((await failure).message).toBe('this server is closing');
  await ended.promise;
  expect((await failureOf(web, origin)).message).toBe('this server is closing');
});
