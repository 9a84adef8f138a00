import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Guard, type GuardOptions } from '../../src/guard/guard.ts';
import { FilteringProxy, type ProxyRules } from '../../src/rendering/filtering-proxy.ts';
import { readProxies } from '../../src/web/proxies.ts';
import { Resolver, tableLookup } from '../guard/resolver.ts';
import { Listener } from '../rendering/listener.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function listener(): Promise<Listener> {
  const made = new Listener();
  await made.start();
  closing.push(() => made.close());
  return made;
}

async function proxyFor(guard: GuardOptions, rules: Partial<ProxyRules> = {}): Promise<FilteringProxy> {
  const usual = { guard: new Guard(guard), proxies: undefined, bytes: 1_000_000 };
  const proxy = await FilteringProxy.open({ ...usual, ...rules });
  closing.push(() => proxy.close());
  return proxy;
}

/** Returns a connection to a proxy, after this was sent. */
function speak(proxy: FilteringProxy, head: string, password: string | undefined = proxy.password): Socket {
  const socket = connect(Number(new URL(proxy.address).port), '127.0.0.1');
  socket.on('error', () => {});
  const basic = Buffer.from(`${proxy.username}:${password}`).toString('base64');
  const field = password === '' ? '' : `Proxy-Authorization: Basic ${basic}\r\n`;
  socket.write(`${head}\r\n${field}\r\n`);
  closing.push(() => socket.destroy());
  return socket;
}

/** Reads everything to the end. */
async function answerOf(socket: Socket): Promise<string> {
  const pieces: Buffer[] = [];
  socket.on('data', (bytes: Buffer) => pieces.push(bytes));
  await closed(socket);
  return Buffer.concat(pieces).toString('latin1');
}

/** Starts a host that responds to every request with these bytes. */
async function answering(bytes: string): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(bytes, 'latin1'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  return `localhost:${(server.address() as AddressInfo).port}`; // it listens on a port
}

const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => socket.once('close', () => resolve()));
const get = (url: string): string => `GET ${url} HTTP/1.1\r\nHost: x\r\nConnection: close`;
const tunnel = (to: string): string => `CONNECT ${to} HTTP/1.1\r\nHost: ${to}`;

describe('a proxy of a browser', () => {
  test('serves only clients with its password', async () => {
    const site = await listener();
    const host = `localhost:${site.port}`;
    const proxy = await proxyFor({ allowPrivate: [host] });
    proxy.allow(new URL(`http://${host}`));
    for (const password of ['', 'guess', proxy.password.slice(1)])
      for (const head of [get(`http://${host}/stranger`), tunnel(host)])
        expect(await answerOf(speak(proxy, head, password))).toMatch(/^HTTP\/1.1 407 /);
    expect(site.connections).toBe(0);
    expect(await answerOf(speak(proxy, get(`http://${host}/known`)))).toMatch(/^HTTP\/1.1 200 [\s\S]*ok$/);
    const through = speak(proxy, tunnel(host));
    await once(through, 'data');
    through.write('GET /tunnel HTTP/1.1\r\n\r\n');
    expect(await answerOf(through)).toMatch(/ok$/);
    expect(site.asked).toEqual(['GET /known', 'GET /tunnel']);
  });

  test.each(['GET', 'CONNECT'])('judges what a name leads to when it connects, for %s', async (method) => {
    const site = await listener();
    const name = `rebinding.example.com:${site.port}`;
    const ask = (proxy: FilteringProxy): Socket => {
      proxy.allow(new URL(`http://${name}/`));
      return speak(proxy, method === 'GET' ? get(`http://${name}/page`) : tunnel(name));
    };
    const resolver = new Resolver([['127.0.0.1']]);
    const ports = { allowPorts: [site.port], lookup: resolver.lookup };
    const proxy = await proxyFor(ports);
    expect(await answerOf(ask(proxy))).not.toMatch(/ 200 /);
    expect(proxy.failureAt(new URL(`http://${name}/`))?.code).toBe('address-refused');
    expect([site.connections, resolver.lookups]).toEqual([0, 1]);
    const open = await proxyFor({ ...ports, allowPrivate: [name] });
    ask(open);
    await vi.waitUntil(() => site.connections === 1, { timeout: 120_000 });
  });

  test.each([
    '169.254.169.254',
    '10.0.0.1',
    '[::1]',
    '[::ffff:7f00:1]',
    'metadata.google.internal',
    'localhost',
  ])('reaches %s by no kind of request', async (host) => {
    const proxy = await proxyFor({ lookup: tableLookup({}) });
    proxy.allow(new URL(`http://${host}/`));
    proxy.allow(new URL(`https://${host}/`));
    expect(await answerOf(speak(proxy, get(`http://${host}/`)))).toBe('');
    expect(await answerOf(speak(proxy, tunnel(`${host}:443`)))).toMatch(/^HTTP\/1.1 502 /);
    for (const scheme of ['http', 'https'])
      expect(proxy.failureAt(new URL(`${scheme}://${host}/`))?.code).toBe('address-refused');
  });

  test('connects to a host only after a request to it was allowed', async () => {
    const site = await listener();
    const host = `localhost:${site.port}`;
    const proxy = await proxyFor({ allowPrivate: [host] });
    const early = speak(proxy, tunnel(host));
    await once(early, 'connect');
    // requested later, and answered
    const other = await listener();
    const later = `localhost:${other.port}`;
    const second = await proxyFor({ allowPrivate: [later] });
    second.allow(new URL(`http://${later}`));
    await answerOf(speak(second, get(`http://${later}/`)));
    expect(site.connections).toBe(0);
    proxy.allow(new URL(`http://${host}`));
    const [output] = (await once(early, 'data')) as [Buffer];
    expect(output.toString()).toMatch(/^HTTP\/1.1 200 /);
    expect(site.connections).toBe(1);
  });

  test('closes when it received more bytes than one page may load', async () => {
    const site = await listener();
    const host = `localhost:${site.port}`;
    const proxy = await proxyFor({ allowPrivate: [host] }, { bytes: 1 });
    proxy.allow(new URL(`http://${host}`));
    const idle = speak(proxy, tunnel(host));
    await once(idle, 'data');
    const ended = closed(idle);
    await answerOf(speak(proxy, get(`http://${host}/`)));
    await ended;
    expect(proxy.wireBytes).toBeGreaterThan(1);
  });

  test.each(['GET', 'CONNECT'])('uses the proxy of the operator, for %s', async (method) => {
    const upstream = await listener();
    const operator = `http://user:word@127.0.0.1:${upstream.port}`;
    const rules = { proxies: readProxies({ proxyUrl: operator }) };
    const proxy = await proxyFor({ lookup: tableLookup({ 'private.example.com': '10.0.0.1' }) }, rules);
    const ask = async (host: string): Promise<string> => {
      proxy.allow(new URL(`http://${host}:80`));
      return await answerOf(
        speak(proxy, method === 'GET' ? get(`http://${host}/page`) : tunnel(`${host}:80`)),
      );
    };
    for (const host of ['private.example.com', '10.0.0.1', '[::ffff:a00:1]']) await ask(host);
    expect(upstream.connections).toBe(0);
    await ask('public.example.com');
    const line = method === 'GET' ? 'GET http://public.example.com/page' : 'CONNECT public.example.com:80';
    expect(upstream.asked).toEqual([line]);
  });

  describe('forwards no response with an invalid status, and serves the next request', () => {
    const ok = (head: string): string => `HTTP/1.1 ${head}\r\nContent-Length: 2\r\n\r\nok`;
    const fault = 'invalid-response';
    const statuses = [0, 1, 10, 42, 99].map((status) => String(status).padStart(3, '0'));
    const informal = ['100 Continue', '102 Processing', '103 Early Hints', '199 Later'];
    test.each<[string, string, string | undefined, RegExp]>([
      ...statuses.map(
        (status) =>
          [`status ${status}`, ok(`${status} Odd`), fault, /^$/] as [string, string, string, RegExp],
      ),
      ['a status of four digits', ok('1000 Odd'), fault, /^$/],
      ['no status', ok(''), fault, /^$/],
      ['status 101 that nobody asked for', ok('101 Switching Protocols'), fault, /^$/],
      [
        'status 101 with an upgrade',
        'HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n',
        fault,
        /^$/,
      ],
      ['status 999', ok('999 Odd'), undefined, /^HTTP\/1\.1 999 Odd[\s\S]*ok$/],
      ['a reason with a control character', ok('200 O\x01K'), undefined, /^HTTP\/1\.1 200 OK\r[\s\S]*ok$/],
      [
        'a reason with a letter of latin1',
        ok('200 \xe9t\xe9'),
        undefined,
        /^HTTP\/1\.1 200 \xe9t\xe9\r[\s\S]*ok$/,
      ],
      [
        'a reason of 10,000 letters',
        ok(`200 ${'x'.repeat(10_000)}`),
        undefined,
        /^HTTP\/1\.1 200 x+\r[\s\S]*ok$/,
      ],
      ['a field with latin1', ok('200 OK\r\nX-Odd: \xff\xe9'), undefined, /x-odd: \xff\xe9\r[\s\S]*ok$/i],
      ['a field with a control character', ok('200 OK\r\nX-Odd: a\x01b'), fault, /^$/],
      ['a field with a NUL', ok('200 OK\r\nX-Odd: a\0b'), fault, /^$/],
      ['a field without a name', ok('200 OK\r\n: x'), fault, /^$/],
      ['a name with a blank', ok('200 OK\r\nX Odd: x'), fault, /^$/],
      [
        'fields named as members of objects',
        ok('200 OK\r\n__proto__: x\r\nconstructor: y'),
        undefined,
        / 200 OK[\s\S]*ok$/,
      ],
      ['two lengths', ok('200 OK\r\nContent-Length: 1'), fault, /^$/],
      [
        'a length beyond numbers',
        `HTTP/1.1 200 OK\r\nContent-Length: ${'9'.repeat(40)}\r\n\r\nok`,
        fault,
        /^$/,
      ],
      ['a body beyond its length', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nok', fault, /^$/],
      [
        'trailers',
        'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-T\r\n\r\n2\r\nok\r\n0\r\nX-T: \xff\r\n\r\n',
        undefined,
        / 200 OK[\s\S]*ok/,
      ],
      [
        'a chunk of a hostile size',
        `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${'f'.repeat(17)}\r\nok`,
        fault,
        /^$/,
      ],
      ['a body where there is none', ok('204 No Content'), fault, /^$/],
      ['not modified with a body', ok('304 Not Modified'), fault, /^$/],
      ...informal.map(
        (line) =>
          [`${line} first`, `HTTP/1.1 ${line}\r\n\r\n${ok('200 OK')}`, undefined, / 200 OK[\s\S]*ok$/] as [
            string,
            string,
            undefined,
            RegExp,
          ],
      ),
      ['nothing', '', 'connection-cut', /^$/],
      ['no HTTP', 'SSH-2.0-odd\r\n', fault, /^$/],
    ])('%s', async (_, bytes, code, passed) => {
      const host = await answering(bytes);
      const site = await listener();
      const proxy = await proxyFor({ allowPrivate: [host, `localhost:${site.port}`] });
      for (const reached of [host, `localhost:${site.port}`]) proxy.allow(new URL(`http://${reached}`));
      expect(await answerOf(speak(proxy, get(`http://${host}/`)))).toMatch(passed);
      expect(proxy.failureAt(new URL(`http://${host}/`))?.code).toBe(code);
      expect(await answerOf(speak(proxy, get(`http://localhost:${site.port}/`)))).toMatch(/ok$/);
    });
  });
});
