import type { Client } from '@rootbound/protocol/client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { full } from '../extent.ts';
import { Audit } from './audit.ts';
import { Mirror } from './mirror.ts';
import type { FaultProxy } from './proxy.ts';
import { openSite, type Site } from './site.ts';
import { connectTo, proxied, proxyFor, transportOf, type Way } from './ways.ts';

const MiB = 1024 * 1024;
/** Bytes of an answer for each of its size. */
const UNIT = 10;
/** The most by which answers that nobody reads may make the server grow where one connection carries them all. */
const MOST_GROWTH = 48 * MiB;

/** So many answers of a size that nobody reads: more than may be held, but what is worked on at once is less. */
function unreadOf({ kind }: Way): { count: number; bytes: number } {
  if (kind === 'http') return { count: full ? 20 : 5, bytes: MiB };
  // a 65th message that waits is refused
  if (kind === 'sse') return { count: 60, bytes: full ? 2 * MiB : MiB };
  return { count: full ? 1000 : 600, bytes: 100_000 };
}

/** What the hasty server bears, in milliseconds. */
const STALL_TIMEOUT = 100;

let site: Site;
let hasty: Site;
beforeAll(async () => {
  [site, hasty] = await Promise.all([openSite(), openSite({ stallTimeout: STALL_TIMEOUT })]);
  site.write('a', 'b');
  await Promise.all([site.start(), hasty.start()]);
});
afterAll(() => Promise.all([site.close(), hasty.close()]));

async function use(way: Way, to = site): Promise<{ client: Client; proxy: FaultProxy }> {
  const { proxy, at } = await proxyFor(way, to);
  const client = await connectTo(transportOf(way, to, at), way);
  onTestFinished(async () => {
    proxy.resume();
    await client.close();
    await proxy.close();
  });
  return { client, proxy };
}

/** Where time is short, of those that stay open for all calls each kind once. */
const chosen = proxied.filter(
  ({ kind }, index) => full || kind === 'http' || proxied.findIndex((way) => way.kind === kind) === index,
);

describe.each(chosen)('over $name', (way) => {
  test('what comes byte by byte is the same as what comes at once', async () => {
    const { client, proxy } = await use(way);
    const audit = new Audit();
    proxy.dribbles = true;
    const wanted = [{ size: full ? 500 : 5 }, { steps: full ? 3 : 2, size: 2 }, {}];
    const [, stepped = ''] = await Promise.all(wanted.map((args) => audit.call(client, args)));
    expect(audit.faults(site.ledger())).toEqual([]);
    expect([audit.answered, audit.stepsOf(stepped)]).toEqual([
      wanted.length,
      full ? ['1', '2', '3'] : ['1', '2'],
    ]);
  });

  test('who does not read holds nobody up, costs no more than a bounded amount, and misses nothing', async () => {
    const [slow, other] = await Promise.all([use(way), use(way)]);
    const mirror = new Mirror(slow.client, site);
    await mirror.follow('a', 'b');
    const audit = new Audit();
    const before = await site.measure();
    slow.proxy.stall('down');
    const { count, bytes } = unreadOf(way);
    const calls = Array.from({ length: count }, () => audit.call(slow.client, { size: bytes / UNIT }));
    for (let i = 0; i < 50; i++) await site.touch('a');
    for (let i = 0; i < 20; i++) await audit.call(other.client);
    expect(audit.answered).toBe(20);
    // over HTTP each answer has a connection of its own
    if (way.kind !== 'http') expect((await site.measure()) - before).toBeLessThan(MOST_GROWTH);
    await site.touch('b');
    slow.proxy.resume();
    await Promise.all(calls);
    await mirror.shows('a', 'b');
    expect(audit.faults(site.ledger())).toEqual([]);
    expect(audit.answered).toBe(count + 20);
  });

  test.each(full ? ['at once', 'after it was quiet for long'] : ['after it was quiet for long'])(
    'who reads nothing at all is cut off, %s, and can come again',
    async (when) => {
      const { client, proxy } = await use(way, hasty);
      const audit = new Audit();
      await audit.call(client);
      if (when !== 'at once') await hasty.tell({ do: 'rest', milliseconds: 2 * STALL_TIMEOUT });
      proxy.stall('down');
      const calls = [audit.call(client, { size: (9 * MiB) / UNIT }), audit.call(client)];
      // the system takes some of it
      await hasty.fills(2 * MiB);
      await hasty.emptied();
      proxy.resume();
      await Promise.all(calls);
      const next = await audit.call(client);
      expect(audit.faults(hasty.ledger())).toEqual([]);
      expect(audit.isAnswered(next)).toBe(true);
    },
  );
});
