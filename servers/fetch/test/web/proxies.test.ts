import { connect, type Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { proxyFor, readProxies } from '../../src/web/proxies.ts';
import { asking, failureOf, Loopback, read } from './loopback.ts';

const loopback = new Loopback();
afterEach(() => loopback.close());

/** Starts a proxy that records its requests, and leads everything to loopback. */
async function proxy(status = 200): Promise<{ address: string; asked: string[]; open: Set<Socket> }> {
  const asked: string[] = [];
  const open = new Set<Socket>();
  const address = await loopback.raw((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.once('data', (bytes) => {
      const text = bytes.toString();
      const [, method = '', target = ''] = /^(\S+) (\S+)/.exec(text) ?? [];
      asked.push(`${method} ${target} ${/^proxy-authorization: (.*)$/im.exec(text)?.[1] ?? '-'}`);
      const port = Number(/:(\d+)/.exec(target.replace(/^https?:/, ''))?.[1]);
      if (status !== 200) {
        socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
        return;
      }
      const upstream = connect(port, '127.0.0.1');
      upstream.on('error', () => socket.destroy());
      if (method === 'CONNECT') socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      else upstream.write(bytes);
      upstream.pipe(socket).pipe(upstream);
      socket.on('close', () => upstream.destroy());
    });
  });
  return { address, asked, open };
}

const through = (address: string) => readProxies({ proxyUrl: address });

test('a page is requested through the proxy, with its password and not the name of the proxy', async () => {
  const { address, asked } = await proxy();
  const origin = await loopback.http((request, response) =>
    response.end(`${request.headers.host} ${request.url}`),
  );
  const web = loopback.web({ proxies: through(address.replace('//', '//user:p%40ss@')) });
  expect(await read(web, `${origin}/x?y`)).toBe(`${origin.slice(7)} ${origin}/x?y`);
  expect(asked).toEqual([`GET ${origin}/x?y Basic ${Buffer.from('user:p@ss').toString('base64')}`]);
});

test('the guard judges the target before the proxy is asked: its text and what its name resolves to here', async () => {
  const { address, asked } = await proxy();
  const guard = loopback.guard({
    allowPrivate: [],
    lookup: (_name, _options, done) => done(null, [{ address: '10.0.0.1', family: 4 }]),
  });
  const web = loopback.web({ proxies: through(address), guard });
  for (const url of [
    'http://127.0.0.1/',
    'http://[::ffff:10.0.0.1]/',
    'http://rebinding.example.com/',
    'https://rebinding.example.com/',
  ])
    expect((await failureOf(web, url)).code).toBe('address-refused');
  expect(asked).toEqual([]);
});

test('a name that is unknown here is left to the proxy', async () => {
  const { address, asked } = await proxy(502);
  const web = loopback.web({ proxies: through(address) });
  expect((await failureOf(web, 'https://unknown.example.com/')).code).toBe('proxy-failed');
  expect(asked).toEqual(['CONNECT unknown.example.com:443 -']);
});

test.each([403, 407, 502])(
  'a proxy that refuses with %i is distinguished from the site, without its name',
  async (status) => {
    const { address } = await proxy(status);
    const web = loopback.web({ proxies: through(address.replace('//', '//user:secret@')) });
    const error = await failureOf(web, 'https://unknown.example.com/');
    expect([error.code, error.message]).toEqual([
      'proxy-failed',
      `the proxy refused the connection with status ${status}`,
    ]);
    if (status === 407)
      expect((await failureOf(web, 'http://unknown.example.com/')).code).toBe('proxy-failed');
  },
);

test('an unreachable proxy is reported as such', async () => {
  const { address } = await proxy();
  await loopback.stop(Number(address.split(':')[2]));
  const error = await failureOf(
    loopback.web({ proxies: through(address.replace('//', '//user:secret@')) }),
    'https://unknown.example.com/',
  );
  expect([error.code, error.message]).toEqual(['proxy-failed', 'the proxy cannot be reached']);
  expect(JSON.stringify([error.hint, error.way])).not.toMatch(/secret|127\.|localhost/);
  expect(
    (await failureOf(loopback.web({ proxies: through(address) }), 'http://unknown.example.com/')).code,
  ).toBe('proxy-failed');
});

test.each(['before the proxy answers', 'within the tunnel'])(
  'cancelling %s closes the connection to it',
  async (stage) => {
    const open = new Set<Socket>();
    let asked = 0;
    const address = await loopback.raw((socket) => {
      open.add(socket);
      socket.on('close', () => open.delete(socket));
      socket.on('data', () => {
        asked++;
        if (stage === 'within the tunnel' && asked === 1) socket.write('HTTP/1.1 200 OK\r\n\r\n');
      });
    });
    const controller = new AbortController();
    const visit = loopback
      .web({ proxies: through(address) })
      .visit(asking('https://unknown.example.com/', { signal: controller.signal }));
    await vi.waitUntil(() => asked === (stage === 'within the tunnel' ? 2 : 1), { timeout: 120_000 });
    const given = new Error('given up');
    controller.abort(given);
    await expect(visit).rejects.toBe(given);
    await vi.waitUntil(() => open.size === 0, { timeout: 120_000 });
  },
);

test('robots.txt and redirects use the proxy as well', async () => {
  const { address, asked } = await proxy();
  const origin = await loopback.http((request, response) => {
    if (request.url!.endsWith('/a')) response.writeHead(302, { location: '/b' }).end();
    else response.end('');
  });
  await read(loopback.web({ proxies: through(address), ignoreRobots: false }), `${origin}/a`);
  expect(asked.map((line) => line.split(' ')[1])).toEqual([`${origin}/robots.txt`]);
});

test('the environment names proxies by scheme, and what is reached without them', () => {
  const proxies = readProxies({
    environment: {
      http_proxy: 'http://one.example:3128',
      HTTPS_PROXY: 'two.example:8080',
      NO_PROXY: 'localhost, .internal.org *.wild.org,example.com:8443,[::1]',
    },
  });
  const of = (url: string) => proxyFor(new URL(url), proxies)?.url.host;
  expect(of('http://a.org/')).toBe('one.example:3128');
  expect(of('https://a.org/')).toBe('two.example:8080');
  for (const url of [
    'http://localhost:81/',
    'https://a.internal.org/',
    'https://internal.org/',
    'https://b.wild.org/',
    'https://example.com:8443/',
    'http://[::1]:5/',
  ])
    expect([url, of(url)]).toEqual([url, undefined]);
  for (const url of ['https://example.com/', 'https://notinternal.org/'])
    expect(of(url)).toBe('two.example:8080');
  const all = readProxies({ environment: { ALL_PROXY: 'http://all.example', no_proxy: '*' } });
  expect([all.http?.url.host, proxyFor(new URL('http://a.org'), all)]).toEqual(['all.example', undefined]);
});

test('the command line takes precedence over the environment', () => {
  const proxies = readProxies({
    proxyUrl: 'http://mine.example',
    environment: { HTTPS_PROXY: 'http://other.example' },
  });
  expect(proxyFor(new URL('https://a.org'), proxies)?.url.host).toBe('mine.example');
});

test.each(['socks5://user:secret@proxy.example', 'http://user:secret@', ':secret:'])(
  '%j is not a proxy, and is not repeated',
  (value) => {
    expect(() => readProxies({ proxyUrl: value })).toThrow(/^--proxy-url/);
    expect(() => readProxies({ proxyUrl: value })).not.toThrow(/secret/);
  },
);
