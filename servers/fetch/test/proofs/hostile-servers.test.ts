import type { Socket } from 'node:net';
import { createGzip, gzipSync } from 'node:zlib';
import { afterEach, expect, test, vi } from 'vitest';
import type { FailureCode } from '../../src/failure.ts';
import { type Failure, Ground } from '../ground.ts';
import { call } from '../harness.ts';
import { article } from '../site.ts';
import { Loopback } from '../web/loopback.ts';

interface Facts {
  content: string;
  failure?: Failure;
}

/** Handles a request as one kind of server. */
type Conduct = (socket: Socket, path: string) => void;

const ground = new Ground();
const loopback = new Loopback();
afterEach(() => loopback.close());

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n';
const CHUNKED = `${HEAD}transfer-encoding: chunked\r\n\r\n`;
const zeros = Buffer.alloc(65_536);

/** Writes repeatedly, as fast as it is read, with pauses of this length if given. */
function forever(socket: Socket, piece: () => string | Buffer, pauseMs?: number): void {
  const next = (): void => {
    if (socket.destroyed) return;
    const more = socket.write(piece());
    if (pauseMs !== undefined) setTimeout(next, pauseMs);
    else if (more) setImmediate(next);
    else socket.once('drain', next);
  };
  next();
}
const says =
  (bytes: string | Buffer): Conduct =>
  (socket) =>
    socket.end(bytes);
const bomb: Conduct = (socket) => {
  socket.write(`${HEAD}content-encoding: gzip\r\n\r\n`);
  const packer = createGzip();
  packer.pipe(socket);
  const fill = (): void => {
    if (socket.destroyed) packer.destroy();
    else if (packer.write(zeros)) setImmediate(fill);
    else packer.once('drain', fill);
  };
  fill();
};

/** Servers that never end a response. */
const endless: Readonly<Record<string, readonly [FailureCode, Conduct]>> = {
  silence: ['timeout', () => {}],
  'a head that drips': [
    'timeout',
    (socket) => forever(socket.write('HTTP/1.1 200 OK\r\nx: ') ? socket : socket, () => 'a', 5),
  ],
  'a body that drips': [
    'timeout',
    (socket) => {
      socket.write(CHUNKED);
      forever(socket, () => '1\r\na\r\n', 5);
    },
  ],
  'early hints without end': [
    'invalid-response',
    (socket) => forever(socket, () => 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'),
  ],
  'a head without end': [
    'too-large',
    (socket) => {
      let at = 0;
      socket.write('HTTP/1.1 200 OK\r\n');
      forever(socket, () => `x-${at++}: ${'a'.repeat(500)}\r\n`);
    },
  ],
  'one field without end': [
    'too-large',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nx: ');
      forever(socket, () => 'a'.repeat(5000));
    },
  ],
  'a stream without end': [
    'too-large',
    (socket) => {
      socket.write(`${HEAD}\r\n`);
      forever(socket, () => zeros);
    },
  ],
  'chunks of one byte without end': [
    'too-large',
    (socket) => {
      socket.write(CHUNKED);
      forever(socket, () => '1\r\na\r\n'.repeat(20_000));
    },
  ],
  'a bomb': ['too-large', bomb],
  'chunks that say more of themselves than they hold': [
    'too-large',
    (socket) => {
      socket.write(CHUNKED);
      forever(socket, () => `1;${'a'.repeat(20_000)}\r\na\r\n`);
    },
  ],
  'a maze of redirects': [
    'too-many-redirects',
    (socket, path) =>
      socket.end(
        `HTTP/1.1 302 Found\r\nlocation: ${path}x\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`,
      ),
  ],
};

/** Returns a client that may reach a server with this behaviour, which begins on demand. */
async function meet(conduct: Conduct, begins: Promise<void> = Promise.resolve()) {
  const sockets: Socket[] = [];
  const requests: string[] = [];
  const origin = await loopback.raw((socket) => {
    sockets.push(socket);
    socket.on('data', (bytes) => {
      requests.push(String(bytes));
      void begins.then(() => conduct(socket, String(bytes).split(' ')[1]!));
    });
  });
  // the newest revision has no ping
  const client = await ground.client({
    revision: '2025-11-25',
    extra: { 'allow-private': [new URL(origin).host], 'ignore-robots-txt': true },
  });
  return { client, sockets, requests, url: `${origin}/` };
}

test.each(Object.entries(endless))(
  '%s is given up, its connection closed, and others are answered before',
  async (_, [code, conduct]) => {
    let begin = (): void => {};
    const begins = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const { client, sockets, requests, url } = await meet(conduct, begins);
    const order: string[] = [];
    const page = call<Facts>(client, 'fetch', { url, timeout_ms: code === 'timeout' ? 2000 : 120_000 });
    const fetched = page.then(() => order.push('page'));
    await vi.waitUntil(() => requests.length > 0, { timeout: 120_000 });
    const pinged = client.ping().then(() => order.push('ping'));
    begin();
    await Promise.all([fetched, pinged]);
    expect(order).toEqual(['ping', 'page']);
    const { failed, facts, text } = await page;
    expect([failed, facts.failure?.code]).toEqual([true, code]);
    expect(text).toContain(facts.failure!.message);
    await vi.waitUntil(() => sockets.every((socket) => socket.destroyed), { timeout: 120_000 });
  },
);

const page = article(1);
const packed = gzipSync(page);

test.each<[string, FailureCode, Conduct]>([
  [
    'a bomb in a bomb',
    'too-large',
    says(
      Buffer.concat([
        Buffer.from(`${HEAD}content-encoding: gzip, gzip\r\n\r\n`),
        gzipSync(gzipSync(Buffer.alloc(2 ** 25))),
      ]),
    ),
  ],
  ['a head that is cut', 'connection-cut', says('HTTP/1.1 200 OK\r\ncontent-ty')],
  [
    'a body that is shorter than its length',
    'connection-cut',
    says(`${HEAD}content-length: 100\r\n\r\n<p>tea`),
  ],
  ['chunks that are cut', 'connection-cut', says(`${CHUNKED}ff\r\n<p>tea`)],
  [
    'a packed body that is cut',
    'connection-cut',
    says(Buffer.concat([Buffer.from(`${HEAD}content-encoding: gzip\r\n\r\n`), packed.subarray(0, 200)])),
  ],
  [
    'a body that is not packed as it says',
    'invalid-response',
    says(`${HEAD}content-encoding: gzip\r\n\r\n<p>tea`),
  ],
  ['two lengths', 'invalid-response', says(`${HEAD}content-length: 3\r\ncontent-length: 4\r\n\r\nteas`)],
  [
    'a length beside chunks',
    'invalid-response',
    says(`${HEAD}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`),
  ],
  ['an answer that is none of HTTP', 'invalid-response', says('220 mail.example.org ESMTP\r\n')],
  [
    'six codings on top of each other',
    'invalid-response',
    says(`${HEAD}content-encoding: ${Array(6).fill('gzip').join(',')}\r\n\r\n`),
  ],
])('%s is a failure with its own code', async (_, code, conduct) => {
  const { client, url } = await meet(conduct);
  const { failed, facts } = await call<Facts>(client, 'fetch', { url });
  expect([failed, facts.failure?.code, facts.failure?.retryable]).toEqual([
    true,
    code,
    code === 'connection-cut',
  ]);
});

test.each<[string, Conduct]>([
  ['HTTP/1.0 without a length', says(`HTTP/1.0 200 OK\r\ncontent-type: text/html\r\n\r\n${page}`)],
  [
    'early hints before it',
    says(
      `HTTP/1.1 103 Early Hints\r\nlink: </a.css>\r\n\r\n${HEAD}content-length: ${page.length}\r\n\r\n${page}`,
    ),
  ],
  [
    'more behind it than its length',
    says(`${HEAD}content-length: ${page.length}\r\n\r\n${page}HTTP/1.1 200 OK\r\n\r\nforged`),
  ],
  [
    'five codings',
    says(
      Buffer.concat([
        Buffer.from(`${HEAD}content-encoding: ${Array(5).fill('gzip').join(', ')}\r\n\r\n`),
        gzipSync(gzipSync(gzipSync(gzipSync(packed)))),
      ]),
    ),
  ],
  [
    'a Refresh field, which leads nowhere',
    says(`${HEAD}refresh: 0; url=http://169.254.169.254/\r\n\r\n${page}`),
  ],
  [
    'a byte at a time',
    (socket) => {
      const bytes = Buffer.from(`${HEAD}content-length: ${page.length}\r\n\r\n${page}`);
      for (const byte of bytes) socket.write(Buffer.of(byte));
    },
  ],
])('a page with %s is read', async (_, conduct) => {
  const { client, url, requests } = await meet(conduct);
  const { facts } = await call<Facts>(client, 'fetch', { url });
  expect(facts.content).toContain('Section 0 speaks');
  expect(facts.content).not.toContain('forged');
  expect(requests.length).toBe(1);
});

test('nothing in a URL or a header becomes a line of the request', async () => {
  const { client, url, requests } = await meet(
    says(`${HEAD}content-length: 3\r\nconnection: close\r\n\r\ntea`),
  );
  for (const injected of ['\r\nx-injected: 1', '%0d%0ax-injected: 1', '\u560d\u560ax-injected: 1'])
    await call(client, 'fetch', { url: `${url}a${injected}`, max_age: 0 });
  const { facts } = await call<Facts>(client, 'request', {
    url,
    method: 'GET',
    headers: { 'x-a': 'b\r\nx-injected: 1' },
  });
  expect(facts.failure?.code).toBe('invalid-request');
  expect(requests.length).toBe(3);
  for (const request of requests) expect(request).not.toMatch(/^x-injected/im);
});

test('a response header with an encoded line break adds no other header', async () => {
  const { client, url, requests } = await meet((socket, path) =>
    socket.end(
      path === '/'
        ? 'HTTP/1.1 302 Found\r\nlocation: /b%0d%0ax-injected:%201\r\nconnection: close\r\n\r\n'
        : `${HEAD}\r\n${page}`,
    ),
  );
  await call(client, 'fetch', { url });
  expect(requests.map((request) => request.split('\r\n')[0])).toEqual([
    'GET / HTTP/1.1',
    'GET /b%0d%0ax-injected:%201 HTTP/1.1',
  ]);
});
