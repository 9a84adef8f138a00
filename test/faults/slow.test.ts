import type { Client } from '@rootbound/protocol/client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { full } from '../extent.ts';
import { Audit } from './audit.ts';
import { Mirror } from './mirror.ts';
import type { FaultProxy } from './proxy.ts';
import { openSite, type Site } from './site.ts';
import { connectTo, proxied, proxyFor, transportOf, type Way } from './ways.ts';

const MiB = 1024 * 1024;
/** Bytes of an answer per unit of its size. */
const UNIT = 10;
/** Maximum growth of the server by unread answers on one connection, in bytes. */
const MOST_GROWTH = 48 * MiB;

/** Number and size of unread answers: more than the limit of unsent data, but fewer concurrent calls. */
function unreadOf({ kind }: Way): { count: number; bytes: number } {
  if (kind === 'http') return { count: full ? 20 : 5, bytes: MiB };
  // a 65th waiting message is refused
  if (kind === 'sse') return { count: 60, bytes: full ? 2 * MiB : MiB };
  return { count: full ? 1000 : 600, bytes: 100_000 };
}

/** The limits of the impatient server, in milliseconds. */
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

/** All transports in the full run; otherwise one of each kind with a persistent connection. */
const chosen = proxied.filter(
  ({ kind }, index) => full || kind === 'http' || proxied.findIndex((way) => way.kind === kind) === index,
);

describe.each(chosen)('over $name', (way) => {
  test('data that arrives byte by byte is the same as data that arrives at once', async () => {
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

  test('a client that does not read blocks no other client, costs bounded memory, and misses nothing', async () => {
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
    // over HTTP each answer has its own connection
    if (way.kind !== 'http') expect((await site.measure()) - before).toBeLessThan(MOST_GROWTH);
    await site.touch('b');
    slow.proxy.resume();
    await Promise.all(calls);
    await mirror.shows('a', 'b');
    expect(audit.faults(site.ledger())).toEqual([]);
    expect(audit.answered).toBe(count + 20);
  });

  test.each(full ? ['at once', 'after it was quiet for long'] : ['after it was quiet for long'])(
    'a client that never reads is disconnected, %s, and can connect again',
    async (when) => {
      const { client, proxy } = await use(way, hasty);
      const audit = new Audit();
      await audit.call(client);
      if (when !== 'at once') await hasty.tell({ do: 'rest', milliseconds: 2 * STALL_TIMEOUT });
      proxy.stall('down');
      const calls = [audit.call(client, { size: (9 * MiB) / UNIT }), audit.call(client)];
      // the system buffers some of it
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
