import { webSocket } from '@rootbound/protocol/ws';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { Audit } from './audit.ts';
import { Mirror } from './mirror.ts';
import { openSite, type Site } from './site.ts';
import { answerFault, connectTo, proxied, proxyFor, transportOf, wayNamed } from './ways.ts';

let site: Site;
beforeAll(async () => {
  site = await openSite();
  site.write('a', 'b');
  await site.start();
});
afterAll(() => site.close());

describe.each(proxied)('over $name', (way) => {
  test('a call that the server does not answer ends in a timeout, and the next one is answered', async () => {
    const { proxy, at } = await proxyFor(way, site);
    onTestFinished(() => proxy.close());
    const client = await connectTo(transportOf(way, site, at), way);
    onTestFinished(() => client.close());
    const audit = new Audit();
    // on a busy machine the answer may take longer to reach the fault
    for (let timeout = 50, isStruck = false; !isStruck; timeout *= 2) {
      const id = audit.begin();
      const armed = proxy.arm({ way: 'down', after: 10, ending: 'stall', ...answerFault(way, id) });
      await audit.follow(id, client, {}, { timeout });
      expect(audit.errorOf(id)).toMatchObject({ reason: 'timeout' });
      isStruck = armed.struck;
    }
    proxy.disarm();
    // a late answer is ignored
    proxy.resume();
    const next = await audit.call(client);
    expect(audit.faults(site.ledger())).toEqual([]);
    expect(audit.isAnswered(next)).toBe(true);
  });

  test('a client whose connections are lost continues over others, without a notice to the server', async () => {
    const { proxy, at } = await proxyFor(way, site);
    onTestFinished(() => proxy.close());
    const client = await connectTo(transportOf(way, site, at), way);
    onTestFinished(() => client.close());
    const mirror = new Mirror(client, site);
    await mirror.follow('a', 'b');
    // a stream is resumed after a received event
    await site.touch('a');
    await mirror.hears('a');
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
    const next = await audit.call(client);
    expect(audit.faults(site.ledger())).toEqual([]);
    expect(audit.isAnswered(next)).toBe(true);
  });
});

test('a WebSocket with a silently lost peer is closed after unanswered pings, and opened again', async () => {
  const way = wayNamed('WebSocket, handshake');
  const { proxy, at } = await proxyFor(way, site);
  onTestFinished(() => proxy.close());
  const url = `ws://127.0.0.1:${'port' in at ? at.port : 0}/ws`;
  let reopened: () => void = () => {};
  const again = new Promise<void>((resolve) => {
    reopened = resolve;
  });
  const client = await connectTo(webSocket(url, { pingInterval: 20 }), way, { onReopen: () => reopened() });
  onTestFinished(() => client.close());
  const mirror = new Mirror(client, site);
  await mirror.follow('a');
  const audit = new Audit();
  proxy.stall('up', 'down');
  const lost = await audit.call(client);
  expect(audit.errorOf(lost)).toMatchObject({ message: 'the other side does not respond' });
  await site.touch('a');
  proxy.resume();
  await again;
  await mirror.shows('a');
  expect(audit.faults(site.ledger())).toEqual([]);
});
