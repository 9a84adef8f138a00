import { createServer } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { afterEach, expect, test, vi } from 'vitest';
import { readProxies } from '../../src/web/proxies.ts';
import { certificate } from './certificate.ts';
import { failureOf, Loopback, read } from './loopback.ts';

const loopback = new Loopback();
afterEach(() => loopback.close());

async function secure(name = 'localhost', days = '2') {
  const sockets: TLSSocket[] = [];
  const server = createServer(certificate(name, days), (request, response) => {
    sockets.push(request.socket as TLSSocket);
    response.end(`secure ${request.url}`);
  });
  server.on('tlsClientError', () => {});
  return { origin: `https://localhost:${await loopback.listen(server)}`, sockets };
}

test('a certificate without a trusted signer is refused by name, and nothing is requested', async () => {
  const { origin, sockets } = await secure();
  const error = await failureOf(loopback.web(), origin);
  expect([error.code, error.retryable, error.message]).toEqual([
    'tls-failed',
    false,
    'the certificate of localhost is self-signed',
  ]);
  expect(error.hint).toContain('NODE_EXTRA_CA_CERTS');
  expect(sockets).toEqual([]);
});

test("the operator may leave one host's certificate unchecked, and no other's", async () => {
  const { origin } = await secure();
  const web = loopback.web({ insecureTls: ['localhost'] });
  expect(await read(web, `${origin}/x`)).toBe('secure /x');
  expect((await failureOf(web, origin.replace('localhost', 'other.org'))).code).toBe('tls-failed');
});

test('a certificate may be accepted on one port only', async () => {
  const [one, other] = [await secure(), await secure()];
  const web = loopback.web({ insecureTls: [new URL(one.origin).host] });
  expect(await read(web, `${one.origin}/x`)).toBe('secure /x');
  expect((await failureOf(web, other.origin)).code).toBe('tls-failed');
});

test('HTTPS pages of one origin share a connection', async () => {
  const { origin, sockets } = await secure();
  const web = loopback.web({ insecureTls: ['localhost'] });
  for (const path of ['/1', '/2']) expect(await read(web, origin + path)).toBe(`secure ${path}`);
  expect(new Set(sockets).size).toBe(1);
});

test('a redirect from https to http is refused', async () => {
  const plain = await loopback.http((_, response) => response.end('plain'));
  const server = createServer(certificate('localhost', '2'), (_, response) =>
    response.writeHead(302, { location: plain }).end(),
  );
  const origin = `https://localhost:${await loopback.listen(server)}`;
  const error = await failureOf(loopback.web({ insecureTls: ['localhost'] }), origin);
  expect([error.code, error.message, error.way.status]).toEqual([
    'redirect-refused',
    `the page redirects from https to http, to ${plain}/`,
    302,
  ]);
});

test('a server that does not speak TLS is reported as such', async () => {
  const origin = await loopback.answering('HTTP/1.1 400 Bad Request\r\n\r\n');
  const error = await failureOf(loopback.web(), origin.replace('http', 'https'));
  expect([error.code, error.message]).toEqual(['tls-failed', 'localhost does not speak TLS on this port']);
});

test('a server that ends the handshake is reported without system codes', async () => {
  const origin = await loopback.raw((socket) => socket.once('data', () => socket.end()));
  const error = await failureOf(loopback.web(), origin.replace('http', 'https'));
  expect(error.code).toBe('connect-failed');
  expect(error.message).toBe('localhost closed the connection at once');
});

test('a certificate is verified through a proxy too', async () => {
  const { origin } = await secure();
  const targets = vi.fn();
  const { connect } = await import('node:net');
  const address = await loopback.raw((socket) => {
    socket.once('data', (bytes) => {
      const target = /^CONNECT (\S+)/.exec(bytes.toString())![1]!;
      targets(target);
      const upstream = connect(Number(target.split(':')[1]), '127.0.0.1');
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream
        .on('error', () => {})
        .pipe(socket)
        .pipe(upstream);
    });
  });
  const proxies = readProxies({ proxyUrl: address });
  expect((await failureOf(loopback.web({ proxies }), origin)).code).toBe('tls-failed');
  expect(await read(loopback.web({ proxies, insecureTls: ['localhost'] }), `${origin}/x`)).toBe('secure /x');
  expect(targets.mock.calls).toEqual([[origin.slice(8)], [origin.slice(8)]]);
});
