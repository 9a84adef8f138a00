import { afterEach, expect, test } from 'vitest';
import { toWebError } from '../../src/web/failures.ts';
import type { Visit } from '../../src/web/visit.ts';
import { failureOf, Loopback } from './loopback.ts';

const loopback = new Loopback();
afterEach(() => loopback.close());

test('a name without address and a port without server have their own codes and hints', async () => {
  const web = loopback.web();
  const unknown = await failureOf(web, 'http://unknown.example.com/');
  expect([unknown.code, unknown.message, unknown.hint]).toEqual([
    'name-not-found',
    'no IP address was found for unknown.example.com',
    'check the spelling of the host name',
  ]);
  const port = Number((await loopback.http(() => {})).split(':')[2]);
  await loopback.stop(port);
  const refused = await failureOf(web, `http://localhost:${port}/`);
  expect([refused.code, refused.retryable, refused.message]).toEqual([
    'connect-failed',
    true,
    'localhost refuses connections',
  ]);
});

const failing = (code: string) => Object.assign(new Error(`connect ${code} 10.1.2.3:80`), { code });

test.each([
  ['ENOTFOUND', 'name-not-found'],
  ['EAI_AGAIN', 'name-not-found'],
  ['ECONNREFUSED', 'connect-failed'],
  ['ETIMEDOUT', 'connect-failed'],
  ['EHOSTUNREACH', 'connect-failed'],
  ['ENETUNREACH', 'connect-failed'],
  ['ECONNRESET', 'connect-failed'],
  ['ESOMETHING', 'connect-failed'],
  ['EMFILE', 'busy'],
  ['CERT_HAS_EXPIRED', 'tls-failed'],
  ['CERT_NOT_YET_VALID', 'tls-failed'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls-failed'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls-failed'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'tls-failed'],
  ['INVALID_CA', 'connect-failed'],
  ['CERT_SIGNATURE_FAILURE', 'tls-failed'],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'tls-failed'],
  ['EPROTO', 'tls-failed'],
])('%s while connecting means %s, without addresses in the message', (code, expected) => {
  const alone = toWebError(failing(code), 'example.org', false);
  const among = toWebError(
    new AggregateError([failing(code), failing('ECONNREFUSED')]),
    'example.org',
    false,
  );
  for (const error of [alone, among]) {
    expect([error.code, error.cause]).toEqual([expected, undefined]);
    expect(error.message).not.toMatch(/10\.1|undefined|\n/);
  }
});

test('an unknown failure of an open connection is a cut', () => {
  for (const code of ['ESOMETHING', 'ECONNRESET', 'EPIPE'])
    expect(toWebError(failing(code), 'example.org', true).code).toBe('connection-cut');
  expect(toWebError('thrown', 'example.org', true).code).toBe('connection-cut');
});

test('a failure in the body has the redirects', async () => {
  const origin = await loopback.raw((socket) => {
    socket.on('data', (bytes) => {
      if (bytes.toString().startsWith('GET /from'))
        socket.write('HTTP/1.1 301 M\r\ncontent-length: 0\r\nlocation: /to\r\n\r\n');
      else socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nshort');
    });
  });
  const error = await failureOf(loopback.web(), `${origin}/from`);
  expect(error.way).toEqual({
    finalUrl: `${origin}/to`,
    status: 200,
    redirects: [{ url: `${origin}/from`, status: 301 }],
    elapsedMs: expect.any(Number) as Visit['length'],
  });
});
