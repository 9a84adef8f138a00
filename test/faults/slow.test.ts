import type { Client } from '@rootbound/protocol/client';
import { webSocket } from '@rootbound/protocol/ws';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { Audit } from './audit.ts';
import { Mirror } from './mirror.ts';
import type { FaultProxy } from './proxy.ts';
import { openSite, type Site } from './site.ts';
import { connectTo, proxied, proxyFor, transportOf, type Way, wayNamed } from './ways.ts';

const full = process.env.ROOTBOUND_FULL === '1';
const MiB = 1024 * 1024;
/** Characters of an answer are ten bytes each time. */
const TENTH = 10;

let site: Site;
beforeAll(async () => {
  site = await openSite();
  site.write('a', 'b');
  await site.start();
});
afterAll(() => site.close());

interface User {
  client: Client;
  proxy: FaultProxy;
  port: number;
}

async function use(way: Way, to = site): Promise<User> {
  const { proxy, at } = await proxyFor(way, to);
  const client = await connectTo(transportOf(way, to, at), way);
  onTestFinished(async () => {
    proxy.resume();
    await client.close();
    await proxy.close();
  });
  return { client, proxy, port: 'port' in at ? at.port : 0 };
}

describe.each(proxied)('over $name', (way) => {
  test('what comes byte by byte is the same as what comes at once', async () => {
    const { client, proxy } = await use(way);
    const audit = new Audit();
    proxy.dribbles = true;
    const calls = [{ size: full ? 500 : 20 }, { steps: 3, size: 5 }, {}].map((args) =>
      audit.call(client, args),
    );
    const ids = await Promise.all(calls);
    expect(audit.faults(site.ledger())).toEqual([]);
    expect([audit.answered, audit.stepsOf(ids[1]!)]).toEqual([3, ['1', '2', '3']]); // the second
  });

  test('who does not read delays nobody else, costs the server no more than a bounded amount, and misses nothing', async () => {
    const [slow, other] = await Promise.all([use(way), use(way)]);
    const mirror = new Mirror(slow.client, site);
    await mirror.follow('a', 'b');
    const audit = new Audit();
    const before = (await site.tell({ do: 'measure' })) as number;
    slow.proxy.stall('down');
    const many = full ? 100 : 20;
    const calls = Array.from({ length: many }, () => audit.call(slow.client, { size: MiB / TENTH }));
    for (let i = 0; i < 50; i++) await site.touch('a');
    for (let i = 0; i < 20; i++) await audit.call(other.client);
    expect(audit.answered).toBe(20);
    const grown = (((await site.tell({ do: 'measure' })) as number) - before) / MiB;
    console.log(way.name, grown);
    await site.touch('b');
    slow.proxy.resume();
    await Promise.all(calls);
    await mirror.shows('a', 'b');
    expect(audit.faults(site.ledger())).toEqual([]);
    expect(audit.answered).toBe(many + 20);
  });

  test('a call that gets no answer ends in a timeout, and the next one is answered', async () => {
    const { client, proxy } = await use(way);
    const audit = new Audit();
    const id = audit.begin();
    const armed = proxy.arm({
      way: 'down',
      after: 10,
      ending: 'stall',
      ...(way.kind === 'http' && { marker: id }),
      ...(way.kind === 'sse' && { last: 'GET /sse' }),
    });
    await audit.follow(id, client, {}, { timeout: 50 });
    expect([armed.struck, audit.errorOf(id)]).toEqual([true, expect.objectContaining({ reason: 'timeout' })]);
    proxy.disarm();
    proxy.resume();
    const next = await audit.call(client);
    expect(audit.isAnswered(next)).toBe(true);
    expect(audit.faults(site.ledger())).toEqual([]);
  });
});

test('a WebSocket whose other end is gone without a word is given up by its pings, and opened again', async () => {
  const way = wayNamed('WebSocket, handshake');
  const { proxy, at } = await proxyFor(way, site);
  const url = `ws://127.0.0.1:${'port' in at ? at.port : 0}/ws`;
  let reopened: () => void = () => {};
  const again = new Promise<void>((resolve) => {
    reopened = resolve;
  });
  const client = await connectTo(webSocket(url, { pingInterval: 20 }), way, { onReopen: () => reopened() });
  onTestFinished(async () => {
    await client.close();
    await proxy.close();
  });
  const mirror = new Mirror(client, site);
  await mirror.follow('a');
  const audit = new Audit();
  proxy.stall('up', 'down');
  const lost = audit.call(client);
  await site.touch('a');
  expect(audit.errorOf(await lost)).toMatchObject({ message: 'the other side no longer answers' });
  await lost;
  proxy.resume();
  await again;
  await mirror.shows('a');
  expect(audit.faults(site.ledger())).toEqual([]);
});

describe('a server whose patience is short', () => {
  let hasty: Site;
  beforeAll(async () => {
    hasty = await openSite({ stallTimeout: 100 });
    hasty.write('a');
    await hasty.start();
  });
  afterAll(() => hasty.close());

  test.each(proxied.filter(({ kind }) => kind !== 'socket'))(
    'cuts off who reads nothing, over $name',
    async (way) => {
      const { client, proxy } = await use(way, hasty);
      const audit = new Audit();
      await audit.call(client);
      proxy.stall('down');
      const calls = Array.from({ length: 4 }, () => audit.call(client, { size: (16 * MiB) / TENTH }));
      await hasty.fills(8 * MiB);
      await hasty.emptied();
      proxy.resume();
      await Promise.all(calls);
      expect(audit.faults(hasty.ledger())).toEqual([]);
      expect(audit.isAnswered(await audit.call(client))).toBe(true);
    },
  );
});

describe.each(proxied)(
  'a client whose connections are gone, of which the server knows nothing, over $name,',
  (way) => {
    test('goes on over others: it misses no change, and what it does is done once', async () => {
      const { client, proxy } = await use(way);
      const mirror = new Mirror(client, site);
      await mirror.follow('a', 'b');
      // a stream is taken up after something that was heard on it
      await site.touch('a');
      await mirror.shows('a');
      const audit = new Audit();
      const held = [audit.call(client, { hold: true }), audit.call(client, { hold: true, steps: 1 })];
      await site.holds(held.length);
      proxy.cut(true);
      await site.touch('a');
      await site.tell({ do: 'release' });
      await Promise.all(held);
      await site.touch('b');
      await mirror.shows('a', 'b');
      expect(audit.faults(site.ledger())).toEqual([]);
      expect(audit.isAnswered(await audit.call(client))).toBe(true);
    });
  },
);
