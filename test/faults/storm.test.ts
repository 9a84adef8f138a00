import type { Client } from '@rootbound/protocol/client';
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest';
import { full } from '../extent.ts';
import { Audit } from './audit.ts';
import { Mirror } from './mirror.ts';
import type { Ending, FaultProxy } from './proxy.ts';
import { openSite, type Site } from './site.ts';
import { connectTo, proxied, proxyFor, transportOf, type Way } from './ways.ts';

const seeds = full ? Array.from({ length: 8 }, (_, i) => i + 1) : [20_260_728];
const steps = full ? 600 : 120;
const memos = ['a', 'b', 'c'];
const endings: readonly Ending[] = ['reset', 'end', 'half', 'stall'];

/** Sites, one for each concurrent storm: most of a storm waits for a server to start. */
const sites: Site[] = [];
const free: Site[] = [];
const waiting: ((site: Site) => void)[] = [];

beforeAll(async () => {
  await Promise.all(
    Array.from({ length: full ? 3 : 1 }, async () => {
      const site = await openSite();
      site.write(...memos);
      await site.start();
      sites.push(site);
      free.push(site);
    }),
  );
});
afterAll(() => Promise.all(sites.map((site) => site.close())));

/** Takes a site, which is returned at the end of the storm. */
async function takeSite({ onTestFinished }: TestContext): Promise<Site> {
  const site = free.pop() ?? (await new Promise<Site>((resolve) => waiting.push(resolve)));
  onTestFinished(() => {
    const next = waiting.shift();
    if (next === undefined) free.push(site);
    else next(site);
  });
  return site;
}

/** Returns a generator of pseudo-random numbers below a limit, with a seed. */
function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

interface User {
  client: Client;
  proxy: FaultProxy;
  mirror: Mirror;
}

async function use(way: Way, site: Site, { onTestFinished }: TestContext): Promise<User> {
  const { proxy, at } = await proxyFor(way, site);
  onTestFinished(() => proxy.close());
  const client = await connectTo(transportOf(way, site, at), way);
  onTestFinished(() => client.close());
  const mirror = new Mirror(client, site);
  await mirror.follow(...memos);
  return { client, proxy, mirror };
}

test.concurrent.for(seeds)(
  'a storm of faults over all transports at once loses and duplicates nothing (seed %i)',
  async (seed, context) => {
    const below = chance(seed);
    const site = await takeSite(context);
    const users = await Promise.all(proxied.map((way) => use(way, site, context)));
    const audit = new Audit();
    const calls: Promise<string>[] = [];
    for (let step = 0; step < steps; step++) {
      const { client, proxy } = users[below(users.length)]!; // one of them
      const what = below(40);
      if (what < 20) calls.push(audit.call(client, { steps: below(4), size: below(400) }));
      else if (what < 26)
        await site.touch(memos[below(memos.length)]!); // one of them
      else if (what < 32)
        proxy.arm({ way: below(2) === 0 ? 'up' : 'down', after: below(600), ending: endings[below(4)]! }); // as above
      else if (what < 34) proxy.cut();
      else if (what < 36) proxy.stall(below(2) === 0 ? 'up' : 'down');
      else if (what < 39) proxy.resume();
      else if (below(4) === 0) await site.restart();
      await new Promise(setImmediate);
    }
    for (const { proxy } of users) {
      proxy.disarm();
      proxy.resume();
    }
    await Promise.all(calls);
    await Promise.all(users.map(({ mirror }) => mirror.shows(...memos)));
    expect(audit.faults(site.ledger())).toEqual([]);
    expect(audit.answered).toBeGreaterThan(0);
  },
);
