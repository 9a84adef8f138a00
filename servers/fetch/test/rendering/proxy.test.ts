import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Guard, type GuardOptions } from '../../src/guard/guard.ts';
import { FilteringProxy, type ProxyRules } from '../../src/rendering/filtering-proxy.ts';
import { readProxies } from '../../src/web/proxies.ts';
import { Resolver, tableLookup } from '../guard/resolver.ts';
import { Listener } from './listener.ts';

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

/** A connection to a proxy that has said this. */
function speak(proxy: FilteringProxy, head: string, password: string | undefined = proxy.password): Socket {
  const socket = connect(Number(new URL(proxy.address).port), '127.0.0.1');
  socket.on('error', () => {});
  const basic = Buffer.from(`${proxy.username}:${password}`).toString('base64');
  const field = password === '' ? '' : `Proxy-Authorization: Basic ${basic}\r\n`;
  socket.write(`${head}\r\n${field}\r\n`);
  closing.push(() => socket.destroy());
  return socket;
}

/** All that comes until the end. */
async function answerOf(socket: Socket): Promise<string> {
  const pieces: Buffer[] = [];
  socket.on('data', (bytes: Buffer) => pieces.push(bytes));
  await closed(socket);
  return Buffer.concat(pieces).toString('latin1');
}

const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => socket.once('close', () => resolve()));
const get = (url: string): string => `GET ${url} HTTP/1.1\r\nHost: x\r\nConnection: close`;
const tunnel = (to: string): string => `CONNECT ${to} HTTP/1.1\r\nHost: ${to}`;

describe('a proxy of a browser', () => {
  test('serves whoever has its password, and nobody else', async () => {
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
    await vi.waitUntil(() => site.connections === 1);
  });

  test.each([
    '169.254.169.254',
    '10.0.0.1',
    '[::1]',
    '[::ffff:7f00:1]',
    'metadata.google.internal',
    'localhost',
  ])('reaches %s by no way of asking', async (host) => {
    const proxy = await proxyFor({ lookup: tableLookup({}) });
    proxy.allow(new URL(`http://${host}/`));
    proxy.allow(new URL(`https://${host}/`));
    expect(await answerOf(speak(proxy, get(`http://${host}/`)))).toBe('');
    expect(await answerOf(speak(proxy, tunnel(`${host}:443`)))).toMatch(/^HTTP\/1.1 502 /);
    for (const scheme of ['http', 'https'])
      expect(proxy.failureAt(new URL(`${scheme}://${host}/`))?.code).toBe('address-refused');
  });

  test('connects to a host when a request to it was judged, and not before', async () => {
    const site = await listener();
    const host = `localhost:${site.port}`;
    const proxy = await proxyFor({ allowPrivate: [host] });
    const early = speak(proxy, tunnel(host));
    await once(early, 'connect');
    // asked later, and answered
    const other = await listener();
    const later = `localhost:${other.port}`;
    const second = await proxyFor({ allowPrivate: [later] });
    second.allow(new URL(`http://${later}`));
    await answerOf(speak(second, get(`http://${later}/`)));
    expect(site.connections).toBe(0);
    proxy.allow(new URL(`http://${host}`));
    const [said] = (await once(early, 'data')) as [Buffer];
    expect(said.toString()).toMatch(/^HTTP\/1.1 200 /);
    expect(site.connections).toBe(1);
  });

  test('closes when more has come than one page may load', async () => {
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

  test.each(['GET', 'CONNECT'])('goes through the proxy of the operator, for %s', async (method) => {
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
});
