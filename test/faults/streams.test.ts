import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { full } from '../extent.ts';
import { Mirror } from './mirror.ts';
import type { Connection, Ending, Fault, FaultProxy } from './proxy.ts';
import { openSite, type Site } from './site.ts';
import { connectTo, proxied, proxyFor, transportOf, type Way, wayNamed } from './ways.ts';

const stride = full ? 5 : 41;
const endings: readonly Ending[] = ['reset', 'end', 'half'];

let site: Site;
beforeAll(async () => {
  site = await openSite();
  site.write('a', 'fence');
  await site.start();
});
afterAll(() => site.close());

interface Reader {
  mirror: Mirror;
  proxy: FaultProxy;
}

/** A subscriber to both memos behind a proxy. */
async function read(way: Way): Promise<Reader> {
  const { proxy, at } = await proxyFor(way, site);
  onTestFinished(() => proxy.close());
  const client = await connectTo(transportOf(way, site, at), way);
  onTestFinished(() => client.close());
  const mirror = new Mirror(client, site);
  await mirror.follow('a', 'fence');
  return { mirror, proxy };
}

/** The last request on the connection over which a transport receives notifications. */
function streamOf({ kind, options }: Way): string {
  if (kind === 'sse') return 'GET /sse';
  if (kind !== 'http') return '';
  return options.era === 'handshake' ? 'GET /mcp' : 'subscriptions/listen';
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Resolves with the connection for notifications. */
async function listens(proxy: FaultProxy, text: string): Promise<Connection> {
  for (;;) {
    const found = proxy.newest(text);
    if (found !== undefined) return found;
    await turn();
  }
}

/** Cuts the notification stream after this number of bytes while a memo changes; returns false after the last byte. */
async function cutChange({ mirror, proxy }: Reader, fault: Omit<Fault, 'way'>): Promise<boolean> {
  await listens(proxy, fault.last ?? '');
  const armed = proxy.arm({ way: 'down', ...fault });
  await site.touch('a');
  await Promise.race([armed.strikes, mirror.shows('a')]);
  // earlier messages on the stream have arrived before this one
  await site.touch('fence');
  await mirror.shows('fence');
  proxy.disarm();
  expect([fault, mirror.faults('a')]).toEqual([fault, []]);
  return armed.struck;
}

describe.each(proxied)('over $name', (way) => {
  test('a change on a stream that is cut at any byte is not missed', async () => {
    const reader = await read(way);
    const last = streamOf(way);
    for (const ending of full ? endings : endings.slice(0, 1)) {
      for (let after = 0; await cutChange(reader, { after, ending, last }); after += stride);
    }
  });

  test.each(full ? endings : endings.slice(0, 1))(
    'the first change of a stream is not missed after a cut by %s',
    async (ending) => {
      const last = streamOf(way);
      for (const after of full ? [0, 1, 30, 60, 90, 120] : [40]) {
        const { mirror, proxy } = await read(way);
        await cutChange({ mirror, proxy }, { after, ending, last });
        await mirror.close();
      }
    },
  );
});

/** Makes the server drop the session of a proxy's client. */
async function forget(way: Way, proxy: FaultProxy): Promise<void> {
  if (way.kind !== 'http') {
    proxy.cut();
    return;
  }
  const { last } = await listens(proxy, streamOf(way));
  const session = /mcp-session-id: (\S+)/i.exec(last)?.[1] ?? '';
  const url = `http://127.0.0.1:${site.port}/mcp`;
  const { status } = await fetch(url, { method: 'DELETE', headers: { 'Mcp-Session-Id': session } });
  expect(status).toBe(204);
}

// WebSocket data is masked, so a fault cannot wait for its text
const renewing = proxied.filter(({ kind, options }) => options.era === 'handshake' && kind !== 'ws');
describe.each(renewing)('over $name', (way) => {
  test.each(['"initialize"', 'notifications/initialized', 'resources/subscribe'])(
    'an idle subscriber recovers from a cut of %s after the server has dropped its session',
    async (marker) => {
      const { mirror, proxy } = await read(way);
      await listens(proxy, streamOf(way));
      const armed = proxy.arm({ way: 'up', after: 10, ending: 'reset', marker });
      await forget(way, proxy);
      await site.touch('a');
      await mirror.shows('a');
      await site.touch('fence');
      await mirror.shows('a', 'fence');
      expect(armed.struck).toBe(true);
    },
  );
});

describe('a server that keeps one event of each stream', () => {
  let forgetful: Site;
  beforeAll(async () => {
    forgetful = await openSite({ eventLimits: { events: 1 } });
    forgetful.write('a', 'b', 'c');
    await forgetful.start();
  });
  afterAll(() => forgetful.close());

  test('refuses to resume an older stream, and the subscriber is notified', async () => {
    const way = wayNamed('HTTP sessions of 2025-11-25');
    const { proxy, at } = await proxyFor(way, forgetful);
    onTestFinished(() => proxy.close());
    const client = await connectTo(transportOf(way, forgetful, at), way);
    onTestFinished(() => client.close());
    const mirror = new Mirror(client, forgetful);
    await mirror.follow('a', 'b', 'c');
    await listens(proxy, 'GET /mcp');
    // a stream is resumed after a received event
    await forgetful.touch('a');
    await mirror.hears('a');
    await mirror.shows('a');
    proxy.stall('up', 'down');
    // events that are known to be unread would be kept
    proxy.cut(true);
    await forgetful.touch('a', 'b', 'c');
    proxy.resume();
    await mirror.shows('a', 'b', 'c');
    expect(mirror.notified).toContain('tools');
  });
});
